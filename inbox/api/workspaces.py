"""Which workspace a request acts on: the one it names, the only one there is, or the person's default."""

from typing import Any, cast

from django.http import HttpRequest
from rest_framework.request import Request

from inbox.errors import WorkspaceNotFound, WorkspaceRequired
from inbox.models import Reach, User, Workspace

HEADER = "X-Workspace-Id"


def person_of(request: Request) -> User:
    """The caller. The authentication of this API lets nobody else in."""
    return cast(User, request.user)


def choose(person: User, named: str | None) -> Workspace:
    """The workspace to act on.

    Args:
        person: who asks.
        named: id or external id from the request; None where it names none.

    Raises WorkspaceNotFound for a name that leads to nothing within reach, and where nothing is within reach;
    WorkspaceRequired, with the choices, where several are and nothing chooses.
    """
    reach = person.reach
    found = reach.find(named) if named is not None else _unnamed(person, reach)
    if found is not None:
        return found
    if named is not None or not reach.workspaces:
        raise WorkspaceNotFound
    choices = [{"id": str(workspace.pk), "label": workspace.label} for workspace in reach.workspaces]
    raise WorkspaceRequired(details={"workspaces": choices})


def chosen(person: User, request: Request | HttpRequest) -> Workspace | None:
    """The workspace this request acts on, or None where none can be told. Never raises."""
    try:
        return choose(person, request.headers.get(HEADER))
    except (WorkspaceNotFound, WorkspaceRequired):
        return None


def tenant_key(principal: Any, request: Request | HttpRequest) -> str:
    """What a confirmation over MCP is bound to: the id of the workspace the request acts on, else nothing."""
    workspace = chosen(principal.user, request)
    return "" if workspace is None else str(workspace.pk)


def _unnamed(person: User, reach: Reach) -> Workspace | None:
    if len(reach.workspaces) == 1:
        return reach.workspaces[0]
    return next((each for each in reach.workspaces if each.pk == person.default_workspace_id), None)
