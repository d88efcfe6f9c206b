"""The two ways the endpoint answers over HTTP: a payload, or a refusal. Middleware and view both go through here."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from kobana_mcp.protocol import messages
from kobana_mcp.protocol.encoding import encode
from kobana_mcp.protocol.errors import MCPError


def answer(
    payload: Mapping[str, Any] | None, status: int = 200, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """One JSON object on one line, never to be stored.

    Args:
        payload: what to send; None for an empty body without a media type, as 202 and 204 want it.
        status: the HTTP status.
        headers: further headers of the answer.
    """
    body = b"" if payload is None else encode(payload)
    response = HttpResponse(body, status=status, content_type="application/json")
    if payload is None:
        del response.headers["Content-Type"]
    response.headers["Cache-Control"] = "no-store"
    for name, value in (headers or {}).items():
        response.headers[name] = value
    return response


def refuse(error: MCPError, request_id: str | int | None = None, status: int | None = None) -> HttpResponse:
    """A JSON-RPC error, with the headers that belong to it.

    Args:
        error: what went wrong.
        request_id: the message's id; without one, the id the error carries, if any.
        status: the HTTP status where the era has its own word on it; else the error's.
    """
    payload = messages.error(error, request_id)
    return answer(payload, error.http_status if status is None else status, error.headers)
