"""Which workspace a request acts on: the one it names, the only one there is, or the person's default."""

from typing import Any, cast

from django.http import HttpRequest
from rest_framework.request import Request

from inbox.errors import WorkspaceNotFound, WorkspaceRequired
from inbox.models import User, Workspace

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
    found = _find(person, named)
    if found is not None:
        return found
    within_reach = person.reach.workspaces
    if named is not None or not within_reach:
        raise WorkspaceNotFound
    choices = [{"id": str(workspace.pk), "label": workspace.label} for workspace in within_reach]
    raise WorkspaceRequired(details={"workspaces": choices})


def chosen(person: User, request: Request | HttpRequest) -> Workspace | None:
    """The workspace this request acts on, or None where none can be told. Never raises."""
    return _find(person, request.headers.get(HEADER))


def tenant_key(principal: Any, request: Request | HttpRequest) -> str:
    """What a confirmation over MCP is bound to: the id of the workspace the request acts on, else nothing."""
    workspace = chosen(principal.user, request)
    return "" if workspace is None else str(workspace.pk)


def _find(person: User, named: str | None) -> Workspace | None:
    reach = person.reach
    if named is not None:
        return reach.find(named)
    if len(reach.workspaces) == 1:
        return reach.workspaces[0]
    return next((each for each in reach.workspaces if each.pk == person.default_workspace_id), None)
