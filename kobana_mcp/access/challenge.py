"""The one place that writes a ``WWW-Authenticate`` header (RFC 6750, section 3; RFC 9728, section 5.1)."""

from collections.abc import Iterable

from kobana_mcp.access.resources import ProtectedResource
from kobana_mcp.access.scopes import ordered


def sign_in(resource: ProtectedResource) -> str:
    """The challenge for a request that brought no token: no ``error``, where to sign in, what to ask for."""
    return _bearer(resource, None, resource.scopes)


def invalid_token(resource: ProtectedResource) -> str:
    """The challenge for a token that does not count here, whatever the reason."""
    return _bearer(resource, "invalid_token", resource.scopes)


def insufficient_scope(resource: ProtectedResource, scopes: Iterable[str]) -> str:
    """The challenge for a good token that reaches not far enough; names every scope the operation needs."""
    return _bearer(resource, "insufficient_scope", scopes)


def _bearer(resource: ProtectedResource, error: str | None, scopes: Iterable[str]) -> str:
    parameters = {"error": error, "scope": ordered(scopes), "resource_metadata": resource.metadata_url}
    return "Bearer " + ", ".join(f"{name}={_quoted(value)}" for name, value in parameters.items() if value)


def _quoted(value: str) -> str:
    """A quoted-string (RFC 9110, section 5.6.4) that no value can break out of."""
    printable = "".join(character for character in value if " " <= character <= "~")
    return '"' + printable.replace("\\", "\\\\").replace('"', '\\"') + '"'
