"""Inboxes: e-mail addresses that receive mail for a workspace."""

from collections.abc import Iterable
from typing import Self

from django.db import models
from django.db.models.functions import Lower

from inbox.models.agents import Agent
from inbox.models.base import LIVE, DeletableMixin, ExternallyNamed, TenantQuerySet, TenantRow

MEBIBYTE = 1024 * 1024


class InboxQuerySet(TenantQuerySet["Inbox"]):
    """The only way other code reads inboxes."""

    def live(self) -> Self:
        return self.filter(LIVE)

    def receiving(self, addresses: Iterable[str]) -> Self:
        """The inboxes that mail to these addresses arrives at."""
        alive = self.live().filter(workspace__deleted_at__isnull=True, workspace__organization__is_active=True)
        return alive.filter(email__in=[address.lower() for address in addresses])

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends; rows that refer to them may come."""
        return self.select_for_update(of=("self",), no_key=True)


class InboxStatus(models.TextChoices):
    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Inactive: its mail is rejected"


class Inbox(TenantRow, ExternallyNamed, DeletableMixin):
    """An address, who may write to it, what it takes, and the agent that works on its mail."""

    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="inboxes")
    label = models.CharField(max_length=120)
    email = models.EmailField(max_length=254)
    status = models.CharField(max_length=10, choices=InboxStatus, default=InboxStatus.ACTIVE)
    allowed_recipients = models.JSONField(default=list, blank=True)
    filters = models.JSONField(default=list, blank=True)
    attachments_allow = models.BooleanField(default=True)
    attachments_max_file_number = models.PositiveIntegerField(default=10)
    attachments_max_file_size = models.PositiveIntegerField(default=10 * MEBIBYTE)
    attachments_max_total_size = models.PositiveIntegerField(default=25 * MEBIBYTE)
    custom_metadata = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, blank=True)

    objects = InboxQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "inboxes"
        constraints = (
            models.UniqueConstraint(
                fields=("workspace", "external_id"), condition=LIVE, name="inbox_inbox_external_id"
            ),
            models.UniqueConstraint(fields=("email",), condition=LIVE, name="inbox_inbox_email"),
            # Else one address could be held twice, in two spellings.
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="inbox_inbox_email_lower"),
        )
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_inbox_newest"),
            models.Index(fields=("workspace", "status", "-created_at", "-id"), name="inbox_inbox_by_status"),
        )

    def __str__(self) -> str:
        return self.email
