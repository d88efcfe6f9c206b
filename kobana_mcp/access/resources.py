"""The protected resources of this host: what a token can be issued for (RFC 8707), each with its own identifier."""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from kobana_mcp import catalogue
from kobana_mcp.conf import conf

WELL_KNOWN = "/.well-known/oauth-protected-resource"


@dataclass(frozen=True)
class ProtectedResource:
    """One resource server address.

    Args:
        path: below the base URL, without a trailing slash, such as ``/mcp``.
        name: for people.
        own_scopes: its scopes as the settings name them; None leaves them to the catalogue.
    """

    path: str
    name: str
    own_scopes: tuple[str, ...] | None = None

    @property
    def scopes(self) -> tuple[str, ...]:
        """What the first challenge asks for and the metadata document names."""
        return catalogue.current().first_scopes if self.own_scopes is None else self.own_scopes

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
    is_endpoint = path == conf.ENDPOINT_PATH
    given = conf.RESOURCES.get(path, {}) if is_endpoint else conf.RESOURCES[path]
    scopes = given.get("scopes", None if is_endpoint else ())
    name = given.get("name", conf.SERVER_TITLE if is_endpoint else "")
    return ProtectedResource(path, name, None if scopes is None else tuple(scopes))


def endpoint() -> ProtectedResource:
    """The MCP endpoint as a protected resource."""
    return resource_at(conf.ENDPOINT_PATH)


def resource_named(uri: str) -> ProtectedResource | None:
    """The resource that ``uri`` names exactly (RFC 8707, section 2); None for every other URI, a parent's included."""
    paths = dict.fromkeys((conf.ENDPOINT_PATH, *conf.RESOURCES))
    return next((found for found in map(resource_at, paths) if found.is_named_by(uri)), None)
