"""JSON Schema in the plain form that all clients take.

Clients drop a tool, or the whole list, over a reference, a type array or a combinator at the root; so references are
inlined, null is spelled ``anyOf`` and everything that is no constraint or description is left out.
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from jsonschema import Draft202012Validator

from kobana_mcp.routes import RouteError

KEPT = (
    *("type", "format", "description", "enum", "const", "default", "pattern", "items", "properties", "required"),
    *("additionalProperties", "anyOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)


def as_json(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as it will be sent: decimals as numbers, dates and lazy texts as text."""
    found: dict[str, Any] = json.loads(json.dumps(schema, default=_plain_value))
    Draft202012Validator.check_schema(found)
    return found


def _plain_value(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else DjangoJSONEncoder().default(value)


def resolved(schema: Mapping[str, Any], components: Mapping[str, Any], trail: set[str] | None = None) -> dict[str, Any]:
    """``schema`` with its reference, or its single ``allOf`` member, taken in; what stands beside them wins.

    The names of the components on the way are added to ``trail``.
    """
    found, seen = dict(schema), set() if trail is None else trail
    while "$ref" in found or len(found.get("allOf", ())) == 1:
        if "allOf" in found:
            inner = found.pop("allOf")[0]
        else:
            name = found.pop("$ref").rpartition("/")[2]
            seen.add(name)
            inner = components[name]
        found = {**inner, **found}
    return found


def plain(schema: Mapping[str, Any], components: Mapping[str, Any], where: str) -> dict[str, Any]:
    """One schema in the plain form. Raises RouteError where it has no type."""
    found = resolved(schema, components)
    choices = [resolved(choice, components) for choice in found.pop("oneOf", found.pop("anyOf", ()))]
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
    options = [plain(choice, components, where) for choice in real] or [_leaf(found, components, where)]
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
        found["items"] = plain(found.get("items") or {}, components, where)
    if found["type"] == "object":
        found.update(_members(found, components, where))
    return found


def _members(schema: Mapping[str, Any], components: Mapping[str, Any], where: str) -> dict[str, Any]:
    members = {
        name: described(name, plain(member, components, f"{where}.{name}"))
        for name, member in schema.get("properties", {}).items()
        if not resolved(member, components).get("readOnly")
    }
    rest = schema.get("additionalProperties")
    free = True if rest in ({}, True) else plain(rest, components, where) if rest else not members
    required = [name for name in schema.get("required", ()) if name in members]
    return {"properties": members, "required": required, "additionalProperties": free}


def repeatable(schema: dict[str, Any]) -> dict[str, Any]:
    """A query parameter that may be repeated is usually given once: one value stands for a list of it."""
    notes = _notes(schema)
    several = {key: value for key, value in schema.items() if key not in notes}
    return {**notes, "anyOf": [schema["items"], several]}


def described(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A property always says what it is; without words of its own, by its name."""
    words = schema.pop("description", "").strip() or name.replace("_", " ").capitalize() + "."
    return {**schema, "description": words}
