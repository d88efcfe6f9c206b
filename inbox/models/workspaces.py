"""Workspaces: the tenants. Every other row belongs to exactly one."""

from typing import TYPE_CHECKING, Self

from django.db import models

from inbox.models.base import LIVE, DeletableMixin, ExternallyNamed, Row, RowQuerySet

if TYPE_CHECKING:
    from inbox.models.people import User


class WorkspaceQuerySet(RowQuerySet["Workspace"]):
    """The only way other code reads workspaces."""

    def live(self) -> Self:
        return self.filter(LIVE, organization__is_active=True)

    def reachable_by(self, person: "User") -> Self:
        """The live workspaces of the person's organizations."""
        return self.live().filter(organization__in=person.reach.roles)

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends; rows that refer to them may come."""
        return self.select_for_update(of=("self",), no_key=True)


class Source(models.TextChoices):
    """Which product created the tenant."""

    APP = "kobana_app", "App"
    BILLING = "kobana_billing", "Billing"
    AUTONOMOUS_INBOX = "kobana_autonomous_inbox", "Autonomous Inbox"
    AGENT = "kobana_agent", "Agent"
    FINANCE = "kobana_finance", "Finance"
    LEGAL = "kobana_legal", "Legal"
    TEAM = "kobana_team", "Team"


class Workspace(Row, ExternallyNamed, DeletableMixin):
    """A tenant: its name, its monthly limits and what it used of them."""

    organization = models.ForeignKey("inbox.Organization", models.PROTECT, related_name="workspaces", db_index=False)
    source = models.CharField(max_length=30, choices=Source, default=Source.AUTONOMOUS_INBOX)
    label = models.CharField(max_length=120)
    email_prefix = models.CharField(max_length=60)
    monthly_cost_limit = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    monthly_cost_used = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    monthly_emails_limit = models.PositiveIntegerField(null=True, blank=True)
    monthly_emails_used = models.PositiveIntegerField(default=0)
    custom_metadata = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, blank=True)

    objects = WorkspaceQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("external_id",), condition=LIVE, name="inbox_workspace_external_id"),
            models.CheckConstraint(
                condition=models.Q(monthly_cost_limit__isnull=True) | models.Q(monthly_cost_limit__gt=0),
                name="inbox_workspace_cost_limit",
            ),
            models.CheckConstraint(
                condition=models.Q(monthly_emails_limit__isnull=True) | models.Q(monthly_emails_limit__gt=0),
                name="inbox_workspace_emails_limit",
            ),
        )
        indexes = (models.Index(fields=("organization", "-created_at", "-id"), name="inbox_workspace_newest"),)

    def __str__(self) -> str:
        return self.label
