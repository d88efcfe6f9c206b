"""Emails over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

import django_filters
from django.db import models
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from inbox.api.families.email_serializers import EmailDetailSerializer, EmailQuery, EmailSerializer
from inbox.api.filters import AddressFilter, StrictFilterSet, text_filter
from inbox.api.serializers import QuerySerializer
from inbox.api.views import FamilyViewSet
from inbox.models import Email, EmailStatus, Role


class EmailFilterSet(StrictFilterSet):
    status = django_filters.MultipleChoiceFilter(
        choices=EmailStatus.choices, help_text="Only e-mails in this status; repeat it for several."
    )
    inbox_id = django_filters.UUIDFilter(
        field_name="inbox", method="filter_by_id", help_text="Only e-mails of this inbox, by id or external_id."
    )
    agent_id = django_filters.UUIDFilter(
        field_name="agent",
        method="filter_by_id",
        help_text="Only e-mails of this agent, by id or external_id.",
    )
    from_ = extend_schema_field({"type": "string", "format": "email", "description": "Only e-mails of this sender."})(
        AddressFilter(field_name="sender")
    )
    received_after = django_filters.IsoDateTimeFilter(
        field_name="received_at", lookup_expr="gt", help_text="Only e-mails that arrived after this time (ISO 8601)."
    )
    received_before = django_filters.IsoDateTimeFilter(
        field_name="received_at", lookup_expr="lt", help_text="Only e-mails that arrived before this time (ISO 8601)."
    )
    q = text_filter("Only e-mails whose subject or sender contains this text.")

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        # "from" is a word of Python's and cannot name an attribute.
        return {("from" if name == "from_" else name): each for name, each in super().get_filters().items()}

    def filter_by_text(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(models.Q(subject__icontains=value) | models.Q(sender__icontains=value))


class EmailViewSet(FamilyViewSet):
    """The mail a workspace received, newest first."""

    family = "inbox.emails"
    roles: ClassVar[Mapping[str, Role]] = {"list": Role.VIEWER, "retrieve": Role.VIEWER}
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {"retrieve": EmailQuery}
    queryset = Email.objects.none()
    filterset_class = EmailFilterSet
    id_description = "Id of the e-mail."

    def get_queryset(self) -> Any:
        found = Email.objects.within(self.workspace)
        return found.without_body() if self.action == "list" else found

    def get_serializer_class(self) -> type[serializers.BaseSerializer]:
        return EmailSerializer if self.action == "list" else EmailDetailSerializer
