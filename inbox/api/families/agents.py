"""Agents over REST."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.fields import StrictCharField, StrictURLField, StrictUUIDField
from inbox.api.filters import StrictFilterSet, text_filter
from inbox.api.schema import answers
from inbox.api.serializers import StrictModelSerializer, StrictSerializer
from inbox.api.views import FamilyViewSet
from inbox.api.workspaces import person_of
from inbox.models import Agent, Role
from inbox.services import agents


class AgentSerializer(StrictModelSerializer):
    """A language model with a system message, which works on the mail of the inboxes that name it."""

    workspace_id = serializers.UUIDField(read_only=True, help_text="Workspace it belongs to.")
    skills_repo = serializers.CharField(
        read_only=True, allow_null=True, help_text="Address of a repository of skills; null means none."
    )

    class Meta:
        model = Agent
        fields = (
            *("id", "external_id", "workspace_id", "label", "llm_model", "system_message", "skills_repo"),
            *("created_at", "updated_at"),
        )
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, dict[str, str]]] = {
            "id": {"help_text": "Its id."},
            "external_id": {"help_text": "The caller's own id for it; a copy of `id` where none was given."},
            "label": {"help_text": "Its name for people."},
            "llm_model": {"help_text": "Model it uses."},
            "system_message": {"help_text": "What the model is told before every message."},
        }


class AgentUpdateSerializer(StrictSerializer):
    """What is to be changed of an agent."""

    label = StrictCharField(required=False, help_text="Its name for people, not empty.")  # type: ignore[assignment]
    llm_model = StrictCharField(required=False, help_text="Model it uses, as its provider names it; not empty.")
    system_message = StrictCharField(
        required=False, allow_blank=True, help_text="What the model is told before every message; may be empty."
    )
    skills_repo = StrictURLField(
        required=False,
        allow_null=True,
        max_length=2000,
        help_text="Address of a repository of skills, 2000 characters at most; null means none.",
    )


class AgentUpsertSerializer(AgentUpdateSerializer):
    """An agent to be made, or what is to be changed of the one there is. What is left out keeps its value."""

    system_message = StrictCharField(
        required=False, help_text="What the model is told before every message; not empty. Needed for a new one."
    )


class AgentCreateSerializer(AgentUpsertSerializer):
    """An agent to be made."""

    label = StrictCharField(help_text="Its name for people, not empty.")  # type: ignore[assignment]
    llm_model = StrictCharField(help_text="Model it uses, as its provider names it; not empty.")
    system_message = StrictCharField(help_text="What the model is told before every message; not empty.")
    external_id = StrictUUIDField(
        required=False, help_text="Your own id for it, a UUID that none of your agents has yet; default: its `id`."
    )


class AgentFilterSet(StrictFilterSet):
    q = text_filter("Only agents whose label contains this text.")

    def filter_by_text(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.filter(label__icontains=value)


class AgentViewSet(FamilyViewSet):
    """The agents of a workspace, newest first."""

    family = "inbox.agents"
    roles: ClassVar[Mapping[str, Role]] = {
        "list": Role.VIEWER,
        "retrieve": Role.VIEWER,
        "create": Role.ADMIN,
        "update": Role.ADMIN,
        "partial_update": Role.ADMIN,
        "destroy": Role.ADMIN,
    }
    queryset = Agent.objects.none()
    serializer_class: type[serializers.BaseSerializer] = AgentSerializer
    filterset_class = AgentFilterSet
    id_description = "Id of the agent, or its external_id."

    def get_queryset(self) -> Any:
        return Agent.objects.live().within(self.workspace)

    @extend_schema(request=AgentCreateSerializer, responses=answers(409, 422, _201=AgentSerializer))
    def create(self, request: Request) -> Response:
        """Makes an agent. Name it in an inbox's `agent_id` to have it work."""
        given = self.body(AgentCreateSerializer)
        return self.one(agents.create(self.workspace, given, by=person_of(request)), 201)

    @extend_schema(
        request=AgentUpsertSerializer, responses=answers(409, 422, _200=AgentSerializer, _201=AgentSerializer)
    )
    def update(self, request: Request, id: str) -> Response:
        """Changes the agent of this external_id, or makes it. What is left out keeps its value."""
        external_id, given = self.external_id(), self.body(AgentUpsertSerializer)
        agent, is_new = agents.upsert(self.workspace, external_id, given, by=person_of(request))
        return self.one(agent, 201 if is_new else 200)

    @extend_schema(request=AgentUpdateSerializer, responses=answers(409, 422, _200=AgentSerializer))
    def partial_update(self, request: Request, id: str) -> Response:
        """Changes an agent. What is left out keeps its value; runs that have begun keep what they began with."""
        agent = self.get_object()
        return self.one(agents.update(agent, self.body(AgentUpdateSerializer), by=person_of(request)))

    def destroy(self, request: Request, id: str) -> Response:
        """Deletes an agent: its inboxes keep receiving, and nothing works on their mail."""
        agents.delete(self.get_object(), by=person_of(request))
        return Response(status=204)
