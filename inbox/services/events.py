"""Writes system events. Called inside the transaction of the change they tell of."""

from typing import Any

from inbox.events import CATALOGUE
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
        slug: one of the catalogue, such as ``inbox.deleted``.
        inbox: the inbox concerned.
        email: the message concerned.
        by: the person who did it; None for the system itself.
        payload: what a reader of the event wants to know: the keys that the catalogue names.

    Raises ValueError for a slug or a key that the catalogue does not have.
    """
    told = dict(payload or {})
    if by is not None:
        told["by"] = {"id": str(by.pk), "email": by.email}
    kind = CATALOGUE.get(slug)
    if kind is None or not set(told) <= set(kind.payload):
        raise ValueError(f"inbox.events has no {slug!r} with the payload {sorted(told)}.")
    return SystemEvent.objects.create(workspace=workspace, inbox=inbox, email=email, slug=slug, payload=told)
