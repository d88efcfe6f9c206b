"""Reads JSON bodies; what Python's reader cannot stand is the sender's fault too."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class StrictJSONParser(JSONParser):
    """One JSON document in UTF-8. NaN, Infinity and nesting beyond Python's depth are refused."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value of the body. Raises ParseError."""
        try:
            return super().parse(stream, "application/json", {**(parser_context or {}), "encoding": "utf-8"})
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None


class AlwaysJSON(BaseContentNegotiation):
    """Answers are JSON, whatever ``Accept`` or ``?format=`` say: there is nothing to choose from."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        given = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == given), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
