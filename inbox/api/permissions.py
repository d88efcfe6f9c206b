"""What the person may do (role) and what the client may do for that person (scope). Both are asked, the role first.

Each view states its family, the role each action needs and, by the HTTP method, the scope.
"""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from inbox.api.errors import InsufficientScope
from inbox.api.workspaces import chosen, person_of
from inbox.conf import API_PATH
from inbox.models import Role, Workspace
from kobana_mcp.access.challenge import insufficient_scope
from kobana_mcp.access.resources import resource_at


def scope_for(method: str | None, view: Any) -> str:
    """The scope an operation needs: ``inbox.emails:read`` for what only reads, else ``inbox.emails:write``."""
    return f"{view.family}:{'read' if method in SAFE_METHODS else 'write'}"


def lacking_scope(request: Request, view: Any) -> InsufficientScope:
    """The refusal that tells a client which scope to ask the person for."""
    scope = scope_for(request.method, view)
    return InsufficientScope(
        f"The access token lacks the scope {scope}.", insufficient_scope(resource_at(API_PATH), [scope])
    )


class HasRole(BasePermission):
    """The person's role suffices in the chosen workspace; none chosen, in at least one within reach."""

    message = "Your role does not allow this."
    code = "forbidden"

    def looks_at(self, view: Any, method: str) -> tuple[Role, bool]:
        """One answer for every operation with the same role (kobana_mcp.permissions)."""
        return view.role_for_action(), view.needs_workspace

    def has_permission(self, request: Request, view: Any) -> bool:
        role = view.role_for_action()
        person = person_of(request)
        if not view.needs_workspace:
            return person.reach.allows_somewhere(role)
        return person.reach.allows(role, chosen(person, request))

    def has_object_permission(self, request: Request, view: Any, obj: Any) -> bool:
        """In the workspace of the object itself, which matters where no workspace had to be chosen."""
        workspace: Workspace = obj if isinstance(obj, Workspace) else obj.workspace
        role: Role = view.role_for_action()
        return person_of(request).reach.allows(role, workspace)


class HasScope(BasePermission):
    """The token's scopes, implied ones included, hold the one the operation needs."""

    message = "The access token lacks a scope."
    code = "insufficient_scope"

    def looks_at(self, view: Any, method: str) -> str:
        """One answer for every operation with the same scope (kobana_mcp.permissions)."""
        return scope_for(method, view)

    def has_permission(self, request: Request, view: Any) -> bool:
        principal: Any = request.auth
        return bool(principal.allow_scopes((scope_for(request.method, view),)))
