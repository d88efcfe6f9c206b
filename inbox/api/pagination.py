"""Newest-first pages with signed keyset cursors: page one million costs what page one costs."""

import hashlib
import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from inbox.api.workspaces import person_of

SALT = "inbox.api.cursor"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class KeysetPagination(BasePagination):
    """``limit`` and ``cursor``. A cursor holds the last row's (created_at, id) and fits one list of one caller only."""

    default_limit = 50
    max_limit = 200
    parameters = ("limit", "cursor")

    def faults(self, request: Request, view: Any) -> dict[str, list[str]]:
        """What is wrong with ``limit`` and ``cursor``, by name, so that a view can tell every fault at once."""
        found = {}
        for name, read in (("limit", self._limit), ("cursor", self._after)):
            try:
                read(request, view)
            except ValueError as fault:
                found[name] = [str(fault)]
        return found

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of one page. Raises ValidationError for a bad limit or cursor."""
        if faults := self.faults(request, view):
            raise ValidationError(faults)
        limit, after = self._limit(request, view), self._after(request, view)
        rows = queryset.newest_first()
        found = list((rows.older_than(*after) if after else rows)[: limit + 1])
        has_more = len(found) > limit
        self.next_cursor = self._cursor(found[limit - 1], request, view) if has_more else None
        return found[:limit]

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"data": data, "meta": {"next_cursor": self.next_cursor}})

    def _limit(self, request: Request, view: Any) -> int:
        text = request.query_params.get("limit", str(self.default_limit))
        # Five digits at most: int() would take a second over a million, and refuse 4,301.
        if text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= self.max_limit:
            return int(text)
        raise ValueError(f"Must be a whole number from 1 to {self.max_limit}.")

    def _after(self, request: Request, view: Any) -> tuple[datetime, uuid.UUID] | None:
        cursor = request.query_params.get("cursor")
        if cursor is None:
            return None
        try:
            microseconds, key, fingerprint = signing.loads(cursor, salt=SALT)
        except (signing.BadSignature, ValueError, TypeError):
            raise ValueError("This is no cursor of this API: pass meta.next_cursor back unchanged.") from None
        if fingerprint != _fingerprint(request, view):
            raise ValueError("This cursor belongs to another list: begin again without a cursor.")
        return EPOCH + microseconds * MICROSECOND, uuid.UUID(key)

    def _cursor(self, row: Any, request: Request, view: Any) -> str:
        moment = (row.created_at - EPOCH) // MICROSECOND
        return signing.dumps([moment, row.pk.hex, _fingerprint(request, view)], salt=SALT)

    def get_paginated_response_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The shape of a page, for the API's documentation."""
        cursor = {
            "type": ["string", "null"],
            "description": "Pass it as `cursor` for the next page; null at the end.",
        }
        meta = {"type": "object", "required": ["next_cursor"], "properties": {"next_cursor": cursor}}
        return {"type": "object", "required": ["data", "meta"], "properties": {"data": schema, "meta": meta}}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The query parameters, for the API's documentation."""
        limit = {"type": "integer", "minimum": 1, "maximum": self.max_limit, "default": self.default_limit}
        words = {
            "limit": "How many rows to return at most.",
            "cursor": "Where to go on: the previous page's `meta.next_cursor`, unchanged, with the same filters.",
        }
        return [
            {"name": name, "in": "query", "required": False, "description": words[name], "schema": schema}
            for name, schema in (("limit", limit), ("cursor", {"type": "string"}))
        ]


def _fingerprint(request: Request, view: Any) -> str:
    """Whose list this is, of what, with which filters; the page size may change on the way."""
    filters = sorted((name, values) for name, values in request.query_params.lists() if name not in ("limit", "cursor"))
    workspace = view.workspace.pk.hex if view.needs_workspace else ""
    told = json.dumps([view.family, view.kwargs, person_of(request).pk.hex, workspace, filters])
    return hashlib.sha256(told.encode()).hexdigest()[:32]
