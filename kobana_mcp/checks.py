"""What can be seen to be wrong at start-up. An id is never used twice, nor for something else."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.urls import Resolver404, resolve
from django.utils.module_loading import import_string

from kobana_mcp import registry, routes
from kobana_mcp.access.resources import canonical
from kobana_mcp.conf import Settings, conf
from kobana_mcp.middleware import parse_origin
from kobana_mcp.routes import RouteError
from kobana_mcp.schemas import shape_of


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
def endpoint_path(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The middleware acts on ENDPOINT_PATH, so the endpoint must stand there."""
    try:
        if resolve(conf.ENDPOINT_PATH).url_name == "mcp":
            return []
    except Resolver404:
        pass
    hint = 'Include it at the root of the URLconf: path("", include("kobana_mcp.urls")).'
    return [Error(f"The endpoint does not stand at {conf.ENDPOINT_PATH!r}.", hint=hint, id="kobana_mcp.E006")]


@register("kobana_mcp")
def tools(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    return [message for tool in registry.tools for message in _faults(tool)]


@register("kobana_mcp")
def middleware(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Without them nothing stands on the first two rungs: the body limit and the Origin allow-list."""
    ours = [f"kobana_mcp.middleware.{name}Middleware" for name in ("BodyLimit", "Origin", "RateLimitHeaders")]
    missing = [name for name in ours if name not in django_settings.MIDDLEWARE]
    return [Error(f"MIDDLEWARE lacks {name!r}.", id="kobana_mcp.E007") for name in missing]


@register("kobana_mcp")
def tenant_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    try:
        if not conf.TENANT_KEY or callable(import_string(conf.TENANT_KEY)):
            return []
    except ImportError:
        pass
    return [Error(f"TENANT_KEY names no function: {conf.TENANT_KEY!r}.", id="kobana_mcp.E008")]


@register("kobana_mcp")
def scopes(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    return [
        Error(f"Scope {scope.name!r} implies {name!r}, which nobody declared.", id="kobana_mcp.E009")
        for scope in registry.scopes
        for name in scope.implies
        if registry.scopes.get(name) is None
    ]


@register("kobana_mcp")
def first_tool(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Clients probe a server with its first tool."""
    first = next(iter(registry.tools), None)
    if first is None or first.read_only:
        return []
    return [Warning(f"The first tool, {first.name!r}, does not only read.", id="kobana_mcp.W002")]


def _faults(tool: registry.Tool) -> Iterator[CheckMessage]:
    for name in sorted(tool.scopes):
        if registry.scopes.get(name) is None:
            yield Error(f"Tool {tool.name!r} needs the scope {name!r}, which nobody declared.", id="kobana_mcp.E002")
    if tool.run is not None:
        return
    try:
        routes.of(tool)
        routes.subject_of(tool)
    except RouteError as error:
        yield Error(f"Tool {tool.name!r}: {error}", id="kobana_mcp.E003")
        return
    try:
        unknown = set(tool.secret_fields) - set(shape_of(tool).schema["properties"])
        for name in sorted(unknown):
            yield Error(f"Tool {tool.name!r} has no argument {name!r} to keep secret.", id="kobana_mcp.E010")
    except RouteError as error:
        yield Error(f"Tool {tool.name!r} has no input schema: {error}", id="kobana_mcp.E004")
