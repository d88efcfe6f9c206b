"""The HTTP headers that repeat what a message says, so that intermediaries can route without reading it.

Modern era only (2026-07-28, basic/transports/streamable-http, "Request Metadata" and "Custom Headers").
Knows names, encoding and comparison; whether a message must be checked at all is decided elsewhere.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from kobana_mcp.protocol.errors import HeaderMismatch

VERSION: Final = "mcp-protocol-version"

_PREFIX: Final = "=?base64?"
_SUFFIX: Final = "?="
_WHOLE_NUMBER: Final = re.compile(r"(-?[0-9]+)(?:\.0+)?", re.ASCII)


class Named(NamedTuple):
    """Which parameter a method shows in ``Mcp-Name``, and whether it must."""

    parameter: str
    required: bool


NAMED: Final[Mapping[str, Named]] = MappingProxyType(
    {
        "tools/call": Named("name", required=True),
        "prompts/get": Named("name", required=False),
        "resources/read": Named("uri", required=False),
    }
)


def trimmed(headers: Mapping[str, str], name: str) -> str | None:
    """The header's value without outer spaces and tabs (RFC 9110, 5.5); None when it was not sent."""
    value = headers.get(name)
    return None if value is None else value.strip(" \t")


def decode(value: str) -> str:
    """The text a header value stands for: ``=?base64?…?=`` is decoded, all else is literal, half a wrapping too.

    Raises:
        ValueError: inside the wrapping is not canonical base64, or not UTF-8 ("Value Encoding").
    """
    value = value.strip(" \t")
    wrapped = value.startswith(_PREFIX) and value.endswith(_SUFFIX) and len(value) >= len(_PREFIX) + len(_SUFFIX)
    if not wrapped:
        return value
    payload = value[len(_PREFIX) : -len(_SUFFIX)]
    octets = base64.b64decode(payload, validate=True)
    if base64.b64encode(octets).decode() != payload:
        raise ValueError("not canonical base64")
    return octets.decode()


def check_mirrored(method: str, params: Mapping[str, Any], headers: Mapping[str, str]) -> None:
    """Compare ``Mcp-Method`` and ``Mcp-Name`` with the message.

    A ``tools/call`` that names no tool has nothing to repeat: without the header it passes, and its params are refused.

    Args:
        method: the message's method; compared as it is, the sentinel means nothing here.
        params: the message's params.
        headers: lower-case names; a header sent twice arrives joined by a comma and so equals nothing.

    Raises:
        HeaderMismatch: the first that is missing, malformed or different ("Server Validation").
    """
    stated = _stated("Mcp-Method", headers)
    if stated != method:
        raise HeaderMismatch(_missing_or_different("Mcp-Method", stated, "the message's method"))
    named = NAMED.get(method)
    if named is None:
        return
    name = params.get(named.parameter)
    stated = _decoded("Mcp-Name", headers)
    if stated is None and not (named.required and isinstance(name, str)):
        return
    if stated != name:
        raise HeaderMismatch(_missing_or_different("Mcp-Name", stated, f"params.{named.parameter}"))


def check_parameters(schema: Mapping[str, Any], arguments: Mapping[str, Any], headers: Mapping[str, str]) -> None:
    """Compare every ``Mcp-Param-*`` a tool's input schema asks for (``x-mcp-header``) with the call's arguments.

    Header and argument are present together, and equal, or absent together; a null argument is absent. An argument
    that is an object or array has no header form.

    Raises:
        HeaderMismatch: the first that is missing, superfluous, malformed or different ("Custom Headers").
    """
    for token, kind, value in _annotated(schema, arguments):
        name = f"Mcp-Param-{token}"
        stated = _decoded(name, headers)
        expected = _rendered(value)
        if stated != expected and not (kind == "integer" and _same_number(stated, value)):
            raise HeaderMismatch(_missing_or_different(name, stated, "the argument it repeats"))


def _annotated(schema: Mapping[str, Any], arguments: Any) -> Iterator[tuple[str, Any, Any]]:
    """(header token, schema type, argument) of every annotated property, nested ``properties`` included."""
    given = arguments if isinstance(arguments, Mapping) else {}
    for name, part in schema.get("properties", {}).items():
        if not isinstance(part, Mapping):
            continue
        if "x-mcp-header" in part:
            yield part["x-mcp-header"], part.get("type"), given.get(name)
        yield from _annotated(part, given.get(name))


def _rendered(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


def _same_number(stated: str | None, value: Any) -> bool:
    """True when both are the same integer: ``042`` and ``42.0`` are 42, ``4.2e1`` is not read."""
    written = _WHOLE_NUMBER.fullmatch(stated or "")
    if written is None or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return int(written[1]) == value
    except ValueError:  # more digits than Python reads
        return False


def _stated(name: str, headers: Mapping[str, str]) -> str | None:
    value = trimmed(headers, name.lower())
    if value is not None and not (value.isascii() and value.replace("\t", " ").isprintable()):
        raise HeaderMismatch(f"{name} holds bytes that no header value may hold")
    return value


def _decoded(name: str, headers: Mapping[str, str]) -> str | None:
    value = _stated(name, headers)
    try:
        return None if value is None else decode(value)
    except ValueError:
        raise HeaderMismatch(f"{name} is not valid base64 of UTF-8 text") from None


def _missing_or_different(name: str, stated: str | None, what: str) -> str:
    return f"{name} is missing" if stated is None else f"{name} differs from {what}"
