"""What one person can reach: roles by organization, and the workspaces of those organizations."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inbox.models.base import as_uuid
from inbox.models.organizations import Membership, Role
from inbox.models.workspaces import Workspace

if TYPE_CHECKING:
    from inbox.models.people import User


@dataclass(frozen=True)
class Reach:
    """A person's rights, read once.

    Args:
        roles: organization id -> role there.
        workspaces: the live workspaces of those organizations, by label.
    """

    roles: Mapping[uuid.UUID, Role]
    workspaces: tuple[Workspace, ...]

    def find(self, key: str) -> Workspace | None:
        """The workspace of this id or external id (the id wins), if it is within reach."""
        wanted = as_uuid(key)
        if wanted is None:
            return None
        by_id = {workspace.pk: workspace for workspace in self.workspaces}
        by_external_id = {workspace.external_id: workspace for workspace in self.workspaces}
        return by_id.get(wanted) or by_external_id.get(wanted)

    def role_in(self, workspace: Workspace) -> Role | None:
        return self.roles.get(workspace.organization_id)

    def allows(self, role: Role, workspace: Workspace | None = None) -> bool:
        """Whether the person has at least ``role`` in this workspace; without one, in at least one within reach."""
        asked = self.workspaces if workspace is None else (workspace,)
        held = (self.role_in(each) for each in asked)
        return any(mine is not None and mine.includes(role) for mine in held)

    def allows_somewhere(self, role: Role) -> bool:
        """Whether the person has at least ``role`` in some organization, be it without any workspace yet."""
        return any(mine.includes(role) for mine in self.roles.values())


def reach_of(person: "User") -> Reach:
    """What ``person`` can reach now, in two queries. An inactive person or organization reaches nothing."""
    if not person.is_active:
        return Reach({}, ())
    memberships = Membership.objects.filter(user=person, organization__is_active=True)
    roles = {organization: Role(role) for organization, role in memberships.values_list("organization", "role")}
    workspaces = Workspace.objects.live().filter(organization__in=roles).order_by("label", "id")
    return Reach(roles, tuple(workspaces))
