"""The schemas of a route, from the source of the API's own documentation, made once per process."""

import logging
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils import translation
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.plumbing import ComponentRegistry, build_mock_request, force_instance
from rest_framework import serializers

from kobana_mcp import brought, outputs
from kobana_mcp.inspectors import inspector_of, overheard
from kobana_mcp.plain import as_json, described, plain, repeatable, resolved
from kobana_mcp.registry import Tool
from kobana_mcp.routes import Route, RouteError, of

logger = logging.getLogger("kobana_mcp")

_MAKING = threading.Lock()
_MADE: WeakKeyDictionary[Route, "Shape | RouteError"] = WeakKeyDictionary()

JSON = "application/json"


@dataclass(frozen=True, eq=False)
class Shape:
    """The arguments of a tool, and its results.

    Args:
        schema: JSON Schema 2020-12 of all arguments together.
        places: for each argument, ``path``, ``query`` or ``body``; empty for a tool without a route.
        joined: query parameters whose several values stand in one, and what joins them.
        output: JSON Schema that every success fits; None where no such is known.
    """

    schema: Mapping[str, Any]
    places: Mapping[str, str]
    joined: Mapping[str, str]
    output: Mapping[str, Any] | None = None


class FileArgument(RouteError):
    """A route that takes a file in its body: files never travel through MCP."""


def shape_of(tool: Tool) -> Shape:
    """The arguments and results of ``tool``, made once per process. Raises RouteError where no schema can be made."""
    return _own_shape(tool) if tool.input_schema is not None else _shape(of(tool))


def is_sound(tool: Tool) -> bool:
    """Whether ``tool`` can be described and called. One that cannot is a start-up error, and takes no list with it."""
    try:
        shape_of(tool)
    except RouteError as error:
        logger.error("Tool %s is left out: %s", tool.name, error)
        return False
    return True


@lru_cache(maxsize=1024)
def _own_shape(tool: Tool) -> Shape:
    wrong = next(brought.faults(tool), None)
    if wrong:
        raise RouteError(wrong.words)
    return Shape(tool.input_schema or {}, {}, {}, tool.output_schema)


def _shape(route: Route) -> Shape:
    """The shape of a route, or the reason why it has none, found once."""
    found = _MADE.get(route)
    if found is None:
        # What is reported meanwhile is heard by one at a time.
        with _MAKING:
            found = _MADE.get(route)
            if found is None:
                found = _MADE[route] = _made(route)
    if isinstance(found, RouteError):
        raise found
    return found


def _made(route: Route) -> Shape | RouteError:
    try:
        with translation.override(settings.LANGUAGE_CODE):  # not in the language of whoever happens to ask first
            return _make(route)
    except RouteError as error:
        return error
    except Exception as error:  # noqa: BLE001 - whatever the host's view does when it is asked without a request
        return RouteError(f"{route.method} {route.name} cannot be described: {error!r}")


def _make(route: Route) -> Shape:
    operation, components = _documented(route)
    _require_json(route, operation)
    properties: dict[str, Any] = {}
    required: list[str] = []
    places: dict[str, str] = {}
    joined = {parameter["name"] for parameter in operation.get("parameters", ()) if parameter.get("explode") is False}
    for place, name, schema, is_required in _arguments(route, operation, components):
        if name in places:
            raise RouteError(f"{route.method} {route.name}: {name!r} is both in the {places[name]} and the {place}.")
        places[name] = place
        found = described(name, plain(schema, components, f"{route.name}.{name}"))
        if place == "query" and found.get("type") == "object":
            raise RouteError(f"{route.method} {route.name}: the query parameter {name!r} is an object.")
        properties[name] = repeatable(found) if place == "query" and found.get("type") == "array" else found
        if is_required:
            required.append(name)
    if lost := set(route.parameters) - set(places):
        raise RouteError(f"{route.method} {route.name}: {', '.join(sorted(lost))} of the path is not documented.")
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Shape(as_json(schema), places, dict.fromkeys(joined, ","), _output(route, operation, components))


