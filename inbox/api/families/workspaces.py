"""Workspaces over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from inbox.api.fields import NumberField
from inbox.api.serializers import StrictModelSerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Role, Workspace


class WorkspaceSerializer(StrictModelSerializer):
    """A tenant: every inbox, agent and e-mail belongs to exactly one."""

    monthly_cost_limit = NumberField(
        14, 6, read_only=True, allow_null=True, help_text="Spending ceiling for a month; null means none."
    )
    monthly_cost_used = NumberField(14, 6, read_only=True, help_text="Spent this month.")

    class Meta:
        model = Workspace
        fields = (
            *("id", "external_id", "source", "label", "email_prefix", "monthly_cost_limit", "monthly_cost_used"),
            *("monthly_emails_limit", "monthly_emails_used", "custom_metadata", "metadata", "created_at", "updated_at"),
        )
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, dict[str, str]]] = {
            "id": {"help_text": "Its id."},
            "external_id": {"help_text": "The caller's own id for it; a copy of `id` where none was given."},
            "source": {"help_text": "Product that created it."},
            "label": {"help_text": "Its name for people."},
            "email_prefix": {"help_text": "Leading part of every generated inbox address."},
            "monthly_emails_limit": {"help_text": "Ceiling of e-mails for a month; null means none."},
            "monthly_emails_used": {"help_text": "E-mails received this month."},
            "custom_metadata": {"help_text": "Free data of the caller."},
            "metadata": {"help_text": "Free data of the caller's systems."},
        }


class WorkspaceViewSet(FamilyViewSet):
    """The workspaces of the caller's organizations. No workspace needs to be chosen for these operations."""

    family = "inbox.workspaces"
    roles: ClassVar[Mapping[str, Role]] = {"list": Role.VIEWER, "retrieve": Role.VIEWER}
    needs_workspace = False
    queryset = Workspace.objects.none()
    serializer_class: type[serializers.BaseSerializer] = WorkspaceSerializer
    id_description = "Id of the workspace, or its external_id."

    def get_queryset(self) -> Any:
        return Workspace.objects.reachable_by(person_of(self.request))
