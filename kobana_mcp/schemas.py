"""The input schema of a route, from the source of the API's own documentation, in the plain form all clients take.

Clients drop a tool, or the whole list, over a reference, a type array or a combinator at the root; so references are
inlined, null is spelled ``anyOf`` and everything that is no constraint or description is left out.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, build_mock_request

from kobana_mcp.registry import Tool
from kobana_mcp.routes import Route, RouteError, of

logger = logging.getLogger("kobana_mcp")

JSON = "application/json"
WITH_BODY = ("POST", "PUT", "PATCH")
KEPT = (
    *("type", "format", "description", "enum", "const", "default", "pattern", "items", "properties", "required"),
    *("additionalProperties", "anyOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)


@dataclass(frozen=True, eq=False)
class Shape:
    """The arguments of a tool.

    Args:
        schema: JSON Schema 2020-12 of all arguments together.
        places: for each argument, ``path``, ``query`` or ``body``; empty for a tool without a route.
    """

    schema: Mapping[str, Any]
    places: Mapping[str, str]


def shape_of(tool: Tool) -> Shape:
    """The arguments of ``tool``, made once per process. Raises RouteError where no schema can be made."""
    return Shape(tool.input_schema, {}) if tool.input_schema is not None else _shape(of(tool))


def is_sound(tool: Tool) -> bool:
    """Whether ``tool`` can be described and called. One that cannot is a start-up error, and takes no list with it."""
    try:
        shape_of(tool)
    except RouteError as error:
        logger.error("Tool %s is left out: %s", tool.name, error)
        return False
    return True


@lru_cache(maxsize=1024)
def _shape(route: Route) -> Shape:
    operation, components = _documented(route)
    _require_json(route, operation)
    properties: dict[str, Any] = {}
    required: list[str] = []
    places: dict[str, str] = {}
    for place, name, schema, is_required in _arguments(route, operation, components):
        if name in places:
            raise RouteError(
                f"{route.method} {route.name}: {name!r} stands both in the {places[name]} and the {place}."
            )
        places[name] = place
        plain = _described(name, _plain(schema, components, f"{route.name}.{name}"))
        properties[name] = _repeatable(plain) if place == "query" and plain.get("type") == "array" else plain
        if is_required:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Shape(schema, places)


def _documented(route: Route) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """As ``_operation``; what drf-spectacular would only report, and pass over, is a RouteError here."""
    before = dict(GENERATOR_STATS._error_cache)
    try:
        with GENERATOR_STATS.silence():
            operation, components = _operation(route)
    except RouteError:
        raise
    except Exception as error:
        raise RouteError(f"{route.method} {route.name} cannot be described: {error!r}") from error
    reports = [words for words, count in GENERATOR_STATS._error_cache.items() if count != before.get(words)]
    # Without a body, the serializer says nothing about the arguments.
    serious = [words for words in reports if route.method in WITH_BODY or "serializer" not in words]
    if serious:
        raise RouteError(f"{route.method} {route.name} cannot be described: {serious[0]}")
    return operation, components


def _operation(route: Route) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The OpenAPI operation of a route and the components it refers to.

    A view whose own schema class is another generator's is read by drf-spectacular's all the same.
    """
    view = SchemaGenerator().create_view(route.callback, route.method)
    if not isinstance(view.schema, AutoSchema):
        view.schema = AutoSchema()
    components = ComponentRegistry()
    pattern = "/" + route.pattern
    path = EndpointEnumerator(patterns=[]).get_path_from_regex(pattern)
    view.request = build_mock_request(route.method, path, view, None)
    operation = view.schema.get_operation(path, pattern, "", route.method, components)
    if operation is None:
        raise RouteError(f"{route.method} {route.name} is left out of the API's documentation.")
    return operation, components.build({}).get("schemas", {})


