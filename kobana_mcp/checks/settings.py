"""Settings that cannot be meant as they are. Whatever is wrong with one, a check tells it and does not fail."""

import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.utils.module_loading import import_string
from limits import storage

from kobana_mcp.access.resources import canonical
from kobana_mcp.bridge import NEVER_CARRIED, wsgi_name
from kobana_mcp.conf import Settings, conf
from kobana_mcp.middleware import parse_origin

#: Schemes that the package has a storage for. Its own table also has those that only an event loop can use.
STORAGES: Mapping[str, Any] = {
    name: kind
    for name, kind in storage.SCHEMES.items()  # type: ignore[attr-defined]
    if not name.startswith("async+")
}
PATH = re.compile(r"(/(?!\.\.?(/|$))[A-Za-z0-9._~-]+)+")
#: Of whole numbers, those whose 0 means something.
MAY_BE_ZERO = ("TRUSTED_PROXIES", "AUDIT_RETENTION_DAYS")


def is_path(value: Any) -> bool:
    """Whether ``value`` can be the path of a resource: absolute, without a slash at the end, nothing to encode."""
    return isinstance(value, str) and PATH.fullmatch(value) is not None


@register("kobana_mcp")
def unknown_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    unknown = set(getattr(django_settings, "KOBANA_MCP", {})) - set(Settings.__annotations__)
    return [Warning(f"KOBANA_MCP has no setting {name!r}.", id="kobana_mcp.W001") for name in sorted(unknown)]


@register("kobana_mcp")
def base_url(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    parts = urlsplit(conf.BASE_URL if canonical(conf.BASE_URL) else "")
    if canonical(conf.BASE_URL) and parts.path in ("", "/") and not parts.query:
        return []
    hint = "The public origin of this host, such as https://mcp.example.com; tokens are issued for addresses below it."
    return [Error("KOBANA_MCP['BASE_URL'] is not an origin.", hint=hint, id="kobana_mcp.E001")]


@register("kobana_mcp")
def allowed_origins(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    wrong = [origin for origin in conf.ALLOWED_ORIGINS if parse_origin(origin) is None]
    return [Error(f"{origin!r} in ALLOWED_ORIGINS is not an origin.", id="kobana_mcp.E005") for origin in wrong]


@register("kobana_mcp")
def tenant_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    try:
        if not conf.TENANT_KEY or callable(import_string(conf.TENANT_KEY)):
            return []
    except ImportError:
        pass
    return [Error(f"TENANT_KEY names no function: {conf.TENANT_KEY!r}.", id="kobana_mcp.E008")]


@register("kobana_mcp")
def rate_limit_storage(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Looks at the words alone: a storage that is down must not keep the host from starting."""
    fault = _storage_fault(conf.RATE_LIMIT_STORAGE)
    if fault is None or conf.RATE_LIMIT_STORAGE == "":
        return []
    hint = 'Such as "memory://" or "redis://host:6379/1".'
    return [Error(f"RATE_LIMIT_STORAGE {fault}.", hint=hint, id="kobana_mcp.E017")]


@register("kobana_mcp", deploy=True)
def nothing_is_counted(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Servers must limit how often tools are called (2026-07-28, server/tools, "Security Considerations")."""
    if conf.RATE_LIMIT_STORAGE != "":
        return []
    hint = "Only where something in front of the host limits tool calls; else name a storage."
    return [Warning("RATE_LIMIT_STORAGE is empty: no call is counted.", hint=hint, id="kobana_mcp.W003")]


@register("kobana_mcp")
def form_of_endpoint_path(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if is_path(conf.ENDPOINT_PATH):
        return []
    hint = 'It begins with a slash and does not end with one, and nothing in it needs encoding: "/mcp".'
    return [Error(f"ENDPOINT_PATH is no path: {conf.ENDPOINT_PATH!r}.", hint=hint, id="kobana_mcp.E018")]


@register("kobana_mcp")
def resources(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    hint = 'Such as {"/api/v1": {"name": "Notes API", "scopes": ["notes:read"]}}.'
    return [Error(f"RESOURCES {words}.", hint=hint, id="kobana_mcp.E019") for words in _resource_faults(conf.RESOURCES)]


@register("kobana_mcp")
def whole_numbers(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    for name in (name for name, kind in Settings.__annotations__.items() if kind is int):
        value, least = getattr(conf, name), 0 if name in MAY_BE_ZERO else 1
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            words = f"{name} must be a whole number from {least} on, not {value!r}."
            messages.append(Error(words, id="kobana_mcp.E020"))
    return messages


@register("kobana_mcp")
def forwarded_headers(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    names = conf.FORWARDED_HEADERS
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        return [Error("FORWARDED_HEADERS must be a list of names of headers.", id="kobana_mcp.E021")]
    hint = "The views get the verified person. What proves who it is stays at the endpoint."
    wrong = [name for name in names if wsgi_name(name) in NEVER_CARRIED]
    return [Error(f"FORWARDED_HEADERS names {name!r}.", hint=hint, id="kobana_mcp.E023") for name in wrong]


def _storage_fault(uri: Any) -> str | None:
    """What keeps the ``limits`` package from making a storage of ``uri``, in words; None where nothing does."""
    if not isinstance(uri, str):
        return f"is no text: {uri!r}"
    scheme, separator, rest = uri.partition("://")
    if not separator or scheme not in STORAGES:
        # The rest of it may hold a password.
        return f"begins with {scheme[:20]!r}, which is none of: {', '.join(sorted(STORAGES))}"
    packages = {name.partition(".")[0] for name in STORAGES[scheme].DEPENDENCIES}
    needed = {name for name in packages if scheme.startswith(name)} or packages
    if needed and not any(find_spec(name) for name in needed):
        return f"needs a package that is not installed: {' or '.join(sorted(needed))}"
    return None if "," in rest or _has_port(uri) else "has a port that is no number from 0 to 65535"


def _has_port(uri: str) -> bool:
    """Whether the port of ``uri`` is one, or left out."""
    try:
        return (urlsplit(uri).port or 0) >= 0
    except ValueError:
        return False


def _resource_faults(found: Any) -> Iterator[str]:
    if not isinstance(found, Mapping):
        yield f"must be a dictionary by path, not {found!r}"
        return
    for path, facts in found.items():
        if not is_path(path):
            yield f"has a key that is no path: {path!r}"
        if not isinstance(facts, Mapping):
            yield f"must have a dictionary at {path!r}, not {facts!r}"
            continue
        if unknown := sorted(map(str, set(facts) - {"name", "scopes"})):
            yield f"has at {path!r} what is neither name nor scopes: {', '.join(unknown)}"
        if not isinstance(facts.get("name", ""), str):
            yield f"has at {path!r} a name that is no text"
        scopes = facts.get("scopes", ())
        if not isinstance(scopes, list | tuple) or not all(isinstance(s, str) and s and " " not in s for s in scopes):
            yield f"has at {path!r} scopes that are no list of names"
