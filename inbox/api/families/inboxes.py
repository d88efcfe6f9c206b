"""Inboxes over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

import django_filters
from django.db import models
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.families.inbox_serializers import (
    SENDER_PATTERN,
    InboxCreateSerializer,
    InboxSerializer,
    InboxUpdateSerializer,
    InboxUpsertSerializer,
    RecipientQuery,
    RecipientSerializer,
    RecipientsSerializer,
)
from inbox.api.filters import StrictFilterSet, text_filter
from inbox.api.schema import answers
from inbox.api.serializers import QuerySerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Inbox, InboxStatus, Role
from inbox.services import inboxes


class InboxFilterSet(StrictFilterSet):
    status = django_filters.ChoiceFilter(choices=InboxStatus.choices, help_text="Only inboxes in this status.")
    agent_id = django_filters.UUIDFilter(
        field_name="agent", method="filter_by_id", help_text="Only inboxes of this agent, by id or external_id."
    )
    q = text_filter("Only inboxes whose label or address contains this text.")

    def filter_by_text(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(models.Q(label__icontains=value) | models.Q(email__icontains=value))


#: Clients that cannot send a body with DELETE name the entry here; the documentation knows this way alone.
ENTRY = OpenApiParameter(
    "email",
    {"type": "string", "minLength": 2, "maxLength": 254, "pattern": SENDER_PATTERN},
    required=True,
    description="An e-mail address, or a whole domain as `@example.com`.",
)


class InboxViewSet(FamilyViewSet):
    """The e-mail addresses of a workspace, newest first."""

    family = "inbox.inboxes"
    roles: ClassVar[Mapping[str, Role]] = {
        "list": Role.VIEWER,
        "retrieve": Role.VIEWER,
        "create": Role.ADMIN,
        "update": Role.ADMIN,
        "partial_update": Role.ADMIN,
        "destroy": Role.ADMIN,
        "add_recipient": Role.ADMIN,
        "remove_recipient": Role.ADMIN,
    }
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {"remove_recipient": RecipientQuery}
    queryset = Inbox.objects.none()
    serializer_class: type[serializers.BaseSerializer] = InboxSerializer
    filterset_class = InboxFilterSet
    id_description = "Id of the inbox, or its external_id."

    def get_queryset(self) -> Any:
        return Inbox.objects.live().within(self.workspace)

    @extend_schema(request=InboxCreateSerializer, responses=answers(409, 422, _201=InboxSerializer))
    def create(self, request: Request) -> Response:
        """Makes an inbox: from now on mail to its address arrives in the workspace."""
        given = self.body(InboxCreateSerializer)
        return self.one(inboxes.create(self.workspace, given, by=person_of(request)), 201)

    @extend_schema(
        request=InboxUpsertSerializer, responses=answers(409, 422, _200=InboxSerializer, _201=InboxSerializer)
    )
    def update(self, request: Request, id: str) -> Response:
        """Changes the inbox of this external_id, or makes it. What is left out keeps its value.

        `email` and `allowed_recipients` count for a new one; for an existing one they may only say what it has already.
        """
        external_id, given = self.external_id(), self.body(InboxUpsertSerializer)
        inbox, is_new = inboxes.upsert(self.workspace, external_id, given, by=person_of(request))
        return self.one(inbox, 201 if is_new else 200)

    @extend_schema(request=InboxUpdateSerializer, responses=answers(409, 422, _200=InboxSerializer))
    def partial_update(self, request: Request, id: str) -> Response:
        """Changes an inbox: its label, agent, status, rules or attachment limits. What is left out keeps its value."""
        inbox = self.get_object()
        return self.one(inboxes.update(inbox, self.body(InboxUpdateSerializer), by=person_of(request)))

    def destroy(self, request: Request, id: str) -> Response:
        """Deletes an inbox: its address stops receiving mail for good; the mail it received stays readable."""
        inboxes.delete(self.get_object(), by=person_of(request))
        return Response(status=204)

    @extend_schema(
        request=RecipientSerializer, responses=answers(422, _200=RecipientsSerializer, _201=RecipientsSerializer)
    )
    @action(detail=True, methods=["post"], url_path="recipients")
    def add_recipient(self, request: Request, id: str) -> Response:
        """Lets one more address, or a whole domain, write to the inbox: 201 where it is new there, else 200."""
        inbox, given = self.get_object(), self.body(RecipientSerializer)
        found, is_new = inboxes.add_recipient(inbox, given["email"], by=person_of(request))
        return Response({"data": {"allowed_recipients": found}}, 201 if is_new else 200)

    @extend_schema(request=None, parameters=[ENTRY], responses=answers(_200=RecipientsSerializer))
    @add_recipient.mapping.delete
    def remove_recipient(self, request: Request, id: str) -> Response:
        """Takes one entry off the list of who may write; an empty list means anyone. The body's `email` wins over the
        query's."""
        inbox = self.get_object()
        given = self.body(RecipientSerializer) if request.data else self.query
        if "email" not in given:
            raise ValidationError({"email": ["Name it, in the body or in the query string."]})
        found = inboxes.remove_recipient(inbox, given["email"], by=person_of(request))
        return Response({"data": {"allowed_recipients": found}})
