"""System events: what happened, written in the transaction in which it happened."""

from django.db import models

from inbox.models.base import TenantQuerySet, TenantRow
from inbox.models.emails import Email
from inbox.models.inboxes import Inbox


class SystemEventQuerySet(TenantQuerySet["SystemEvent"]):
    """The only way other code reads events."""


class SystemEvent(TenantRow):
    """One thing that happened in a workspace. Never changed afterwards."""

    inbox = models.ForeignKey(Inbox, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)
    email = models.ForeignKey(Email, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)
    slug = models.CharField(max_length=60)
    payload = models.JSONField(default=dict, blank=True)

    objects = SystemEventQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_event_newest"),
            models.Index(fields=("workspace", "slug", "-created_at", "-id"), name="inbox_event_by_slug"),
            models.Index(fields=("inbox", "-created_at", "-id"), name="inbox_event_by_inbox"),
            models.Index(fields=("email", "-created_at", "-id"), name="inbox_event_by_email"),
        )

    def __str__(self) -> str:
        return self.slug
