"""How an answer is written: one line of JSON, some parts of which may be JSON already."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Encoded:
    """A part of a result that is JSON already, on one line; it is sent as it is."""

    text: str


_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def encode(payload: Mapping[str, Any]) -> bytes:
    """One line of JSON in UTF-8. A lone surrogate becomes ``?``; NaN and Infinity raise ValueError.

    The members of the result may be ``Encoded``, or lists of it.
    """
    result = payload.get("result")
    written = _object({**payload, "result": Encoded(_object(result))} if isinstance(result, dict) else payload)
    return written.encode("utf-8", "replace")


def encoded(value: Any) -> Encoded:
    """``value`` as JSON, to be sent more than once."""
    return Encoded(_JSON.encode(value))


def _object(members: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{_JSON.encode(name)}: {_value(value)}" for name, value in members.items()) + "}"


def _value(value: Any) -> str:
    if isinstance(value, Encoded):
        return value.text
    if isinstance(value, list) and value and isinstance(value[0], Encoded):
        return "[" + ", ".join(each.text for each in value) + "]"
    return _JSON.encode(value)
