"""What the tables share: time-ordered keys, newest-first pages, tenancy, soft deletion, the caller's own ids."""

import re
import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

if TYPE_CHECKING:
    from inbox.models.people import User
    from inbox.models.workspaces import Workspace

_M = TypeVar("_M", bound=models.Model)

UUID_TEXT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def new_id() -> uuid.UUID:
    """A time-ordered key (RFC 9562, UUID version 7), so that new rows go to the end of every index."""
    return uuid7()


def as_uuid(text: str) -> uuid.UUID | None:
    """The UUID that ``text`` writes in its usual form, or None."""
    return uuid.UUID(text) if UUID_TEXT.fullmatch(text) else None


class RowQuerySet(models.QuerySet[_M]):
    """Queries every table has."""

    def newest_first(self) -> Self:
        return self.order_by("-created_at", "-id")

    def older_than(self, created_at: datetime, key: uuid.UUID) -> Self:
        """The rows after this one in newest-first order. The outer condition is what an index can begin at."""
        same_moment = models.Q(created_at=created_at, id__lt=key)
        return self.filter(models.Q(created_at__lt=created_at) | same_moment, created_at__lte=created_at)

    def find(self, key: str) -> _M | None:
        """The row of this id, or of this external id where the table has one. The id wins; other text finds nothing."""
        wanted = as_uuid(key)
        if wanted is None:
            return None
        if not issubclass(self.model, ExternallyNamed):
            return self.filter(id=wanted).first()
        found = self.filter(models.Q(id=wanted) | models.Q(external_id=wanted))
        return min(found, key=lambda row: row.pk != wanted, default=None)


class TenantQuerySet(RowQuerySet[_M]):
    """Queries of the tables whose rows belong to one workspace."""

    def within(self, workspace: "Workspace") -> Self:
        return self.filter(workspace=workspace)

    def reachable_by(self, person: "User") -> Self:
        return self.filter(workspace__in=[workspace.pk for workspace in person.reach.workspaces])


class DeletableMixin(models.Model):
    """Rows that are hidden instead of removed. ``deleted_at`` is shown nowhere."""

    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True


#: Uniqueness and lists count these rows only.
LIVE = models.Q(deleted_at__isnull=True)


class Row(models.Model):
    """A table's key and times."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was made.")
    updated_at = models.DateTimeField(auto_now=True, help_text="When it was last changed.")

    class Meta:
        abstract = True


class ExternalIdField(models.UUIDField):
    """The caller's own id of a row: fixed at creation, a copy of the row's id when none was given."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if getattr(model_instance, self.attname) is None:
            setattr(model_instance, self.attname, model_instance.pk)
        return super().pre_save(model_instance, add)


class ExternallyNamed(models.Model):
    """Rows that ``{id}`` finds by the caller's own id too."""

    external_id = ExternalIdField(blank=True)

    class Meta:
        abstract = True


class TenantRow(Row):
    """A row of one workspace: the tenant boundary."""

    # Every table has an index that begins with the workspace, so the key needs none of its own.
    workspace = models.ForeignKey("inbox.Workspace", models.PROTECT, related_name="+", db_index=False)

    class Meta:
        abstract = True
