"""Inboxes as JSON: what comes in, and what goes out."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from inbox.api.fields import StrictBooleanField, StrictCharField, StrictChoiceField, StrictIntegerField, StrictUUIDField
from inbox.api.serializers import QuerySerializer, StrictModelSerializer, StrictSerializer
from inbox.intake.addresses import canonical
from inbox.models import Inbox, InboxStatus

MOST_SENDERS = 1000
MOST_RULES = 50
LONGEST_VALUE = 200
BIGGEST = 2**31 - 1
#: field of a rule -> the operators it may have, and the type of its value.
RULES: dict[str, tuple[tuple[str, ...], type[Any]]] = {
    "to": (("equals", "contains"), str),
    "subject": (("equals", "contains"), str),
    "has_attachment": (("equals",), bool),
    "size": (("over",), int),
}


@extend_schema_field({"type": "string", "format": "email", "maxLength": 254})
class AddressField(StrictCharField):
    """An e-mail address, taken in the form addresses are stored in."""

    def to_internal_value(self, data: Any) -> str:
        found = canonical(super().to_internal_value(data))
        if found is None or len(found) > 254:
            raise ValidationError("Enter an e-mail address.")
        return found


#: What every entry fits; whether it is an address is no matter of a pattern.
SENDER_PATTERN = r"^\s*[^@\s]*@[^@\s]+\s*$"


@extend_schema_field({"type": "string", "minLength": 2, "maxLength": 254, "pattern": SENDER_PATTERN})
class SenderField(AddressField):
    """Who may write: an address, or a whole domain as ``@example.com``."""

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and data.strip().startswith("@"):
            return "@" + super().to_internal_value("x" + data.strip()).rpartition("@")[2]
        return super().to_internal_value(data)


@extend_schema_field(
    {"oneOf": [{"type": "string", "maxLength": LONGEST_VALUE}, {"type": "integer"}, {"type": "boolean"}]}
)
class ValueField(serializers.JSONField):
    """What a rule compares with."""


class RuleSerializer(StrictSerializer):
    """A rule: a message that it fits is rejected."""

    field = StrictChoiceField(list(RULES), help_text="What is looked at; `size` is the whole message's, in bytes.")
    op = StrictChoiceField(
        ["equals", "contains", "over"],
        help_text="`equals` and `contains` for `to` and `subject`, `equals` for `has_attachment`, `over` for `size`.",
    )
    value = ValueField(
        help_text=f"A text of 1 to {LONGEST_VALUE} characters, compared without regard to case; `true` or `false` for"
        " `has_attachment`; a number of bytes for `size`."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        ops, kind = RULES[attrs["field"]]
        value: Any = attrs["value"]
        faults: dict[str, list[str]] = {}
        if attrs["op"] not in ops:
            faults["op"] = [f"Must be {' or '.join(ops)} for {attrs['field']}."]
        if not _is(kind, value) or (kind is str and not 0 < len(value) <= LONGEST_VALUE) or "\0" in str(value):
            faults["value"] = [f"Is no value for {attrs['field']}."]
        elif kind is int and not 0 <= value <= BIGGEST:
            faults["value"] = [f"Must be between 0 and {BIGGEST}."]
        if faults:
            raise ValidationError(faults)
        return attrs


def _is(kind: type, value: Any) -> bool:
    """Whether JSON gave ``value`` as this very type: a boolean is no integer here."""
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


def _limit(words: str) -> StrictIntegerField:
    return StrictIntegerField(required=False, min_value=1, max_value=BIGGEST, help_text=words)


class InboxUpdateSerializer(StrictSerializer):
    """What is to be changed of an inbox. Who may write to it is changed by the two recipient operations only."""

    label: Any = StrictCharField(required=False, max_length=120, help_text="Its name for people, 1 to 120 characters.")
    agent_id = StrictUUIDField(
        required=False, allow_null=True, help_text="Agent that works on its mail, by id or external_id; null: none."
    )
    status: Any = StrictChoiceField(
        InboxStatus.choices, required=False, help_text="An inactive inbox rejects its mail."
    )
    filters = serializers.ListField(
        child=RuleSerializer(),
        required=False,
        max_length=MOST_RULES,
        help_text=f"All its rules, {MOST_RULES} at most; a message that one of them fits is rejected.",
    )
    attachments_allow = StrictBooleanField(required=False, help_text="Whether messages may have attachments.")
    attachments_max_file_number = _limit("Most attachments of one message, at least 1.")
    attachments_max_file_size = _limit("Biggest attachment, in bytes, at least 1.")
    attachments_max_total_size = _limit("Biggest sum of the attachments of one message, in bytes, at least 1.")


class InboxUpsertSerializer(InboxUpdateSerializer):
    """An inbox to be made, or what is to be changed of the one there is. What is left out keeps its value."""

    email = AddressField(required=False, help_text="Its address; default: one made from the label. Fixed once made.")
    allowed_recipients = serializers.ListField(
        child=SenderField(),
        required=False,
        max_length=MOST_SENDERS,
        help_text="Addresses that may write to it, or whole domains as `@example.com`; empty means anyone."
        f" {MOST_SENDERS} at most. Of an existing inbox it is changed by the two recipient operations only.",
    )

    def validate_allowed_recipients(self, value: list[str]) -> list[str]:
        return list(dict.fromkeys(value))


class InboxCreateSerializer(InboxUpsertSerializer):
    """An inbox to be made."""

    status: Any = None
    label: Any = StrictCharField(max_length=120, help_text="Its name for people, 1 to 120 characters.")
    external_id = StrictUUIDField(
        required=False, help_text="Your own id for it, a UUID that none of your inboxes has yet; default: its `id`."
    )


class RecipientSerializer(StrictSerializer):
    """One entry of the list of who may write to an inbox."""

    email = SenderField(help_text="An e-mail address, or a whole domain as `@example.com`.")


class RecipientQuery(QuerySerializer):
    """The same, in the query string."""

    email = SenderField(required=False, help_text="An e-mail address, or a whole domain as `@example.com`.")


class RecipientsSerializer(serializers.Serializer):
    """Who may write to an inbox."""

    allowed_recipients = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="The list afterwards; empty means anyone."
    )


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
