"""Reads the arguments of one call against the tool's schema: every fault at once, in words a model can act on."""

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from kobana_mcp.schemas import Shape

#: A string that is exactly one JSON value of that type is read as that value: models send "10".
SPELLED: Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    "integer": (re.compile(r"-?(0|[1-9][0-9]{0,18})"), int),
    # As JSON itself reads it: a float of "9007199254740993" would be another number.
    "number": (re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?"), json.loads),
    "boolean": (re.compile(r"true|false"), "true".__eq__),
}

#: What no honest call exceeds; beyond it, checking would cost more than the call is worth.
MOST_FAULTS = 50
MOST_ENTRIES = 1_000

NAMES = {"integer": "an integer", "number": "a number", "boolean": "true or false", "string": "a string"}
NAMES |= {"object": "an object", "array": "a list", "null": "null"}

WORDS: Mapping[str, Callable[[Any], str]] = {
    "type": lambda wanted: f"Must be {NAMES.get(wanted, wanted)}.",
    "enum": lambda wanted: f"Must be one of: {', '.join(map(str, wanted))}.",
    "const": lambda wanted: f"Must be {wanted}.",
    "minimum": lambda wanted: f"Must be at least {wanted}.",
    "maximum": lambda wanted: f"Must be at most {wanted}.",
    "exclusiveMinimum": lambda wanted: f"Must be more than {wanted}.",
    "exclusiveMaximum": lambda wanted: f"Must be less than {wanted}.",
    "multipleOf": lambda wanted: f"Must be a multiple of {wanted}.",
    "minLength": lambda wanted: f"Must have at least {wanted} characters.",
    "maxLength": lambda wanted: f"Must have at most {wanted} characters.",
    "minItems": lambda wanted: f"Must have at least {wanted} entries.",
    "maxItems": lambda wanted: f"Must have at most {wanted} entries.",
    "uniqueItems": lambda wanted: "Must not have an entry twice.",
    "pattern": lambda wanted: f"Must match the pattern {wanted}.",
}


@dataclass(frozen=True)
class Arguments:
    """Checked arguments, each where the route takes it."""

    path: dict[str, Any] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    plain: dict[str, Any] = field(default_factory=dict)


class InvalidArguments(Exception):
    """What is wrong with the arguments of a call, by argument."""

    def __init__(self, faults: Mapping[str, list[str]]) -> None:
        super().__init__("invalid arguments")
        self.faults = faults


def read(shape: Shape, given: Mapping[str, Any]) -> Arguments:
    """The arguments ``given``, scalars read as their type and each in its place. Raises InvalidArguments."""
    _require_moderate(given)
    values = {name: _spelled(shape.schema.get("properties", {}).get(name, {}), value) for name, value in given.items()}
    faults: dict[str, list[str]] = {}
    for name, words in islice(chain(_faults(shape, values), _unstorable(values)), MOST_FAULTS):
        if words not in faults.setdefault(name, []):
            faults[name].append(words)
    if faults:
        raise InvalidArguments(faults)
    placed = Arguments(plain=values)
    for name, place in shape.places.items():
        if place == "query" and values.get(name) is not None:
            placed.query[name] = _queried(values[name], shape.joined.get(name))
        elif place != "query" and name in values:
            getattr(placed, place)[name] = values[name]
    return placed


def _queried(value: Any, joint: str | None) -> str | list[str]:
    """An argument as a query string spells it; several values of one parameter repeat it, or are joined."""
    if not isinstance(value, list):
        return _word(value)
    words = [_word(each) for each in value if each is not None]
    return words if joint is None else joint.join(words)


