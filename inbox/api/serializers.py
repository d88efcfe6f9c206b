"""The two kinds of serializers every family builds on: bodies and query strings. Both refuse what they do not know."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from inbox.api import fields

UNKNOWN = "There is no such field."
UNKNOWN_PARAMETER = "There is no such parameter."
REPEATED = "May be given only once."
EMPTY = "May not be empty."


class StrictMixin:
    """Refuses keys that are no writable field, and tells of them together with every other fault."""

    unknown = UNKNOWN

    def to_internal_value(self, data: Any) -> Any:
        writable = {name for name, field in self.fields.items() if not field.read_only}  # type: ignore[attr-defined]
        strange = (
            {str(name): [self.unknown] for name in data if name not in writable} if isinstance(data, Mapping) else {}
        )
        try:
            found = super().to_internal_value(data)  # type: ignore[misc]
        except ValidationError as fault:
            raise ValidationError({**_by_field(fault), **strange} if strange else fault.detail) from None
        if strange:
            raise ValidationError(strange)
        return found


class StrictSerializer(StrictMixin, serializers.Serializer):
    """A body made of declared fields."""


class StrictModelSerializer(StrictMixin, serializers.ModelSerializer):
    """A resource. Fields made from the model are strict about JSON types."""

    serializer_field_mapping: ClassVar[dict[type[models.Field], type[serializers.Field]]] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: fields.StrictCharField,
        models.TextField: fields.StrictCharField,
        models.EmailField: fields.StrictEmailField,
        models.URLField: fields.StrictURLField,
        models.UUIDField: fields.StrictUUIDField,
        models.BooleanField: fields.StrictBooleanField,
        models.PositiveIntegerField: fields.StrictIntegerField,
        models.DecimalField: fields.NumberField,
        models.JSONField: fields.ObjectField,
        models.DateTimeField: fields.UTCDateTimeField,
    }
    serializer_choice_field = fields.StrictChoiceField


class QuerySerializer(StrictMixin, serializers.Serializer):
    """The query string of an operation that is no list. Itself it takes no parameter at all."""

    unknown = UNKNOWN_PARAMETER

    def to_internal_value(self, data: QueryDict) -> Any:
        faults = query_faults(data)
        try:
            found = super().to_internal_value(data.dict())
        except ValidationError as fault:
            raise ValidationError({**faults, **_by_field(fault)}) from None
        if faults:
            raise ValidationError(faults)
        return found


def _by_field(fault: ValidationError) -> dict[str, Any]:
    return dict(fault.detail) if isinstance(fault.detail, dict) else {}


def query_faults(params: QueryDict, repeatable: frozenset[str] = frozenset()) -> dict[str, list[str]]:
    """What is wrong with a query string before any value is read: a parameter left empty, or given twice."""
    faults = {}
    for name, values in params.lists():
        if not all(values):
            faults[name] = [EMPTY]
        elif len(values) > 1 and name not in repeatable:
            faults[name] = [REPEATED]
    return faults
