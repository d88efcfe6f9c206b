"""The protected resources of this host: what a token can be issued for (RFC 8707), each with its own identifier."""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from kobana_mcp import registry
from kobana_mcp.conf import conf

WELL_KNOWN = "/.well-known/oauth-protected-resource"


@dataclass(frozen=True)
class ProtectedResource:
    """One resource server address.

    Args:
        path: below the base URL, without a trailing slash, such as ``/mcp``.
        name: for people.
        scopes: what the first challenge asks for and the metadata document names: the rights to read.
    """

    path: str
    name: str
    scopes: tuple[str, ...]

    @property
    def identifier(self) -> str:
        """The resource indicator, byte for byte what people type (RFC 9728, section 2, ``resource``)."""
        return base_url() + self.path

    @property
    def metadata_url(self) -> str:
        """Where its metadata document stands (RFC 9728, section 3.1)."""
        return base_url() + WELL_KNOWN + self.path

    def is_named_by(self, audience: str) -> bool:
        """Whether a token's audience names this very resource; scheme and host in any case, one trailing slash free."""
        own = canonical(self.identifier)
        return own is not None and canonical(audience) == own


def base_url() -> str:
    """The public origin of this host, without a trailing slash. It is a setting: a Host header cannot move it."""
    return str(conf.BASE_URL).rstrip("/")


@lru_cache(maxsize=512)
def canonical(uri: str) -> str | None:
    """A resource URI in comparable form (RFC 3986, section 6.2.2.1), or None for one that can name no resource."""
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "#" in uri or parts.username is not None:
        return None
    default = {"http": 80, "https": 443}[parts.scheme]
    if uri != uri.strip() or any(character.isspace() for character in uri):
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    authority = host if port in (None, default) else f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    path = parts.path[:-1] if parts.path.endswith("/") else parts.path
    return f"{parts.scheme}://{authority}{path}{query}"


def resource_at(path: str) -> ProtectedResource:
    """The resource at ``path``. Raises KeyError when the settings name none there."""
    if path != conf.ENDPOINT_PATH:
        given = conf.RESOURCES[path]
        return ProtectedResource(path, given.get("name", ""), tuple(given.get("scopes", ())))
    given = conf.RESOURCES.get(path, {})
    return ProtectedResource(path, given.get("name", conf.SERVER_TITLE), tuple(given.get("scopes", _reading_scopes())))


def endpoint() -> ProtectedResource:
    """The MCP endpoint as a protected resource."""
    return resource_at(conf.ENDPOINT_PATH)


def _reading_scopes() -> list[str]:
    """Every scope that a tool which only reads needs: enough to begin with, and nothing that could do harm."""
    return sorted({name for tool in registry.tools if tool.read_only for name in tool.scopes})
