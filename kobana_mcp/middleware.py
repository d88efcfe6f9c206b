"""What stands in front of the endpoint: the body limit, the Origin allow-list with CORS, the rate-limit headers.

List the three in this order, before any other middleware that reads a body or answers by itself. They act on the
endpoint's paths alone. Each of them dresses the answer it passes on, errors of Django itself included: JSON,
``no-store``, CORS for listed origins, its length in octets, and no body for HEAD.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from kobana_mcp import wire
from kobana_mcp.conf import conf
from kobana_mcp.protocol.errors import BodyTooLarge, LengthRequired, MCPError, OriginRefused, ParseError

ALLOW: Final = "POST, OPTIONS"
ALLOWED_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Accept",
    "Accept-Language",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "X-Workspace-Id",
    "Mcp-Session-Id",
    "Last-Event-ID",
)
EXPOSED_HEADERS: Final = (
    "WWW-Authenticate, MCP-Protocol-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After"
)
PREFLIGHT_SECONDS: Final = 7200

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ORIGIN: Final = re.compile(
    r"([a-z][a-z0-9+.-]*)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
_PARAMETER_HEADER: Final = re.compile(r"mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+", re.ASCII | re.IGNORECASE)

Origin = tuple[str, str, int | None]


class _EndpointMiddleware:
    """Hands the endpoint's requests to ``serve``, sends what it raises, and dresses every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = conf.ENDPOINT_PATH.rstrip("/")
        if request.path_info not in (path, f"{path}/"):
            return self.get_response(request)
        try:
            response = self.serve(request)
        except MCPError as error:
            response = wire.refuse(error)
        return _dressed(response, request)

    def serve(self, request: HttpRequest) -> HttpResponseBase:
        raise NotImplementedError


class BodyLimitMiddleware(_EndpointMiddleware):
    """Reads the body, up to ``MAX_BODY_BYTES`` as sent, and leaves it where Django and the view find it.

    Django by itself sees no chunked body, and has another limit with another answer. Refused, first match wins:

    1. a declared length over the limit: 413, nothing read
    2. chunked, where the server does not end the stream (PEP 3333 leaves that open): 411, nothing read
    3. more than the limit sent: 413
    4. broken off, or fewer bytes than declared: 400
    """

    def serve(self, request: HttpRequest) -> HttpResponseBase:
        request._body = _read_body(request, conf.MAX_BODY_BYTES)
        request._stream = BytesIO(request._body)
        return self.get_response(request)


class OriginMiddleware(_EndpointMiddleware):
    """Refuses pages of sites that are not on ``ALLOWED_ORIGINS``, whatever the method, and answers preflights.

    A request without ``Origin`` comes from no page and is served. See ``parse_origin`` for what is compared.
    """

    def serve(self, request: HttpRequest) -> HttpResponseBase:
        origin = request.META.get("HTTP_ORIGIN")
        if origin is not None and not is_listed(origin):
            raise OriginRefused
        if request.method != "OPTIONS":
            return self.get_response(request)
        response = wire.answer(None, status=204, headers={"Allow": ALLOW})
        if origin is not None:
            asked = request.META.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "")
            response.headers["Access-Control-Allow-Methods"] = ALLOW
            response.headers["Access-Control-Allow-Headers"] = ", ".join(_allowed_headers(asked))
            response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
        return response


