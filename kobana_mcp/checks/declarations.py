"""Tools and scopes that cannot be meant as they are declared."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Warning, register

from kobana_mcp import brought, registry, routes
from kobana_mcp.routes import Route, RouteError
from kobana_mcp.schemas import FileArgument, shape_of


@register("kobana_mcp")
def tools(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    return [message for tool in registry.tools for message in _faults(tool)]


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
    found = list(_brought(tool) if tool.run is not None else _routed(tool))
    yield from found or _secrets(tool)


def _brought(tool: registry.Tool) -> Iterator[CheckMessage]:
    """What is wrong with the schemas a tool brings itself."""
    for kind, words in brought.faults(tool):
        message = f"Tool {tool.name!r}: {words}."
        match kind:
            case brought.Kind.FORM:
                yield Error(message, id="kobana_mcp.E011")
            case brought.Kind.REFERENCE:
                yield Error(message, id="kobana_mcp.E012")
            case brought.Kind.HEADER:
                hint = "Clients leave such a tool out (2026-07-28, server/tools, x-mcp-header)."
                yield Error(message, hint=hint, id="kobana_mcp.E013")


def _routed(tool: registry.Tool) -> Iterator[CheckMessage]:
    """What is wrong with the routes a tool points at."""
    try:
        route, subject = routes.of(tool), routes.subject_of(tool)
    except RouteError as error:
        yield Error(f"Tool {tool.name!r}: {error}", id="kobana_mcp.E003")
        return
    yield from _served(tool, route)
    yield from _named(tool, route, subject)
    try:
        shape_of(tool)
    except FileArgument as error:
        yield Error(f"Tool {tool.name!r}: {error}", id="kobana_mcp.E022")
    except RouteError as error:
        yield Error(f"Tool {tool.name!r} has no input schema: {error}", id="kobana_mcp.E004")


def _served(tool: registry.Tool, route: Route) -> Iterator[CheckMessage]:
    """A view answers 405 to what its ``http_method_names`` lacks, whatever methods it has."""
    allowed = route.initkwargs.get("http_method_names", route.view_class.http_method_names)
    if route.method.lower() not in allowed:
        words = f"Tool {tool.name!r}: http_method_names of {route.view_class.__name__} lacks {route.method}."
        yield Error(words, id="kobana_mcp.E016")


def _named(tool: registry.Tool, route: Route, subject: Route | None) -> Iterator[CheckMessage]:
    """Whether the subject can be read by the arguments of the call, and whether there is one where there must be."""
    lost = sorted(set(subject.parameters) - set(route.parameters)) if subject else []
    if lost:
        words = f"Tool {tool.name!r}: its subject {tool.subject!r} needs {', '.join(lost)}, which the route has not."
        yield Error(words, id="kobana_mcp.E014")
    if tool.destructive and route.parameters and subject is None:
        words = f"Tool {tool.name!r} is destructive and names an object by its id: a person could not tell which it is."
        hint = "subject= takes the GET route that reads the object, and the question its fields."
        yield Error(words, hint=hint, id="kobana_mcp.E015")


def _secrets(tool: registry.Tool) -> Iterator[CheckMessage]:
    for name in sorted(set(tool.secret_fields) - set(shape_of(tool).schema.get("properties", {}))):
        yield Error(f"Tool {tool.name!r} has no argument {name!r} to keep secret.", id="kobana_mcp.E010")
