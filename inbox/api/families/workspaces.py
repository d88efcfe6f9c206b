"""Workspaces over REST."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.families.workspace_serializers import (
    UsageSerializer,
    WorkspaceCreateSerializer,
    WorkspaceSerializer,
    WorkspaceUpdateSerializer,
)
from inbox.api.fields import StrictCharField
from inbox.api.schema import answers
from inbox.api.serializers import QuerySerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Role, Workspace
from inbox.services import workspaces

MONTH = RegexValidator(r"\A(?!0000)[0-9]{4}-(0[1-9]|1[0-2])\Z", "Enter a month as 2026-07.")


class UsageQuery(QuerySerializer):
    """Which month."""

    month = StrictCharField(
        required=False, validators=[MONTH], help_text="A month (UTC) as `2026-07`; default: this one."
    )


class WorkspaceViewSet(FamilyViewSet):
    """The workspaces of the caller's organizations. No workspace needs to be chosen for these operations."""

    family = "inbox.workspaces"
    roles: ClassVar[Mapping[str, Role]] = {
        "list": Role.VIEWER,
        "retrieve": Role.VIEWER,
        "usage": Role.VIEWER,
        "create": Role.OWNER,
        "partial_update": Role.OWNER,
        "destroy": Role.OWNER,
    }
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {"usage": UsageQuery}
    needs_workspace = False
    queryset = Workspace.objects.none()
    serializer_class: type[serializers.BaseSerializer] = WorkspaceSerializer
    id_description = "Id of the workspace, or its external_id."

    def get_queryset(self) -> Any:
        return Workspace.objects.reachable_by(person_of(self.request))

    @extend_schema(request=WorkspaceCreateSerializer, responses=answers(409, 422, _201=WorkspaceSerializer))
    def create(self, request: Request) -> Response:
        """Makes a workspace in an organization that the caller owns."""
        return self.one(workspaces.create(self.body(WorkspaceCreateSerializer), by=person_of(request)), 201)

    @extend_schema(request=WorkspaceUpdateSerializer, responses=answers(409, 422, _200=WorkspaceSerializer))
    def partial_update(self, request: Request, id: str) -> Response:
        """Changes a workspace: its label, prefix, limits or free data. What is left out keeps its value."""
        workspace = self.get_object()
        return self.one(workspaces.update(workspace, self.body(WorkspaceUpdateSerializer)))

    def destroy(self, request: Request, id: str) -> Response:
        """Deletes a workspace: everything in it is out of reach, its inboxes stop receiving and its webhooks stop."""
        workspaces.delete(self.get_object())
        return Response(status=204)

    @extend_schema(responses=answers(_200=UsageSerializer))
    @action(detail=True, methods=["get"])
    def usage(self, request: Request, id: str) -> Response:
        """What the workspace received and spent in a month against its limits, by day and by inbox."""
        workspace = self.get_object()
        named = self.query.get("month")
        month = date.fromisoformat(f"{named}-01") if named else datetime.now(UTC).date()
        return Response({"data": UsageSerializer(workspaces.usage(workspace, month)).data})
