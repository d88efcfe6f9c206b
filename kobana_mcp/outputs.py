"""The output schema of a route, from what its API documents of its answers, in the form that all clients take.

A client may throw away a result that does not fit. So nothing is asserted that the API does not write itself: bounds
bind what is sent in, formats are checked by every client in its own way, and what is not documented stays open.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kobana_mcp.plain import as_json, described, resolved

Schema = Mapping[str, Any]

#: Formats that mean the same to every validator. An address may be odd, and a time without zone fails many of them.
FORMATS = ("uuid", "date")
NULL: Schema = {"type": "null"}
BLANK: Schema = {"type": "string", "maxLength": 0}
ANYTHING: Schema = {"description": "Any value."}
#: What stands for an answer without a body (see ``handlers.answers``).
DONE: Schema = {
    "type": "object",
    "properties": {
        "status": {"type": "integer", "description": "HTTP status of the API."},
        "message": {"type": "string", "description": "What became of the call."},
    },
    "required": ["status", "message"],
}
WITHOUT_BODY = ("204", "202")


def output_schema(answers: Mapping[str, Schema | None], components: Schema) -> dict[str, Any] | None:
    """The schema that every documented success of an operation fits.

    Args:
        answers: for each status of success, the schema of its body; None where no body is documented.
        components: what references lead to.

    Returns None where nothing is known of an answer, or where one is no object.
    """
    found: list[Schema] = []
    for status, body in answers.items():
        if body is None and status not in WITHOUT_BODY:
            return None
        found.append(DONE if body is None else _plain(body, components, frozenset()))
    if not found or any(schema.get("type") != "object" for schema in found):
        return None
    return as_json(_united(found))


def _united(schemas: list[Schema]) -> Schema:
    """One object that all of them fit: clients choke on alternatives at the root."""
    different = _distinct(schemas)
    if len(different) == 1:
        return different[0]
    properties: dict[str, Any] = {}
    for name in dict.fromkeys(name for schema in different for name in schema["properties"]):
        members = _distinct(schema["properties"][name] for schema in different if name in schema["properties"])
        properties[name] = _any_of(members, {"description": members[0]["description"]})
    required = [name for name in properties if all(name in schema["required"] for schema in different)]
    return {"type": "object", "properties": properties, "required": required}


def _plain(schema: Schema, components: Schema, entered: frozenset[str]) -> dict[str, Any]:
    """One schema in the plain form. A component inside of itself is any value there."""
    trail: set[str] = set()
    found = resolved(schema, components, trail)
    if trail & entered:
        return dict(ANYTHING)
    entered |= trail
    kinds = found.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    choices = found.get("oneOf") or found.get("anyOf")
    if choices:
        options = [option for choice in choices for option in _split(_plain(choice, components, entered))]
    else:
        options = [option for kind in kinds for option in _of_kind(found, kind, components, entered)]
    if found.get("nullable"):
        options.append(NULL)
    notes = {"description": found["description"]} if found.get("description") else {}
    return _any_of(options, notes)


def _any_of(options: Iterable[Schema], notes: Schema) -> dict[str, Any]:
    different = _distinct(options)
    if not all(option.keys() & {"type", "anyOf"} for option in different) or not different:
        return {**ANYTHING, **notes}
    if len(different) == 1:
        return {**different[0], **notes}
    bare = [{key: value for key, value in option.items() if key not in notes} for option in different]
    return {**notes, "anyOf": [each for option in bare for each in _split(option)]}


def _split(schema: Schema) -> list[Schema]:
    """The alternatives of a schema that has nothing else; else the schema itself."""
    return list(schema["anyOf"]) if "anyOf" in schema else [schema]


def _distinct(schemas: Iterable[Schema]) -> list[Schema]:
    found: list[Schema] = []
    for schema in schemas:
        if schema not in found:
            found.append(schema)
    return found


def _of_kind(schema: Schema, kind: str | None, components: Schema, entered: frozenset[str]) -> list[Schema]:
    """What ``schema`` says of values of one type, as one schema or several."""
    if "enum" in schema and kind != "null":
        return _of_values(schema["enum"], kind)
    if kind == "array":
        return [{"type": "array", "items": _plain(schema.get("items") or {}, components, entered)}]
    if kind == "object":
        return [_object(schema, components, entered)]
    if kind in (None, "null"):
        return [NULL if kind else ANYTHING]
    return [{"type": kind, **{key: schema[key] for key in ("format",) if schema.get(key) in FORMATS}}]


def _of_values(values: Iterable[Any], kind: str | None) -> list[Schema]:
    """Of an enumeration: null and the empty text stand for themselves, for clients take neither as a value of one."""
    named = [value for value in values if value not in (None, "")]
    if named and kind is None and not all(isinstance(value, str) for value in named):
        return [ANYTHING]
    found: list[Schema] = [{"type": kind or "string", "enum": named}] if named else []
    return found + [schema for value, schema in ((None, NULL), ("", BLANK)) if value in values]


def _object(schema: Schema, components: Schema, entered: frozenset[str]) -> Schema:
    members = {
        name: described(name, _plain(member, components, entered))
        for name, member in schema.get("properties", {}).items()
        if not resolved(member, components).get("writeOnly")
    }
    required = [name for name in schema.get("required", ()) if name in members]
    found: dict[str, Any] = {"type": "object", "properties": members, "required": required}
    rest = schema.get("additionalProperties")
    if isinstance(rest, bool) or rest == {}:
        found["additionalProperties"] = rest is not False
    elif rest is not None:
        found["additionalProperties"] = _plain(rest, components, entered)
    return found
