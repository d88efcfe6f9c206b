"""Webhooks as JSON. Credentials come in and never go out; a signing secret goes out once."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from inbox import targets
from inbox.api.families.system_events import SLUGS
from inbox.api.fields import StrictCharField, StrictChoiceField, StrictUUIDField
from inbox.api.serializers import StrictModelSerializer, StrictSerializer
from inbox.models import Webhook, WebhookAuth, WebhookStatus
from inbox.services.credentials import NEEDED

MOST_EVENTS = 100
#: Headers of the request itself: a credential may not replace them.
TAKEN_HEADERS = frozenset(
    {
        *("connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive"),
        *("te", "trailer", "transfer-encoding", "upgrade", "user-agent"),
        *("webhook-id", "webhook-signature", "webhook-timestamp"),
    }
)
SHOWN_ONCE = "The secret its requests are signed with (Standard Webhooks). Shown this once: keep it."


@extend_schema_field({"type": "string", "format": "uri", "maxLength": targets.LONGEST})
class TargetField(StrictCharField):
    """An address that our servers may call."""

    def to_internal_value(self, data: Any) -> str:
        found = super().to_internal_value(data)
        try:
            targets.check(found)
        except targets.BadTarget as fault:
            raise ValidationError(str(fault)) from None
        return found


def _label(words: str, **options: Any) -> Any:
    # Any: a serializer's own `label` is a text, until its fields take the names of their class.
    return StrictCharField(help_text=words, **options)


def _target(**options: Any) -> TargetField:
    words = (
        "Address that events are sent to by POST: https, on the public internet, without user name and password,"
        f" {targets.LONGEST} characters at most."
    )
    return TargetField(help_text=words, **options)


def _events() -> serializers.ListField:
    words = f"Slugs of the events to send; empty means all. There are {SLUGS}. {MOST_EVENTS} entries at most."
    return serializers.ListField(
        child=StrictCharField(max_length=60), max_length=MOST_EVENTS, required=False, help_text=words
    )


def _inbox_id() -> StrictUUIDField:
    words = "Only events of this inbox, by id or external_id; null means those of the whole workspace."
    return StrictUUIDField(required=False, allow_null=True, help_text=words)


def _credential(words: str, longest: int, pattern: str, fault: str) -> StrictCharField:
    """A credential, which is taken as it is written."""
    return StrictCharField(
        required=False,
        trim_whitespace=False,
        max_length=longest,
        validators=[RegexValidator(pattern, fault)],
        help_text=f"{words} {fault} {longest} characters at most.",
    )


class AuthMixin(serializers.Serializer):
    """How requests authenticate at the target. Set when a webhook is made, and shown by no answer."""

    auth = StrictChoiceField(
        WebhookAuth.choices,
        required=False,
        help_text="How requests authenticate at the target, besides their signature; default `none`. `basic` needs"
        " `auth_basic_user` and `auth_basic_password`, `bearer` needs `auth_bearer_token`, `header` needs"
        " `auth_header_key` and `auth_header_value`.",
    )
    auth_basic_user = _credential(
        "User name, for `basic`.", 255, r"^[^\x00-\x1f\x7f:]+\Z", "No colon, no control characters."
    )
    auth_basic_password = _credential("Password, for `basic`.", 255, r"^[^\x00-\x1f\x7f]+\Z", "No control characters.")
    auth_bearer_token = _credential("Token, for `bearer`.", 4096, r"^[!-~]+\Z", "Visible ASCII characters only.")
    auth_header_key = _credential(
        "Name of the header, for `header`.", 100, r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z", "Characters of a header name only."
    )
    auth_header_value = _credential(
        "Value of the header, for `header`.",
        4096,
        r"^[!-~](?:[ -~]*[!-~])?\Z",
        "Visible ASCII characters, and spaces between them.",
    )

    def validate_auth_header_key(self, value: str) -> str:
        if value.lower() in TAKEN_HEADERS:
            raise ValidationError("This header is one that every request has.")
        return value


class WebhookCreateSerializer(StrictSerializer, AuthMixin):
    """A webhook to be made."""

    label = _label("Its name for people, 1 to 120 characters.", max_length=120)
    url = _target()
    external_id = StrictUUIDField(
        required=False, help_text="Your own id for it, a UUID that none of your webhooks has yet; default: its `id`."
    )
    inbox_id = _inbox_id()
    subscribed_events = _events()

    def to_internal_value(self, data: Any) -> Any:
        """Tells of credentials that are missing together with every other fault."""
        missing = self._missing(data) if isinstance(data, Mapping) else {}
        try:
            found = super().to_internal_value(data)
        except ValidationError as fault:
            detail = fault.detail
            raise ValidationError({**missing, **detail} if isinstance(detail, dict) else detail) from None
        if missing:
            raise ValidationError(missing)
        return found

    def _missing(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        auth = data.get("auth")
        needed = NEEDED.get(auth, ()) if isinstance(auth, str) else ()
        return {name: [str(self.fields[name].error_messages["required"])] for name in needed if name not in data}


class WebhookUpdateSerializer(StrictSerializer):
    """What is to be changed of a webhook. How it authenticates is set when it is made."""

    label = _label("Its name for people, not empty.", required=False)
    url = _target(required=False)
    status = StrictChoiceField(
        WebhookStatus.choices, required=False, help_text="An inactive webhook is sent nothing but tests and replays."
    )
    inbox_id = _inbox_id()
    subscribed_events = _events()


class WebhookUpsertSerializer(StrictSerializer, AuthMixin):
    """A webhook to be made, or what is to be changed of the one there is. What is left out keeps its value."""

    label = _label("Its name for people, 1 to 120 characters. Needed for a new one.", required=False, max_length=120)
    url = _target(required=False)
    status = StrictChoiceField(
        WebhookStatus.choices, required=False, help_text="An inactive webhook is sent nothing but tests and replays."
    )
    inbox_id = _inbox_id()
    subscribed_events = _events()


class WebhookSerializer(StrictModelSerializer):
    """A subscription: which events go to which address. Its credentials and its secret are never shown."""

    workspace_id = serializers.UUIDField(read_only=True, help_text="Workspace it belongs to.")
    inbox_id = serializers.UUIDField(
        read_only=True, allow_null=True, help_text="Inbox whose events are sent; null means the whole workspace."
    )
    url = serializers.CharField(read_only=True, help_text="Address that events are sent to by POST.")
    subscribed_events = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Slugs of the events that are sent; empty means all."
    )

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = (
            *("id", "external_id", "workspace_id", "inbox_id", "label", "url", "status", "auth", "subscribed_events"),
            *("consecutive_failures", "created_at", "updated_at"),
        )
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, dict[str, str]]] = {
            "id": {"help_text": "Its id."},
            "external_id": {"help_text": "The caller's own id for it; a copy of `id` where none was given."},
            "label": {"help_text": "Its name for people."},
            "status": {"help_text": "An inactive webhook is sent nothing but tests and replays."},
            "auth": {"help_text": "How requests authenticate at the target, besides their signature."},
            "consecutive_failures": {"help_text": "Deliveries that failed in a row; 0 after one that did not."},
        }


class WebhookSavedSerializer(WebhookSerializer):
    """A webhook that was just made, with its signing secret, which is not shown again."""

    signing_secret = serializers.CharField(read_only=True, help_text=SHOWN_ONCE)

    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "signing_secret")
        read_only_fields = fields


class SigningSecretSerializer(serializers.Serializer):
    """A webhook's new signing secret."""

    signing_secret = serializers.CharField(read_only=True, help_text=SHOWN_ONCE)