def _word(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _require_moderate(given: Any) -> None:
    """Raises InvalidArguments for an object or a list of more entries than any call needs, at whatever depth."""
    waiting = [given]
    for value in waiting:
        if isinstance(value, Mapping | list):
            if len(value) > MOST_ENTRIES:
                raise InvalidArguments({"": [f"No object and no list may have more than {MOST_ENTRIES} entries."]})
            waiting.extend(value.values() if isinstance(value, Mapping) else value)
            if len(waiting) > MOST_ENTRIES * 10:
                raise InvalidArguments({"": [f"There may be at most {MOST_ENTRIES * 10} values in all."]})


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not _compiled(pattern).search(instance):
        yield ValidationError(f"does not match {pattern}")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as ECMA-262 means it (JSON Schema 2020-12, core, 6.4): ``$`` is the very end, after any line break."""
    return re.compile(re.sub(r"\\.|\[(?:\\.|[^\]])*\]|\$", lambda m: r"\Z" if m[0] == "$" else m[0], pattern))


def _multiple(validator: Any, step: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """As decimals are written: to a float 1.1 is no multiple of 0.1, and an integer may be too large to be one."""
    if validator.is_type(instance, "number") and Fraction(str(instance)) % Fraction(str(step)):
        yield ValidationError(f"is no multiple of {step}")


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"pattern": _pattern, "multipleOf": _multiple}
)


@lru_cache(maxsize=1024)
def _validator(shape: Shape) -> Any:
    # An empty registry: no reference of a schema is ever fetched.
    return _Validator(shape.schema, registry=Registry())


def _spelled(schema: Mapping[str, Any], value: Any) -> Any:
    options = [option.get("type") for option in schema.get("anyOf", [schema])]
    wanted = [name for name in options if name != "null"]
    pattern, read_as = SPELLED.get(str(wanted[0]), (None, None)) if len(wanted) == 1 else (None, None)
    if isinstance(value, str):
        return read_as(value) if pattern and read_as and pattern.fullmatch(value) else value
    return _whole(schema, value)


def _whole(schema: Any, value: Any) -> Any:
    """``value`` with its whole floats as integers, at whatever depth ``schema`` wants some and no other numbers.

    5.0 is an integer to JSON Schema, and none to most serializers.
    """
    found = schema.get("anyOf", [schema]) if isinstance(schema, Mapping) else []
    options = [option for option in found if isinstance(option, Mapping)]
    kinds = {str(option.get("type")) for option in options}
    if isinstance(value, float):
        return int(value) if "integer" in kinds and "number" not in kinds and value.is_integer() else value
    if isinstance(value, list):
        inner: Any = next((option["items"] for option in options if isinstance(option.get("items"), Mapping)), {})
        return [_whole(inner, each) for each in value]
    if isinstance(value, Mapping):
        named: Any = next((option["properties"] for option in options if "properties" in option), {})
        return {name: _whole(named.get(name, {}), each) for name, each in value.items()}
    return value


def _faults(shape: Shape, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    error: Any  # a ValidationError; its attributes are typed for errors that were not set, too
    for error in _validator(shape).iter_errors(values):
        where = ".".join(str(step) for step in error.absolute_path)
        if error.validator == "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            yield from ((f"{where}.{name}".lstrip("."), "This is required.") for name in missing)
        elif error.validator == "additionalProperties":
            yield from _unknown(where, error)
        else:
            yield where, _words(error)


def _unknown(where: str, error: Any) -> Iterator[tuple[str, str]]:
    known = list(error.schema.get("properties", {}))
    for name in error.instance:
        if name not in known:
            near = difflib.get_close_matches(name[:64], known, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known here: {', '.join(known) or 'none'}."
            yield f"{where}.{_shown(name)}".lstrip("."), f"Unknown argument. {hint}"


def _words(error: Any) -> str:
    if error.validator == "anyOf":
        wrong_type = {inner.schema_path[0] for inner in error.context if inner.validator == "type" and not inner.path}
        of_right_type = [inner for inner in error.context if inner.schema_path[0] not in wrong_type]
        if of_right_type:
            return _words(of_right_type[0])
        wanted = [NAMES.get(choice.get("type"), "another value") for choice in error.validator_value]
        return f"Must be {' or '.join(wanted)} that fits the schema."
    return WORDS.get(str(error.validator), lambda wanted: "Does not fit the schema.")(error.validator_value)


def _unstorable(values: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Text that no database and no UTF-8 answer can hold: NUL and lone surrogates, at whatever depth."""
    if isinstance(values, str):
        if "\0" in values or (not values.isascii() and any("\ud800" <= character <= "\udfff" for character in values)):
            yield where, "Holds a NUL character or half a surrogate pair, which is no text."
    elif isinstance(values, Mapping):
        for name, value in values.items():
            yield from _unstorable(name, where or _shown(name))
            yield from _unstorable(value, f"{where}.{_shown(name)}".lstrip("."))
    elif isinstance(values, list):
        for index, value in enumerate(values):
            yield from _unstorable(value, f"{where}.{index}")


def _shown(name: str) -> str:
    """An argument's name as it can be printed, wherever it came from."""
    return name.encode("utf-8", "replace").decode()[:64].replace("\0", "?")
