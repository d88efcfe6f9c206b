"""Everything that can go wrong on the wire: one class each, with its code and its HTTP status.

Callers only raise; one function of the view turns an error into bytes.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class MCPError(Exception):
    """A JSON-RPC error the client is told about. Base class of all wire errors; itself it is the internal error.

    Args:
        message: a sentence for the reader; without one, the class's own.
        data: the ``data`` member of the error object, left out when None.
        request_id: the ``id`` of the refused message, where it could be read before the message was rejected.
        headers: HTTP headers that belong to the answer, such as a challenge.
    """

    code: ClassVar[int] = -32603
    http_status: ClassVar[int] = 200
    #: True where the HTTP status says it in every era; else the legacy eras carry the error in the body of a 200.
    same_status_in_every_era: ClassVar[bool] = False
    message: str = "Internal error"

    def __init__(
        self,
        message: str = "",
        *,
        data: Mapping[str, Any] | None = None,
        request_id: str | int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.message = message or self.message
        self.data = data
        self.request_id = request_id
        self.headers: dict[str, str] = dict(headers or {})
        super().__init__(self.message)


class ParseError(MCPError):
    """The body is not one JSON document in UTF-8 (JSON-RPC 2.0, section 5.1)."""

    code, http_status = -32700, 400
    message = "Parse error"


class InvalidRequest(MCPError):
    """The JSON is no JSON-RPC request this server takes (JSON-RPC 2.0, section 4)."""

    code, http_status = -32600, 400
    message = "Invalid request"


class MethodNotFound(MCPError):
    """No such method in this era, or its capability is not advertised."""

    code, http_status = -32601, 404
    message = "Method not found"


class InvalidParams(MCPError):
    """The method is known, its params do not fit."""

    code, http_status = -32602, 400
    message = "Invalid params"


class HeaderMismatch(MCPError):
    """A mirrored header disagrees with the body. Modern era only (2026-07-28, streamable HTTP, "Server Validation")."""

    code, http_status = -32020, 400

    def __init__(self, message: str, **kwargs: Any) -> None:
        super().__init__(f"Header mismatch: {message}", **kwargs)


class MissingCapability(MCPError):
    """The request needs a capability the client did not declare (2026-07-28, "Per-request protocol fields")."""

    code, http_status = -32021, 400
    message = "Missing required client capability"


class UnsupportedProtocolVersion(MCPError):
    """The version asked for is not spoken here, in whichever era it was asked."""

    code, http_status = -32022, 400
    same_status_in_every_era = True

    message = "Unsupported protocol version"

    def __init__(self, requested: str, supported: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(data={"supported": list(supported), "requested": requested}, **kwargs)


class ResourceNotFound(InvalidParams):
    """A resource that is not there, or not for this caller (modern: -32602)."""

    message = "Resource not found"


class LegacyResourceNotFound(ResourceNotFound):
    """The same in the legacy eras (2025-06-18, server/resources, "Error Handling")."""

    code = -32002


class TransportError(MCPError):
    """A refusal by HTTP: the code is the HTTP status, outside JSON-RPC's reserved range."""

    same_status_in_every_era = True


class Unauthorized(TransportError):
    """No bearer token, or none that counts here (RFC 6750, section 3.1). Carries the challenge."""

    code = http_status = 401
    message = "Authentication required"


class InvalidToken(Unauthorized):
    """A bearer token that does not count here, whatever the reason."""

    message = "The access token is not valid here"


class InsufficientScope(TransportError):
    """The token is good, but its scope does not reach (RFC 6750, section 3.1). Carries the challenge."""

    code = http_status = 403
    message = "The access token lacks a scope this needs"


class BadTokenPlacement(TransportError):
    """A bearer token outside the Authorization header (RFC 6750, section 2.3: refused)."""

    code = http_status = 400
    message = "An access token belongs in the Authorization header, never in the URL"


class OriginRefused(TransportError):
    """The Origin header names a site that is not on the allow-list."""

    code = http_status = 403
    message = "Origin not allowed"


class MethodNotAllowed(TransportError):
    """An HTTP method other than POST and OPTIONS."""

    code = http_status = 405
    message = "Only POST is served here"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(headers={"Allow": "POST, OPTIONS"}, **kwargs)


class LengthRequired(TransportError):
    """A chunked body, on a server that cannot say where it ends (RFC 9110, section 15.5.12)."""

    code = http_status = 411
    message = "Send the body with a Content-Length"


class BodyTooLarge(InvalidRequest):
    """The body is over the limit (RFC 9110, section 15.5.14)."""

    http_status = 413
    same_status_in_every_era = True

    def __init__(self, limit: int, **kwargs: Any) -> None:
        super().__init__(f"The request body is over {limit} bytes", **kwargs)


class UnsupportedMediaType(TransportError):
    """The body is not declared as JSON, or is encoded (RFC 9110, section 15.5.16)."""

    code = http_status = 415
    message = "The request body must be application/json, without content encoding"


class RateLimited(TransportError):
    """The caller's budget is spent (RFC 6585, section 4).

    Args:
        retry_after: whole seconds until a call may succeed, at least 1.
    """

    code = http_status = 429
    message = "Too many requests"

    def __init__(self, retry_after: int, **kwargs: Any) -> None:
        super().__init__(
            f"Too many requests; try again in {retry_after} s", headers={"Retry-After": str(retry_after)}, **kwargs
        )


class Unavailable(TransportError):
    """A backend this server needs cannot be reached just now (RFC 9110, section 15.6.4)."""

    code = http_status = 503
    message = "The service is temporarily unavailable"

    def __init__(self, retry_after: int = 5, **kwargs: Any) -> None:
        super().__init__(headers={"Retry-After": str(retry_after)}, **kwargs)
