"""Inboxes over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

import django_filters
from django.db import models
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.filters import StrictFilterSet, text_filter
from inbox.api.serializers import StrictModelSerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Inbox, InboxStatus, Role
from inbox.services import inboxes


class InboxSerializer(StrictModelSerializer):
    """An e-mail address that receives mail for a workspace."""

    workspace_id = serializers.UUIDField(read_only=True, help_text="Workspace it belongs to.")
    agent_id = serializers.UUIDField(
        read_only=True, allow_null=True, help_text="Agent that works on its mail; null means none."
    )
    allowed_recipients = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="Addresses that may write to it, or whole domains as `@example.com`; empty means anyone.",
    )
    filters = serializers.ListField(
        child=serializers.DictField(), read_only=True, help_text="Rules; a message that matches one is rejected."
    )

    class Meta:
        model = Inbox
        fields = (
            *("id", "external_id", "workspace_id", "agent_id", "label", "email", "status", "allowed_recipients"),
            *("filters", "attachments_allow", "attachments_max_file_number", "attachments_max_file_size"),
            *("attachments_max_total_size", "custom_metadata", "metadata", "created_at", "updated_at"),
        )
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, dict[str, str]]] = {
            "id": {"help_text": "Its id."},
            "external_id": {"help_text": "The caller's own id for it; a copy of `id` where none was given."},
            "label": {"help_text": "Its name for people."},
            "email": {"help_text": "The address."},
            "status": {"help_text": "An inactive inbox rejects its mail."},
            "attachments_allow": {"help_text": "Whether messages may have attachments."},
            "attachments_max_file_number": {"help_text": "Most attachments of one message."},
            "attachments_max_file_size": {"help_text": "Biggest attachment, in bytes."},
            "attachments_max_total_size": {"help_text": "Biggest sum of the attachments of one message, in bytes."},
            "custom_metadata": {"help_text": "Free data."},
            "metadata": {"help_text": "Free data."},
        }


class InboxFilterSet(StrictFilterSet):
    status = django_filters.ChoiceFilter(choices=InboxStatus.choices, help_text="Only inboxes in this status.")
    agent_id = django_filters.UUIDFilter(
        field_name="agent", method="filter_by_id", help_text="Only inboxes of this agent, by id or external_id."
    )
    q = text_filter("Only inboxes whose label or address contains this text.")

    def filter_by_text(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(models.Q(label__icontains=value) | models.Q(email__icontains=value))


class InboxViewSet(FamilyViewSet):
    """The e-mail addresses of a workspace."""

    family = "inbox.inboxes"
    roles: ClassVar[Mapping[str, Role]] = {"list": Role.VIEWER, "retrieve": Role.VIEWER, "destroy": Role.ADMIN}
    queryset = Inbox.objects.none()
    serializer_class: type[serializers.BaseSerializer] = InboxSerializer
    filterset_class = InboxFilterSet
    id_description = "Id of the inbox, or its external_id."

    def get_queryset(self) -> Any:
        return Inbox.objects.live().within(self.workspace)

    def destroy(self, request: Request, id: str) -> Response:
        """Deletes an inbox: its address stops receiving mail for good; the mail it received stays readable."""
        inboxes.delete(self.get_object(), by=person_of(request))
        return Response(status=204)
