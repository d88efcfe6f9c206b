"""How an answer is written: one line of JSON, some parts of which may be JSON already."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Encoded:
    """A part of a result that is JSON in UTF-8 already, on one line; it is sent as it is."""

    octets: bytes


_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def encode(payload: Mapping[str, Any]) -> bytes:
    """One line of JSON in UTF-8. A lone surrogate becomes ``?``; NaN and Infinity raise ValueError.

    The members of the result may be ``Encoded``.
    """
    result = payload.get("result")
    return _object({**payload, "result": Encoded(_object(result))} if isinstance(result, dict) else payload)


def encoded(value: Any) -> Encoded:
    """``value`` as JSON, to be sent more than once."""
    return Encoded(_octets(value))


def listed(values: Iterable[Encoded]) -> Encoded:
    """The list of ``values``."""
    return Encoded(b"[" + b", ".join(each.octets for each in values) + b"]")


def _object(members: Mapping[str, Any]) -> bytes:
    return b"{" + b", ".join(_octets(name) + b": " + _octets(value) for name, value in members.items()) + b"}"


def _octets(value: Any) -> bytes:
    return value.octets if isinstance(value, Encoded) else _JSON.encode(value).encode("utf-8", "replace")
