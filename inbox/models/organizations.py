"""Companies and who belongs to them. Managed in Django admin; no REST endpoint."""

from django.conf import settings
from django.db import models

from inbox.models.base import Row


class Role(models.TextChoices):
    """What a member may do, weakest first; each includes those before it."""

    VIEWER = "viewer", "Viewer: reads"
    OPERATOR = "operator", "Operator: reprocesses, replays and tests as well"
    ADMIN = "admin", "Admin: manages inboxes, agents, webhooks, recipients and secrets as well"
    OWNER = "owner", "Owner: manages workspaces as well"

    def includes(self, other: "Role") -> bool:
        return RANK[self] >= RANK[other]


RANK = {role: rank for rank, role in enumerate(Role)}


class Organization(Row):
    """A company. It owns workspaces and has members."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    is_active = models.BooleanField(default=True, help_text="An inactive organization is out of everyone's reach.")

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Membership(Row):
    """One person's role in one organization."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships", db_index=False)
    organization = models.ForeignKey(Organization, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.VIEWER)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "organization"), name="inbox_membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=list(Role.values)), name="inbox_membership_role"),
        )

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.organization}"
