"""Writes system events. Called inside the transaction of the change they tell of."""

from typing import Any

from inbox.models import Email, Inbox, SystemEvent, User, Workspace


def record(
    slug: str,
    workspace: Workspace,
    *,
    inbox: Inbox | None = None,
    email: Email | None = None,
    by: User | None = None,
    payload: dict[str, Any] | None = None,
) -> SystemEvent:
    """One event of ``workspace``.

    Args:
        slug: such as ``inbox.deleted``.
        inbox: the inbox concerned.
        email: the message concerned.
        by: the person who did it; None for the system itself.
        payload: what a reader of the event wants to know.
    """
    told = dict(payload or {})
    if by is not None:
        told["by"] = {"id": str(by.pk), "email": by.email}
    return SystemEvent.objects.create(workspace=workspace, inbox=inbox, email=email, slug=slug, payload=told)
