"""What drf-spectacular cannot see by itself: envelopes, errors, path ids, query strings, the workspace header."""

from functools import cache
from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from inbox.api.serializers import StrictMixin
from inbox.api.workspaces import HEADER

WORKSPACE = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="Workspace to act on, by id or external_id. Needed by a person with access to several.",
)


VERBS = {
    "list": "list",
    "retrieve": "get",
    "create": "create",
    "update": "upsert",
    "partial_update": "update",
    "destroy": "delete",
}
#: (family, action) -> id of an operation that has a name of its own.
OPERATION_IDS = {
    ("workspace", "usage"): "get-workspace-usage",
    ("inbox", "add_recipient"): "add-allowed-recipient",
    ("inbox", "remove_recipient"): "remove-allowed-recipient",
    ("email", "eml"): "download-original-eml",
    ("email", "reprocess"): "reprocess-email",
    ("webhook", "test"): "send-a-webhook-test-event",
    ("webhook", "regenerate_secret"): "regenerate-the-signing-secret",
    ("webhook-delivery", "replay"): "replay-a-webhook-delivery",
}


def _plural(name: str) -> str:
    return {"inbox": "inboxes", "webhook-delivery": "webhook-deliveries"}.get(name, f"{name}s")


class ErrorDetail(serializers.Serializer):
    """What went wrong."""

    code = serializers.CharField(help_text="Machine-readable, such as `validation_failed`.")
    message = serializers.CharField(help_text="One sentence for people.")
    details = serializers.JSONField(required=False, help_text="For `validation_failed`: `formErrors`, `fieldErrors`.")


class ErrorSerializer(serializers.Serializer):
    """The body of every error."""

    error = ErrorDetail()


class TrimmedText(OpenApiSerializerFieldExtension):
    """A text that is trimmed and may not be empty has something in it that is no space."""

    target_class = "inbox.api.fields.StrictCharField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        found: dict[str, Any] = auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)
        field: Any = self.target
        has_pattern = any(isinstance(each, RegexValidator) for each in field.validators)
        if direction == "request" and field.trim_whitespace and not field.allow_blank and not has_pattern:
            found["pattern"] = r"\S"
        return found


class BearerScheme(OpenApiAuthenticationExtension):
    """How the documentation shows the token; the scope of each operation stands beside it."""

    target_class = "inbox.api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An access token issued for this API."}

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        """OpenAPI 3.1 lets an http scheme name the scopes an operation needs (section 4.8.30)."""
        access = "read" if auto_schema.method in SAFE_METHODS else "write"
        return {self.name: [f"{auto_schema.view.family}:{access}"]}


class InboxSchema(AutoSchema):
    """Documents a view of inbox.api.views."""

    view: Any

    def get_operation_id(self) -> str:
        """As the public API names it: ``list-webhooks``, ``get-webhook``."""
        name, action = self.view.basename, self.view.action
        verb = VERBS.get(action)
        return f"{verb}-{_plural(name) if action == 'list' else name}" if verb else OPERATION_IDS[name, action]

    def get_summary(self) -> str:
        return self.get_operation_id().replace("-", " ").capitalize()

    def get_tags(self) -> list[str]:
        return [_plural(self.view.basename).replace("-", " ").capitalize()]

    def get_override_parameters(self) -> list[Any]:
        found = [WORKSPACE] if self.view.needs_workspace else []
        if self._names_a_row():
            words = self.view.id_description
            found.append(OpenApiParameter("id", OpenApiTypes.UUID, OpenApiParameter.PATH, description=words))
        return [*found, *filter(None, [self.view.query_serializers.get(self.view.action)])]

    def get_response_serializers(self) -> Any:
        """The answer of an operation with the errors it may give."""
        found: Any = super().get_response_serializers()
        if isinstance(found, dict):
            return found
        if self.method == "DELETE":
            good: dict[int, Any] = {204: None}
        elif self.view.action == "list":
            good = {200: type(found)(many=True)}
        else:
            good = {201 if self._is_create_operation() else 200: enveloped(found.__class__)}
        return good | dict.fromkeys(self._error_codes(), ErrorSerializer)

    def _postprocess_serializer_schema(self, schema: Any, serializer: Any, direction: Any) -> Any:
        """A body takes no other fields than these. Fields that an answer may leave out are not required, which
        drf-spectacular takes read-only ones to be."""
        found = super()._postprocess_serializer_schema(schema, serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "request" and isinstance(serializer, StrictMixin):
            found["additionalProperties"] = False
        optional = getattr(getattr(serializer, "Meta", None), "optional_fields", ())
        if optional:
            found["required"] = [name for name in found["required"] if name not in optional]
        return found

    def _error_codes(self) -> list[int]:
        written = [409, 413, 415, 422] if self.method in ("POST", "PUT", "PATCH") else []
        return [400, 401, 403, 404, *written]

    def _names_a_row(self) -> bool:
        return "{id}" in self.path


@cache
def enveloped(serializer: type[serializers.BaseSerializer]) -> serializers.Serializer:
    """The ``{"data": ...}`` around one resource."""
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(f"{name}Envelope", {"data": serializer()})


def answers(*errors: int, **by_status: Any) -> dict[int, Any]:
    """The documented answers of an operation that writes: ``answers(409, _201=WebhookSerializer)``."""
    good = {int(status[1:]): each and enveloped(each) for status, each in by_status.items()}
    return good | dict.fromkeys((400, 401, 403, 404, 413, 415, *errors), ErrorSerializer)
