"""Serializer fields as the API means them: strict about JSON types coming in, exact about them going out."""

from datetime import UTC, datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from inbox.models.base import as_uuid


class UTCDateTimeField(serializers.DateTimeField):
    """Times leave in UTC, with a ``Z``, whatever the time zone of the host."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, **kwargs)

    def to_internal_value(self, value: Any) -> datetime:
        return super().to_internal_value(_only(str, value, self))


class StrictCharField(serializers.CharField):
    """JSON strings only; DRF would turn a number into text."""

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_only(str, data, self))


class StrictEmailField(serializers.EmailField):
    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_only(str, data, self))


class StrictURLField(serializers.URLField):
    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_only(str, data, self))


class StrictChoiceField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(_only(str, data, self, "invalid_choice"))


class StrictIntegerField(serializers.IntegerField):
    """JSON integers only: neither "10" nor 10.0 nor true."""

    def to_internal_value(self, data: Any) -> int:
        return super().to_internal_value(_only(int, data, self))


class StrictBooleanField(serializers.BooleanField):
    """JSON booleans only: neither "yes" nor 1."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictUUIDField(serializers.UUIDField):
    """UUIDs in their usual form only; DRF would take integers and other spellings."""

    def to_internal_value(self, data: Any) -> Any:
        return as_uuid(data) if isinstance(data, str) and as_uuid(data) else self.fail("invalid", value=data)


@extend_schema_field({"type": "number"})
class NumberField(serializers.DecimalField):
    """Decimals that are JSON numbers on both sides."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)

    def to_representation(self, value: Any) -> Any:
        return float(value)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ObjectField(serializers.JSONField):
    """A free JSON object."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        found: Any = super().to_internal_value(data)
        return dict(found)


def _only(kind: type, value: Any, field: serializers.Field, error: str = "invalid") -> Any:
    """``value``, if JSON gave it as this type; else the field's own error. A boolean is no integer here."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        # The fields' messages differ in what they quote.
        field.fail(error, input=value, format="ISO 8601")
    return value