def _output(route: Route, operation: Mapping[str, Any], components: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the successes of a route have in common. Words that make no sense cost the tool this, and nothing else."""
    answers = {
        status: next(
            (media.get("schema", {}) for kind, media in answer.get("content", {}).items() if _is_json(kind)), None
        )
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    }
    try:
        return outputs.output_schema(answers, components)
    except Exception:  # a documentation of answers may say whatever its host wrote by hand
        logger.warning("%s %s has no output schema", route.method, route.name, exc_info=True)
        return None


def _documented(route: Route) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """As ``_operation``; what drf-spectacular would only report, and pass over, is a RouteError here."""
    with overheard() as reports:
        operation, components = _operation(route)
    # Without a body, the serializer says nothing about the arguments.
    serious = [words for words in reports if route.has_body or "serializer" not in words]
    if serious:
        raise RouteError(f"{route.method} {route.name} cannot be described: {serious[0]}")
    return operation, components


def _operation(route: Route) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The OpenAPI operation of a route and the components it refers to."""
    generator = SchemaGenerator()  # kept: the view holds no more than a weak reference to what it made
    view = generator.create_view(route.callback, route.method)
    view.schema = inspector_of(view)
    components = ComponentRegistry()
    pattern = "/" + route.pattern
    path = EndpointEnumerator(patterns=[]).get_path_from_regex(pattern)
    view.request = build_mock_request(route.method, path, view, None)
    view.request.accepted_renderer = next(iter(view.get_renderers()), None)
    view.request.accepted_media_type = getattr(view.request.accepted_renderer, "media_type", None)
    operation = view.schema.get_operation(path, pattern, "", route.method, components)
    if operation is None:
        raise RouteError(f"{route.method} {route.name} is left out of the API's documentation.")
    if route.has_body:
        _refuse_files(route, view.schema.get_request_serializer())
    return operation, components.build({}).get("schemas", {})


def _refuse_files(route: Route, body: Any) -> None:
    """Raises FileArgument where a serializer of the body takes a file. Its schema may say no more than a URL."""
    for serializer in body.values() if isinstance(body, Mapping) else [body]:
        for name in _files(force_instance(serializer), "", frozenset()):
            raise FileArgument(f"{route.method} {route.name} takes a file as {name!r}; files never travel through MCP.")


def _files(field: Any, name: str, entered: frozenset[type]) -> Iterator[str]:
    """The names of the fields of a serializer that take a file, at whatever depth."""
    if isinstance(field, serializers.FileField):
        yield name
    elif hasattr(field, "child"):
        yield from _files(field.child, name, entered)
    elif isinstance(field, serializers.Serializer) and type(field) not in entered:
        for own, inner in field.fields.items():
            if not inner.read_only:
                yield from _files(inner, f"{name}.{own}".lstrip("."), entered | {type(field)})


def _is_json(media_type: str) -> bool:
    kind = media_type.partition(";")[0].strip()
    return kind == JSON or kind.endswith("+json")


def _require_json(route: Route, operation: Mapping[str, Any]) -> None:
    """Raises RouteError for a route whose answers or bodies are no JSON: files never travel through MCP."""
    answers = [answer.get("content") for status, answer in operation["responses"].items() if status.startswith("2")]
    body = operation.get("requestBody", {}).get("content")
    for content in (*answers, body):
        if content and not any(_is_json(kind) for kind in content):
            raise RouteError(f"{route.method} {route.name} speaks {', '.join(content)}, not {JSON}.")


def _arguments(
    route: Route, operation: Mapping[str, Any], components: Mapping[str, Any]
) -> Iterator[tuple[str, str, Mapping[str, Any], bool]]:
    """Place, name, raw schema and necessity of each argument: path first, then query, then body."""
    parameters = sorted(operation.get("parameters", ()), key=lambda parameter: parameter["in"] != "path")
    for parameter in parameters:
        if parameter["in"] in ("path", "query"):
            schema = parameter["schema"] | {key: parameter[key] for key in ("description",) if key in parameter}
            yield parameter["in"], parameter["name"], schema, parameter.get("required", False)
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        body = resolved(content[JSON]["schema"], components)
        if body.get("type") != "object":
            raise RouteError(f"{route.method} {route.name} takes a body that is no object.")
        for name, schema in body.get("properties", {}).items():
            found = resolved(schema, components)
            if found.get("format") == "binary":
                raise FileArgument(
                    f"{route.method} {route.name} takes bytes as {name!r}; there is no way to send them."
                )
            if not found.get("readOnly"):
                yield "body", name, schema, name in body.get("required", ())
