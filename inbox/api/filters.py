"""Filtering of lists: django-filter, made strict. A parameter that is misspelt must not be silently dropped."""

import uuid
from collections.abc import Iterator
from typing import Any

import django_filters
from django import forms
from django.db import models
from django.http import QueryDict
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from inbox.api.serializers import UNKNOWN_PARAMETER, query_faults
from inbox.errors import NotFound
from inbox.intake.addresses import canonical
from inbox.models import Workspace


class AddressField(forms.CharField):
    """An e-mail address, in the form addresses are stored in."""

    def to_python(self, value: Any) -> str:
        given = super().to_python(value)
        found = canonical(given) if given else given
        if found is None:
            raise forms.ValidationError("Enter an e-mail address.")
        return str(found)


class AddressFilter(django_filters.CharFilter):
    field_class = AddressField


def text_filter(words: str) -> django_filters.CharFilter:
    """The ``q`` of a family: text to be contained, of three characters or more, which is what an index can find."""
    schema = {"type": "string", "minLength": 3, "maxLength": 200, "description": words}
    return extend_schema_field(schema)(django_filters.CharFilter(method="filter_by_text", min_length=3, max_length=200))


class StrictFilterSet(FilterSet):
    """The filters of one family."""

    @property
    def workspace(self) -> Workspace:
        found: Workspace = self.request.parser_context["view"].workspace
        return found

    def filter_by_id(self, queryset: Any, name: str, key: uuid.UUID) -> Any:
        """Rows that refer to one row of the workspace, named by id or external id; a deleted one keeps its history.

        Raises NotFound for an id that leads nowhere, another tenant's included.
        """
        model: type[models.Model] = queryset.model._meta.get_field(name).related_model
        found = model.objects.within(self.workspace).find(str(key))  # type: ignore[attr-defined]
        if found is None:
            raise NotFound
        return queryset.filter(**{name: found})


class StrictFilterBackend(DjangoFilterBackend):
    """Applies the view's ``filterset_class``; tells of every fault of the query string, page and filters, at once."""

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        """The rows that match. Raises ValidationError with a list of faults for each parameter."""
        filterset = self.get_filterset(request, queryset, view)
        faults = dict(self._faults(request.query_params, filterset, view))
        faults |= view.paginator.faults(request, view)
        if faults:
            raise ValidationError(faults)
        return queryset if filterset is None else filterset.qs

    def _faults(self, params: QueryDict, filterset: Any, view: Any) -> Iterator[tuple[str, list[str]]]:
        filters = filterset.filters if filterset is not None else {}
        known = {*filters, *view.paginator.parameters}
        yield from ((name, [UNKNOWN_PARAMETER]) for name in params if name not in known)
        repeatable = frozenset(
            name for name, each in filters.items() if isinstance(each, django_filters.MultipleChoiceFilter)
        )
        yield from ((name, found) for name, found in query_faults(params, repeatable).items() if name in known)
        if filterset is not None and not filterset.is_valid():
            yield from ((name, [str(fault) for fault in found]) for name, found in filterset.errors.items())
