"""What one person can reach: roles by organization, and the workspaces of those organizations."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.db import models

from inbox.models.base import as_uuid
from inbox.models.organizations import Membership, Role
from inbox.models.prepared import PreparedByPerson
from inbox.models.workspaces import Workspace

if TYPE_CHECKING:
    from inbox.models.people import User


def _within_reach(person: uuid.UUID) -> "models.QuerySet[Any, Any]":
    """A row for each live workspace of each of the person's organizations, and one for an organization without any."""
    live = models.FilteredRelation(
        "organization__workspaces", condition=models.Q(organization__workspaces__deleted_at__isnull=True)
    )
    found = Membership.objects.filter(user=person, organization__is_active=True).annotate(live=live)
    columns = (f"live__{name}" for name in READ)
    return found.order_by("live__label", "live__id").values_list("organization_id", "role", *columns)


#: What is read of a workspace on every request; the other fields are fetched when somebody wants them.
READ = tuple(
    field.attname
    for field in Workspace._meta.concrete_fields
    if field.attname in ("id", "external_id", "label", "organization_id")
)
WITHIN_REACH = PreparedByPerson(_within_reach)


@dataclass(frozen=True)
class Reach:
    """A person's rights, read once.

    Args:
        roles: organization id -> role there.
        workspaces: the live workspaces of those organizations, by label.
    """

    roles: Mapping[uuid.UUID, Role]
    workspaces: tuple[Workspace, ...]

    @cached_property
    def _by_key(self) -> Mapping[uuid.UUID, Workspace]:
        by_external_id = {workspace.external_id: workspace for workspace in self.workspaces}
        return by_external_id | {workspace.pk: workspace for workspace in self.workspaces}

    @cached_property
    def _everywhere(self) -> frozenset[Role]:
        return frozenset(role for workspace in self.workspaces if (role := self.role_in(workspace)))

    @cached_property
    def _found(self) -> dict[str, Workspace | None]:
        return {}

    def find(self, key: str) -> Workspace | None:
        """The workspace of this id or external id (the id wins), if it is within reach."""
        if key not in self._found:  # every permission of a request asks for the same one
            wanted = as_uuid(key)
            self._found[key] = None if wanted is None else self._by_key.get(wanted)
        return self._found[key]

    def role_in(self, workspace: Workspace) -> Role | None:
        return self.roles.get(workspace.organization_id)

    def allows(self, role: Role, workspace: Workspace | None = None) -> bool:
        """Whether the person has at least ``role`` in this workspace; without one, in at least one within reach."""
        if workspace is None:
            return any(mine.includes(role) for mine in self._everywhere)
        mine = self.role_in(workspace)
        return mine is not None and mine.includes(role)

    def allows_somewhere(self, role: Role) -> bool:
        """Whether the person has at least ``role`` in some organization, be it without any workspace yet."""
        return any(mine.includes(role) for mine in self.roles.values())


def reach_of(person: "User") -> Reach:
    """What ``person`` can reach now, in one query. An inactive person or organization reaches nothing."""
    if not person.is_active:
        return Reach({}, ())
    database = Workspace.objects.db
    rows = WITHIN_REACH.rows(person.pk, database)
    roles = {organization: Role(role) for organization, role, *_ in rows}
    read = (Workspace.from_db(database, READ, values) for _, _, *values in rows)
    return Reach(roles, tuple(workspace for workspace in read if workspace.pk is not None))