class RateLimitHeadersMiddleware(_EndpointMiddleware):
    """Tells an authenticated caller its budget, which the view leaves as ``request.mcp_budget``."""

    def serve(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        budget = getattr(request, "mcp_budget", None)
        if budget is not None:
            response.headers["X-RateLimit-Limit"] = str(budget.limit)
            response.headers["X-RateLimit-Remaining"] = str(budget.remaining)
            response.headers["X-RateLimit-Reset"] = str(budget.reset)
        return response


def parse_origin(origin: str) -> Origin | None:
    """The (scheme, host, port) of a serialized origin (RFC 6454, section 6.2); None when it is none.

    Scheme and host are lower-cased, the default port is filled in. Nothing else is normalised: user, path, a list, or
    ``null`` make it no origin; a host with a trailing dot, or an IPv6 address in its long form, is another origin than
    the one browsers send.
    """
    parts = _ORIGIN.fullmatch(origin)
    if parts is None:
        return None
    scheme, host, port = parts[1].lower(), parts[2].lower(), parts[3]
    return scheme, host, int(port) if port else DEFAULT_PORTS.get(scheme)


def is_listed(origin: str) -> bool:
    """True when the received ``Origin`` is one of ``ALLOWED_ORIGINS``."""
    parsed = parse_origin(origin)
    return parsed is not None and parsed in _parsed(tuple(conf.ALLOWED_ORIGINS))


@lru_cache(maxsize=8)
def _parsed(origins: tuple[str, ...]) -> frozenset[Origin | None]:
    return frozenset(map(parse_origin, origins))


def _allowed_headers(asked: str) -> Iterable[str]:
    """Our list, and the parameter headers asked for: the Fetch standard knows no wildcard for a prefix."""
    names = (name.strip(" \t") for name in asked.split(","))
    return (*ALLOWED_HEADERS, *filter(_PARAMETER_HEADER.fullmatch, names))


def _read_body(request: HttpRequest, limit: int) -> bytes:
    declared = _declared_length(request)
    if declared is not None and declared > limit:
        raise BodyTooLarge(limit)
    stream = _stream(request, declared)
    try:
        body: bytes = stream.read(limit + 1)
    except Exception as error:  # no narrower: each server raises classes of its own when a client breaks off
        raise ParseError("The body could not be read to its end") from error
    if len(body) > limit:
        raise BodyTooLarge(limit)
    if declared is not None and len(body) < declared:
        raise ParseError("The body is shorter than its Content-Length")
    return body


def _declared_length(request: HttpRequest) -> int | None:
    """The Content-Length, at most a number far over any limit; None when absent or no number."""
    digits = request.META.get("CONTENT_LENGTH") or ""
    return int(digits[:30]) if digits.isascii() and digits.isdigit() else None


def _stream(request: HttpRequest, declared: int | None) -> Any:
    """Where the body can be read without waiting for more than the client sends.

    Without a length, Django takes a body for empty; but the server's own stream may be chunked and end by itself.
    """
    if declared is None and request.META.get("wsgi.input_terminated"):
        return request.META["wsgi.input"]
    if declared is None and "wsgi.input" in request.META and "HTTP_TRANSFER_ENCODING" in request.META:
        raise LengthRequired
    return request


def _dressed(response: HttpResponseBase, request: HttpRequest) -> HttpResponseBase:
    """What every answer of the endpoint has, whichever of the three lets it out; once is enough."""
    if getattr(response, "mcp_is_dressed", False):
        return response
    response = _readable(response)
    response.mcp_is_dressed = True  # type: ignore[attr-defined]
    response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["Origin"])
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and is_listed(origin):
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    if isinstance(response, HttpResponse) and response.status_code != 204:
        response.headers.setdefault("Content-Length", str(len(response.content)))
        if request.method == "HEAD":
            response.content = b""
    return response


def _readable(response: HttpResponseBase) -> HttpResponseBase:
    """An error page of Django or of another middleware, in JSON: a client that cannot read an error falls back to
    another era (2026-07-28, streamable HTTP, "Backward Compatibility"). The code is the HTTP status.
    """
    if response.status_code < 400 or response.headers.get("Content-Type") == "application/json":
        return response
    error = {"code": response.status_code, "message": response.reason_phrase}
    kept = {name: value for name, value in response.headers.items() if not name.startswith("Content-")}
    return wire.answer({"jsonrpc": "2.0", "error": error}, response.status_code, kept)
