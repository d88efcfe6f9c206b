"""Values that fit a JSON Schema of the tools, and values that just do not."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

Schema = Mapping[str, Any]
TEXT = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.isoformat().replace("+00:00", "Z")
)
FORMATS: Mapping[str, st.SearchStrategy[str]] = {
    "uuid": st.uuids().map(str),
    "email": st.from_regex(r"[a-z0-9]{1,12}(\.[a-z0-9]{1,8})?@[a-z0-9]{1,12}\.example", fullmatch=True),
    "uri": st.from_regex(r"https://[a-z]{1,12}\.example\.com/[a-z0-9/]{0,20}", fullmatch=True),
    "date-time": MOMENTS,
    "date": st.dates().map(str),
}


def fitting(schema: Schema) -> st.SearchStrategy[Any]:
    """Values of ``schema``."""
    if "anyOf" in schema:
        return st.one_of(*map(fitting, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return MAKERS[schema["type"]](schema)


def _text(schema: Schema) -> st.SearchStrategy[Any]:
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    if "pattern" in schema:
        ends = schema["pattern"].endswith("$")
        return st.from_regex(schema["pattern"].removesuffix("$") + (r"\Z" if ends else "")).filter(
            lambda text: "\0" not in text and schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", 10**6)
        )
    longest = schema.get("maxLength", 10**6)
    return st.text(TEXT, min_size=schema.get("minLength", 0), max_size=min(longest, 40)) | st.just(
        "x" * min(longest, 300)
    )


def _integer(schema: Schema) -> st.SearchStrategy[Any]:
    return st.integers(schema.get("minimum", -(2**31)), schema.get("maximum", 2**31 - 1))


def _number(schema: Schema) -> st.SearchStrategy[Any]:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1_000))
    most = schema.get("maximum", schema.get("exclusiveMaximum", 1_000_000))
    step = schema.get("multipleOf", 0.01)
    return st.integers(int(least / step) + 1, min(int(most / step) - 1, 10**9)).map(lambda n: round(n * step, 6))


def _list(schema: Schema) -> st.SearchStrategy[Any]:
    most = min(schema.get("maxItems", 4), 4)
    return st.lists(fitting(schema["items"]), min_size=schema.get("minItems", 0), max_size=most)


def _object(schema: Schema) -> st.SearchStrategy[Any]:
    properties = {name: fitting(inner) for name, inner in schema.get("properties", {}).items()}
    required = {name: properties.pop(name) for name in schema.get("required", ())}
    made = st.fixed_dictionaries(required, optional=properties)
    if schema.get("additionalProperties", True) is False or properties or required:
        return made
    return st.dictionaries(st.text(TEXT, min_size=1, max_size=8), st.integers() | st.text(TEXT, max_size=8), max_size=3)


MAKERS = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": lambda schema: st.booleans(),
    "array": _list,
    "object": _object,
    "null": lambda schema: st.none(),
}


def failing(schema: Schema) -> Iterator[tuple[str, Any]]:
    """Values outside of ``schema``, one for each of its words, with the word."""
    options = schema.get("anyOf", [schema])
    yield from _strangers({option["type"] for option in options})
    for option in options:
        for word, make in OUTSIDE.items():
            if word in option and not (word == "enum" and len(options) > 1):
                yield from ((word, value) for value in make(option))
        if option["type"] == "array":
            yield from ((f"items.{word}", [value]) for word, value in failing(option["items"]))


#: Word of a schema -> values that break it and nothing else.
OUTSIDE: Mapping[str, Callable[[Schema], list[Any]]] = {
    "enum": lambda schema: ["no-such-choice"],
    "minimum": lambda schema: [schema["minimum"] - 1],
    "exclusiveMinimum": lambda schema: [schema["exclusiveMinimum"]],
    "maximum": lambda schema: [schema["maximum"] + 1],
    "maxLength": lambda schema: [] if "format" in schema else ["x" * (schema["maxLength"] + 1)],
    "minLength": lambda schema: ["x" * (schema["minLength"] - 1)] if schema["minLength"] else [],
    "format": lambda schema: ["not of this format"] if schema["format"] in FORMATS else [],
    "maxItems": lambda schema: [["x"] * (schema["maxItems"] + 1)] if schema["items"].get("type") == "string" else [],
}


def _strangers(kinds: set[str]) -> Iterator[tuple[str, Any]]:
    others = {"string": "text", "integer": 5, "boolean": True, "array": [1], "object": {"a": 1}, "null": None}
    for kind, value in others.items():
        if kind not in kinds and not (kind == "integer" and "number" in kinds):
            yield "type", value
