"""Webhooks over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

import django_filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.families.system_events import SystemEventSerializer
from inbox.api.families.webhook_serializers import (
    SigningSecretSerializer,
    WebhookCreateSerializer,
    WebhookSavedSerializer,
    WebhookSerializer,
    WebhookUpdateSerializer,
    WebhookUpsertSerializer,
)
from inbox.api.filters import StrictFilterSet
from inbox.api.schema import answers
from inbox.api.serializers import StrictSerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Role, Webhook, WebhookStatus
from inbox.services import webhooks


class WebhookFilterSet(StrictFilterSet):
    status = django_filters.ChoiceFilter(choices=WebhookStatus.choices, help_text="Only webhooks in this status.")
    inbox_id = django_filters.UUIDFilter(
        field_name="inbox",
        method="filter_by_id",
        help_text="Only webhooks for the events of this inbox alone, by id or external_id.",
    )


class WebhookViewSet(FamilyViewSet):
    """The subscriptions of a workspace, newest first."""

    family = "inbox.webhooks"
    roles: ClassVar[Mapping[str, Role]] = {
        "list": Role.VIEWER,
        "retrieve": Role.VIEWER,
        "test": Role.OPERATOR,
        "create": Role.ADMIN,
        "update": Role.ADMIN,
        "partial_update": Role.ADMIN,
        "destroy": Role.ADMIN,
        "regenerate_secret": Role.ADMIN,
    }
    queryset = Webhook.objects.none()
    serializer_class: type[serializers.BaseSerializer] = WebhookSerializer
    filterset_class = WebhookFilterSet
    id_description = "Id of the webhook, or its external_id."

    def get_queryset(self) -> Any:
        return Webhook.objects.live().within(self.workspace).without_secrets()

    @extend_schema(request=WebhookCreateSerializer, responses=answers(409, 422, _201=WebhookSavedSerializer))
    def create(self, request: Request) -> Response:
        """Makes a webhook. The answer holds its signing secret, which is never shown again."""
        given = self.body(WebhookCreateSerializer)
        return self._saved(webhooks.create(self.workspace, given, by=person_of(request)))

    @extend_schema(
        request=WebhookUpsertSerializer,
        responses=answers(409, 422, _200=WebhookSerializer, _201=WebhookSavedSerializer),
    )
    def update(self, request: Request, id: str) -> Response:
        """Changes the webhook of this external_id, or makes it. What is left out keeps its value.

        `auth` and its fields count for a new one; for an existing one they may only say what it has already.
        """
        external_id, given = self.external_id(), self.body(WebhookUpsertSerializer)
        return self._saved(webhooks.upsert(self.workspace, external_id, given, by=person_of(request)))

    @extend_schema(request=WebhookUpdateSerializer, responses=answers(409, 422, _200=WebhookSerializer))
    def partial_update(self, request: Request, id: str) -> Response:
        """Changes a webhook: its label, address, status, inbox or events. What is left out keeps its value."""
        webhook = self.get_object()
        given = self.body(WebhookUpdateSerializer)
        return self.one(webhooks.update(webhook, given, by=person_of(request)))

    def destroy(self, request: Request, id: str) -> Response:
        """Deletes a webhook: nothing more is sent to it, and what was waiting to be sent is cancelled."""
        webhooks.delete(self.get_object(), by=person_of(request))
        return Response(status=204)

    @extend_schema(request=None, responses=answers(_202=SystemEventSerializer))
    @action(detail=True, methods=["post"])
    def test(self, request: Request, id: str) -> Response:
        """Sends a `webhook.test` event to this webhook, whatever its status and events; see its deliveries for what
        became of it."""
        webhook = self.get_object()
        self.body(StrictSerializer)
        event = webhooks.test(webhook, by=person_of(request))
        return Response({"data": SystemEventSerializer(event).data}, 202)

    @extend_schema(request=None, responses=answers(_200=SigningSecretSerializer))
    @action(detail=True, methods=["post"], url_path="regenerate-secret")
    def regenerate_secret(self, request: Request, id: str) -> Response:
        """Replaces the signing secret: the old one signs nothing more, and the new one is shown this once."""
        webhook = self.get_object()
        self.body(StrictSerializer)
        secret = webhooks.regenerate_secret(webhook, by=person_of(request))
        return Response({"data": {"signing_secret": secret}})

    def _saved(self, saved: webhooks.Saved) -> Response:
        """201 for one that was made, with its secret; else 200."""
        shown = self.get_serializer(saved.webhook).data
        if saved.signing_secret is None:
            return Response({"data": shown})
        return Response({"data": {**shown, "signing_secret": saved.signing_secret}}, 201)
