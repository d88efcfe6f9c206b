"""Emails over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

import django_filters
from django.core.files.storage import default_storage
from django.db import models
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.families.email_serializers import EmailDetailSerializer, EmailQuery, EmailSerializer
from inbox.api.filters import AddressFilter, StrictFilterSet, text_filter
from inbox.api.schema import answers
from inbox.api.serializers import QuerySerializer, StrictSerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.errors import NotFound
from inbox.models import Email, EmailStatus, Role
from inbox.services import emails


class EmailFilterSet(StrictFilterSet):
    status = django_filters.MultipleChoiceFilter(
        choices=EmailStatus.choices,
        distinct=False,  # no row can match twice, and to make sure of that the database would sort them all
        help_text="Only e-mails in this status; repeat it for several.",
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
    roles: ClassVar[Mapping[str, Role]] = {
        "list": Role.VIEWER,
        "retrieve": Role.VIEWER,
        "eml": Role.VIEWER,
        "reprocess": Role.OPERATOR,
    }
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {"retrieve": EmailQuery}
    queryset = Email.objects.none()
    filterset_class = EmailFilterSet
    id_description = "Id of the e-mail."

    def get_queryset(self) -> Any:
        found = Email.objects.within(self.workspace)
        return found.without_body() if self.action == "list" else found

    def get_serializer_class(self) -> type[serializers.BaseSerializer]:
        return EmailSerializer if self.action == "list" else EmailDetailSerializer

    @extend_schema(responses={(200, "message/rfc822"): OpenApiTypes.BINARY, **answers()})
    @action(detail=True, methods=["get"])
    def eml(self, request: Request, id: str) -> HttpResponse:
        """The message as it was received, byte for byte."""
        email = self.get_object()
        try:
            with default_storage.open(email.raw_s3_key) as raw:
                octets = raw.read()
        except OSError:
            raise NotFound("The original of this e-mail is no longer there.") from None
        disposition = f'attachment; filename="{email.pk}.eml"'
        return HttpResponse(octets, content_type="message/rfc822", headers={"Content-Disposition": disposition})

    @extend_schema(request=None, responses=answers(_202=EmailDetailSerializer))
    @action(detail=True, methods=["post"])
    def reprocess(self, request: Request, id: str) -> Response:
        """Has an e-mail processed again, from the beginning and whatever its status; the work goes on in the
        background: read the e-mail later for what became of it."""
        email = self.get_object()
        self.body(StrictSerializer)
        return self.one(emails.request_reprocess(email, by=person_of(request)), 202)
