"""JSON-RPC 2.0 on the wire: one strict reading of a body, and the building of answers.

Knows where the MCP envelope stands in a message, not what it means; knows nothing of HTTP.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NoReturn

from kobana_mcp.protocol.errors import InvalidRequest, MCPError, ParseError

MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 4300

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"

# A string, or a bracket. The closing quote is optional so that every quote matches: no backtracking, linear time.
_STRING_OR_BRACKET: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
# Decoded from UTF-8, only an escape can bring a surrogate in.
_SURROGATE: Final = re.compile(r"\\u[dD]")


class Kind(Enum):
    """What a message is: asked and answered, told, or itself an answer."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class Message:
    """One JSON-RPC message that was well formed.

    ``id`` is None unless this is a request: a response's id is one of the server's own and never echoed.
    """

    method: str | None
    id: str | int | None
    params: Mapping[str, Any]
    kind: Kind

    @property
    def meta(self) -> Mapping[str, Any]:
        """``params._meta``; empty when absent or not an object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def has_envelope(self) -> bool:
        """True when the message names its own protocol version, even by a value that is no version."""
        return VERSION_KEY in self.meta

    @property
    def envelope_version(self) -> Any:
        """The version as sent, of whatever type; None also when there is no envelope."""
        return self.meta.get(VERSION_KEY)


@dataclass(slots=True)
class _Objects:
    """Builds the decoder's objects and remembers what a dict forgets: that a key came twice."""

    doubled: bool = False
    last: list[tuple[str, Any]] = field(default_factory=list)  # once all is read, the outermost object's members

    def build(self, members: list[tuple[str, Any]]) -> dict[str, Any]:
        built = dict(members)
        self.doubled = self.doubled or len(built) != len(members)
        self.last = members
        return built

    @property
    def id(self) -> str | int | None:
        """The message's id, where there is exactly one and it is legal."""
        found = [value for key, value in self.last if key == "id"]
        return found[0] if len(found) == 1 and _is_id(found[0]) else None


def parse(body: bytes) -> Message:
    """Read one message, strictly.

    Args:
        body: the request body as sent.

    Raises: the first that applies, with the message's id wherever it could be read:
        ParseError: not UTF-8, not exactly one JSON document, or a number outside Python's range (JSON-RPC 2.0, 5.1).
        InvalidRequest: nesting, a doubled key, or any row of ``_RULES`` (JSON-RPC 2.0, section 4; RFC 7493, 2.3);
            a lone surrogate anywhere but in a tool's arguments, which their own validation answers (RFC 7493, 2.1).
    """
    objects = _Objects()
    try:
        text = body.decode()
        shallow = _cut_below(MAX_DEPTH, text)
        raw = json.loads(
            shallow, object_pairs_hook=objects.build, parse_float=_float, parse_int=_integer, parse_constant=_refuse
        )
    except ValueError:
        raise ParseError from None
    if not isinstance(raw, dict):
        raise InvalidRequest("The body must be one JSON object; batches are not supported")
    if shallow is not text:
        raise InvalidRequest(f"Nested deeper than {MAX_DEPTH} levels", request_id=objects.id)
    if objects.doubled:
        raise InvalidRequest("A key appears twice in one object", request_id=objects.id)
    for holds, sentence in _RULES:
        if not holds(raw):
            raise InvalidRequest(sentence, request_id=objects.id)
    if _SURROGATE.search(text) and not _is_unicode(_without_arguments(raw)):
        raise InvalidRequest("A string holds a lone surrogate", request_id=objects.id)
    return _message(raw)


def _message(raw: dict[str, Any]) -> Message:
    params = raw.get("params") or {}
    if "method" not in raw:
        return Message(method=None, id=None, params=params, kind=Kind.RESPONSE)
    kind = Kind.REQUEST if "id" in raw else Kind.NOTIFICATION
    return Message(method=raw["method"], id=raw.get("id"), params=params, kind=kind)


def _cut_below(limit: int, text: str) -> str:
    """The text without whatever is nested deeper than ``limit``; the very same object when nothing is.

    JSON parsers recurse, and how deep they may differs per Python version and stack: so none is shown a deep text.
    """
    if text.count("[") + text.count("{") <= limit:
        return text
    kept: list[str] = []
    depth = start = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        character = text[token.start()]
        if character in "[{":
            depth += 1
            if depth == limit + 1:
                kept.append(text[start : token.start()])
        elif character in "]}":
            if depth == limit + 1:
                kept.append("0")
                start = token.end()
            depth -= 1
    if depth <= limit:
        kept.append(text[start:])
    return "".join(kept) if len(kept) > 1 or depth > limit else text


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("out of range")
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS + text.startswith("-"):
        raise ValueError("too many digits")
    return int(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _is_unicode(value: Any) -> bool:
    """False when a string somewhere in the value holds a lone surrogate, which no UTF-8 can carry."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii() or _is_unicode(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _has_one_nature(raw: dict[str, Any]) -> bool:
    return ("method" in raw) != ("result" in raw or "error" in raw)


def _without_arguments(raw: dict[str, Any]) -> dict[str, Any]:
    return {**raw, "params": {**(raw.get("params") or {}), "arguments": None}}


_RULES: Final[tuple[tuple[Callable[[dict[str, Any]], bool], str], ...]] = (
    (lambda raw: raw.get("jsonrpc") == "2.0", 'jsonrpc must be "2.0"'),
    (lambda raw: "id" not in raw or _is_id(raw["id"]), "id must be a string or an integer"),
    (lambda raw: isinstance(raw.get("method", "-"), str) and raw.get("method") != "", "method must be a name"),
    (_has_one_nature, "A message has either a method, or a result or error"),
    (lambda raw: raw.get("params") is None or isinstance(raw["params"], dict), "params must be an object"),
)


def result(request_id: str | int | None, result: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request that went well."""
    return {"jsonrpc": "2.0", "id": request_id, "result": dict(result)}


def error(err: MCPError, request_id: str | int | None = None) -> dict[str, Any]:
    """The answer to a message that was refused.

    Args:
        err: what went wrong.
        request_id: the message's id; without one, the id that the error itself carries. Neither: no ``id`` member.
    """
    known_id = err.request_id if request_id is None else request_id
    members: dict[str, Any] = {"code": err.code, "message": err.message}
    if err.data is not None:
        members["data"] = dict(err.data)
    return {"jsonrpc": "2.0", **({} if known_id is None else {"id": known_id}), "error": members}
