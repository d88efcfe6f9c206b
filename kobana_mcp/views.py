"""The one endpoint. Its ``post`` is the table of contents of everything that happens to a message."""

import logging
import uuid
from collections.abc import Mapping
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from kobana_mcp import ratelimit, wire
from kobana_mcp.access.bearer import Principal, authenticate
from kobana_mcp.access.resources import endpoint
from kobana_mcp.context import Context
from kobana_mcp.dispatch import dispatch
from kobana_mcp.protocol import messages
from kobana_mcp.protocol.eras import Revision, classify, refuse_unspoken
from kobana_mcp.protocol.errors import InvalidToken, MCPError, MethodNotAllowed, Unavailable, UnsupportedMediaType
from kobana_mcp.protocol.messages import Kind, Message

logger = logging.getLogger("kobana_mcp")

VERSION_HEADER = "MCP-Protocol-Version"


@method_decorator((csrf_exempt, transaction.non_atomic_requests), name="dispatch")
class Endpoint(View):
    """Streamable HTTP, stateless: one JSON-RPC message per POST, one JSON answer.

    A bearer token is the only authentication, so there is nothing for a forged cross-site request to ride on. A tool's
    own view keeps its transaction; the endpoint itself has none.
    """

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answers one message. The first rung that fails wins; the middleware stands on the first two.

        1. the body is within the limit        7. it is a JSON-RPC message
        2. the Origin is listed                8. the caller has budget left
        3. the method is POST                  9. a notification is done here
        4. the token is good                  10. its version is spoken
        5. the media type is JSON             11. its headers repeat its body
        6. the body is JSON                   12. its method exists, 13. with these params
        """
        message: Message | None = None
        revision: Revision | None = None
        try:
            principal = _signed_in(request)
            try:
                _require_json(request)
                message = messages.parse(request.body)
            finally:  # what is refused here costs the caller as much as what is served
                budget = ratelimit.charge(principal, message.method if message else None)
                request.mcp_budget = budget  # type: ignore[attr-defined]
            ratelimit.require(budget)
            headers = _lower_case(request)
            if message.kind is not Kind.REQUEST:
                revision = refuse_unspoken(message, headers)
                return _versioned(wire.answer(None, 202), revision.version)
            revision = classify(message, headers)
            result = dispatch(Context(message, revision, principal, request))
            answer = wire.answer(messages.result(message.id, result))
            return _versioned(answer, result.get("protocolVersion", revision.version))
        except Exception as error:  # noqa: BLE001 - the one place that turns whatever happened into an answer
            return _refused(_to_wire(error), message, revision)

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What a host without the Origin middleware answers."""
        return wire.answer(None, 204, {"Allow": "POST, OPTIONS"})

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return wire.refuse(MethodNotAllowed())


def _signed_in(request: HttpRequest) -> Principal:
    """Whoever the token speaks for. A token that does not count is counted against the address it came from."""
    try:
        return authenticate(request, endpoint())
    except InvalidToken:
        ratelimit.charge_failed_token(request)
        raise


def _require_json(request: HttpRequest) -> None:
    """Raises UnsupportedMediaType: a browser's form shall not be able to post a message. The charset has no effect."""
    if (request.content_type or "").lower() != "application/json":
        raise UnsupportedMediaType
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise UnsupportedMediaType


def _lower_case(request: HttpRequest) -> Mapping[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


def _to_wire(error: Exception) -> MCPError:
    """Anything safe to send. What nobody expected is logged under a reference, never quoted."""
    if isinstance(error, MCPError):
        return error
    if isinstance(error, OperationalError | InterfaceError):
        logger.exception("The database cannot be reached")
        return Unavailable()
    reference = uuid.uuid4().hex
    logger.exception("Unexpected error, reference %s", reference)
    return MCPError("Internal error", data={"reference": reference})


def _refused(error: MCPError, message: Message | None, revision: Revision | None) -> HttpResponse:
    """The answer that carries ``error``: the id where it could be read, the era's status once that is known."""
    request_id = message.id if message else error.request_id
    answer = wire.refuse(error, request_id, revision.era.status_of(error) if revision else error.http_status)
    return _versioned(answer, revision.version) if revision else answer


def _versioned(answer: HttpResponse, version: str) -> HttpResponse:
    answer[VERSION_HEADER] = version
    return answer
