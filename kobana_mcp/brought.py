"""The JSON Schemas that tools bring themselves: what can be seen to be wrong with one before anybody calls it."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from kobana_mcp.registry import Tool

Schema = Mapping[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: RFC 9110, 5.6.2: what the name of a header is made of.
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
HEADER = "x-mcp-header"
MIRRORED = ("string", "integer", "boolean")
#: Beyond it, not every reader of a header gets the same integer.
SAFE = 2**53 - 1

PROPERTIES_ALONE = re.compile(r"#(/properties/[^/]*)+")

#: Keywords that hold schemas: under names of their own, one, or several in a row. All others hold data.
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
ONE = (
    *("additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains"),
    *("not", "if", "then", "else", "contentSchema"),
)
SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")


class Kind(Enum):
    """What a fault is about."""

    FORM = "form"
    REFERENCE = "reference"
    HEADER = "header"


class Fault(NamedTuple):
    kind: Kind
    words: str


class Part(NamedTuple):
    """A schema inside of a schema.

    Args:
        where: its JSON pointer; keyword: what it stands under; schema: a mapping, true or false.
    """

    where: str
    keyword: str
    schema: Any


def faults(tool: Tool) -> Iterator[Fault]:
    """Everything that is wrong with the schemas ``tool`` brings."""
    for name, schema in (("input", tool.input_schema), ("output", tool.output_schema)):
        if schema is None:
            continue
        form = list(_form(schema))
        yield from (Fault(Kind.FORM, f"its {name} schema {words}") for words in form)
        if not form:
            yield from (Fault(Kind.REFERENCE, f"its {name} schema {words}") for words in _references(schema))
        if not form and name == "input":
            yield from (Fault(Kind.HEADER, f"its {name} schema {words}") for words in _headers(schema))


def _form(schema: Any) -> Iterator[str]:
    """What keeps ``schema`` from being JSON Schema 2020-12 of an object."""
    if not isinstance(schema, Mapping):
        yield "is no JSON Schema"
        return
    if str(schema.get("$schema", DIALECT)).rstrip("#") != DIALECT:
        yield f"is written in {schema['$schema']}; only {DIALECT} is read here"
        return
    try:
        Draft202012Validator.check_schema(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    except SchemaError as error:
        yield f"is no JSON Schema: {error.message}"
        return
    if schema.get("type") != "object":
        yield 'is not of an object: its root needs "type": "object"'
    for part in _parts(schema):
        if isinstance(part.schema, bool) and part.keyword in ("properties", "anyOf", "oneOf", "allOf"):
            yield f"says nothing at {part.where} but {str(part.schema).lower()}, over which clients drop a tool"


def _references(schema: Schema) -> Iterator[str]:
    """References that lead out of ``schema``, or nowhere. None is ever fetched, so nothing could be checked by them."""
    root: Resource[Any] = DRAFT202012.create_resource(schema)
    resolver = Registry().resolver_with_root(root)
    for where, _, part in _parts(schema):
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(part, bool) or keyword not in part:
                continue
            if not part[keyword].startswith("#"):
                yield f"refers to {part[keyword]} at {where}: no reference to another document is followed"
                continue
            try:
                resolver.lookup(part[keyword])
            except Unresolvable:
                yield f"refers to {part[keyword]} at {where}, which is not there"


def _headers(schema: Schema) -> Iterator[str]:
    """What is wrong with the headers ``schema`` asks for (2026-07-28, server/tools, "x-mcp-header")."""
    seen: dict[str, str] = {}
    for where, _, part in _parts(schema):
        if isinstance(part, bool) or HEADER not in part:
            continue
        name = part[HEADER]
        if not (isinstance(name, str) and TOKEN.fullmatch(name)):
            yield f"has an {HEADER} at {where} that names no header: {name!r}"
        elif name.lower() in seen:
            yield f"has the {HEADER} {name!r} twice, at {seen[name.lower()]} and {where}; case makes no difference"
        else:
            seen[name.lower()] = where
        if part.get("type") not in MIRRORED:
            yield f"has an {HEADER} at {where}, which is none of: {', '.join(MIRRORED)}"
        elif any(abs(part.get(bound, 0)) > SAFE for bound in ("minimum", "maximum")):
            yield f"has an {HEADER} at {where} on integers beyond 2**53-1"
        if not PROPERTIES_ALONE.fullmatch(where):
            yield f"has an {HEADER} at {where}, where more than properties leads to"


def _parts(schema: Any, where: str = "#", keyword: str = "") -> Iterator[Part]:
    """The schema itself, and every schema in it."""
    yield Part(where, keyword, schema)
    for name, value in schema.items() if isinstance(schema, Mapping) else ():
        inside = f"{where}/{name}"
        if name in NAMED and isinstance(value, Mapping):
            for key, inner in value.items():
                yield from _parts(inner, f"{inside}/{key.replace('~', '~0').replace('/', '~1')}", name)
        elif name in ONE and isinstance(value, Mapping | bool):
            yield from _parts(value, inside, name)
        elif name in SEVERAL and isinstance(value, list):
            for index, inner in enumerate(value):
                yield from _parts(inner, f"{inside}/{index}", name)