def _require_json(route: Route, operation: Mapping[str, Any]) -> None:
    """Raises RouteError for a route whose answers or bodies are no JSON: files never travel through MCP."""
    answers = [answer.get("content") for status, answer in operation["responses"].items() if status.startswith("2")]
    body = operation.get("requestBody", {}).get("content")
    for content in (*answers, body):
        if content and JSON not in content:
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
        body = _resolved(content[JSON]["schema"], components)
        if body.get("type") != "object":
            raise RouteError(f"{route.method} {route.name} takes a body that is no object.")
        for name, schema in body.get("properties", {}).items():
            if not _resolved(schema, components).get("readOnly"):
                yield "body", name, schema, name in body.get("required", ())


def _resolved(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` with its reference, or its single ``allOf`` member, taken in; what stands beside them wins."""
    found = dict(schema)
    while "$ref" in found or len(found.get("allOf", ())) == 1:
        inner = found.pop("allOf")[0] if "allOf" in found else components[found.pop("$ref").rpartition("/")[2]]
        found = {**inner, **found}
    return found


def _plain(schema: Mapping[str, Any], components: Mapping[str, Any], where: str) -> dict[str, Any]:
    """One schema in the plain form. Raises RouteError where it has no type."""
    found = _resolved(schema, components)
    choices = [_resolved(choice, components) for choice in found.pop("oneOf", found.pop("anyOf", ()))]
    nullable = found.pop("nullable", False) or any(_is_null(choice) for choice in choices)
    types = found.get("type")
    if isinstance(types, list):
        nullable = nullable or "null" in types
        others = [name for name in types if name != "null"]
        choices = [] if len(others) == 1 else [{**found, "type": name} for name in others]
        found = {**found, "type": others[0]} if len(others) == 1 else _notes(found)
    real = [choice for choice in choices if not _is_null(choice) and choice.get("enum") != [""]]
    if len(real) == 1:
        found, real = {**real[0], **found}, []
    options = [_plain(choice, components, where) for choice in real] or [_leaf(found, components, where)]
    if len(options) == 1 and not nullable:
        return options[0]
    notes = _notes(found)
    alone = [{key: value for key, value in option.items() if key not in notes} for option in options]
    return {**notes, "anyOf": alone + ([{"type": "null"}] if nullable else [])}


def _notes(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in ("description", "default") if schema.get(key) is not None}


def _is_null(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "null" or schema.get("enum") == [None]


def _leaf(schema: Mapping[str, Any], components: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A schema of one type: kept keywords only, nested schemas in the plain form."""
    found = {key: value for key, value in schema.items() if key in KEPT}
    if "enum" in found:
        found["enum"] = [value for value in found["enum"] if value not in (None, "")]
        found.setdefault("type", "string")
    if "type" not in found:
        raise RouteError(f"{where} has no type; annotate the field or the parameter.")
    if found.get("default", ...) is None:
        del found["default"]
    if found["type"] == "array":
        found["items"] = _plain(found.get("items") or {}, components, where)
    if found["type"] == "object":
        found.update(_members(found, components, where))
    return found


def _members(schema: Mapping[str, Any], components: Mapping[str, Any], where: str) -> dict[str, Any]:
    members = {
        name: _described(name, _plain(member, components, f"{where}.{name}"))
        for name, member in schema.get("properties", {}).items()
        if not _resolved(member, components).get("readOnly")
    }
    rest = schema.get("additionalProperties")
    free = True if rest in ({}, True) else _plain(rest, components, where) if rest else not members
    required = [name for name in schema.get("required", ()) if name in members]
    return {"properties": members, "required": required, "additionalProperties": free}


def _repeatable(schema: dict[str, Any]) -> dict[str, Any]:
    """A query parameter that may be repeated is usually given once: one value stands for a list of it."""
    notes = _notes(schema)
    several = {key: value for key, value in schema.items() if key not in notes}
    return {**notes, "anyOf": [schema["items"], several]}


def _described(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A property always says what it is; without words of its own, by its name."""
    words = schema.pop("description", "").strip() or name.replace("_", " ").capitalize() + "."
    return {**schema, "description": words}
