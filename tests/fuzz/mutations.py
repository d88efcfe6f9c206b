"""Good messages of both eras, and the ways to spoil them: each is a function of two numbers, so that it shrinks."""

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kobana_mcp.testing import MCPClient

NAMES: Final = ("emails_list", "emails_get", "inboxes_delete", "workspaces_list", "no_such")

#: Method and params of messages that are good in one era or both.
SEEDS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("tools/list", {}),
    ("tools/list", {"cursor": "x"}),
    ("server/discover", {}),
    ("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
    ("ping", {}),
    ("notifications/initialized", {}),
    ("resources/read", {"uri": "kobana://inbox/me"}),
    ("prompts/get", {"name": "x", "arguments": {}}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}),
    ("tools/call", {"name": "emails_list", "arguments": {"limit": 5, "status": ["failed"], "q": "abc"}}),
    ("tools/call", {"name": "emails_get", "arguments": {"id": "01a23026-7794-749a-8d8c-f03992428be3"}}),
    ("tools/call", {"name": "workspaces_list", "arguments": {}, "_meta": {"progressToken": 1}}),
    ("tools/call", {"name": "inboxes_delete", "arguments": {"id": "x"}, "requestState": "a:b:c", "inputResponses": {}}),
)
IDS: Final = (1, 0, -1, "", "a", "0", "Füße 日本 😀", 2**70)

VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**70, "", "\0", "\ud800", "\udfffx", "😀", "2026-07-28", "2025-06-18"),
    *("x" * 3000, [], {}, [[]], {"": {}}, [None] * 100, {"a": "b"}, "tools/call", "../x", "%2F", "=?base64?eA==?="),
    *({"elicitation": {}}, {"confirm": {"action": "accept", "content": {"confirm": True}}}, -32600, "2.0"),
)
TOKENS: Final = (
    *(b"NaN", b"Infinity", b"1e999", b"-0", b"9" * 5000, b"\xff", b"\xef\xbb\xbf", b"\\ud800", b"\\u0000", b"\x00"),
    *(
        b"[" * 70,
        b'{"a":' * 70,
        b"}",
        b"]",
        b'"',
        b",",
        b":",
        b"\\",
        b'"id":2,',
        b'"method":"ping",',
        b"{}",
        b" ",
        b"\n",
    ),
)
HEADERS: Final = (
    *("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-X", "Content-Encoding", "Accept", "Origin"),
    *("Mcp-Session-Id", "X-Workspace-Id", "Accept-Language", "Authorization", "Host", "Content-Type", "X-Request-Id"),
)
STATED: Final = (
    *(None, "", " ", "2026-07-28", "2025-06-18", "2025-03-26", "2025-11-25", "1999-01-01", "2026-07-28,2026-07-28"),
    *("tools/call", "tools/list", "emails_list", "=?base64?ZW1haWxzX2xpc3Q=?=", "=?base64?%?=", "=?base64?/w==?="),
    *("\xff", "a\tb", "x" * 8000, "gzip", "identity", "null", "https://evil.test", "Bearer x", "Basic eDp5", "a\x7f"),
)

Body = bytes
Headers = dict[str, str | None]


def seed(mcp: MCPClient, number: int) -> tuple[Any, Headers]:
    """One of the good messages, as a value, and the headers that belong to it."""
    method, params = SEEDS[number % len(SEEDS)]
    id = None if method.startswith("notifications/") else IDS[number // len(SEEDS) % len(IDS)]
    return copy.deepcopy(mcp.message(method, params, id)), dict(mcp.headers_for(method, params))


def spoil_members(message: Any, a: int, b: int) -> Any:
    """Replaces, removes or adds a member somewhere in the message."""
    value = copy.deepcopy(VALUES[b % len(VALUES)])
    places = list(_places(message))
    holder, key = places[a % len(places)]
    action = (a // len(places)) % 3
    if action == 0:
        holder[key] = value
    elif action == 1:
        del holder[key]
    elif isinstance(holder, dict):
        holder[str(value)[:40]] = value
    else:
        holder.append(value)
    return message if message else {"jsonrpc": "2.0"}


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key) of everything in a value."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list) and inner:
            yield from _places(inner)


def spoil_bytes(body: Body, a: int, b: int) -> Body:
    """Changes, inserts, removes or doubles octets somewhere in the body."""
    at = a % (len(body) + 1)
    action, rest = b % 5, b // 5
    token = TOKENS[rest % len(TOKENS)]
    if action == 0:
        return body[:at] + token + body[at:]
    if action == 1:
        return body[:at] + token + body[at + len(token) :]
    if action == 2:
        return body[:at] + body[at + 1 + rest % 8 :]
    if action == 3:
        return body[:at] + bytes([rest % 256]) + body[at + 1 :]
    return body[:at] if rest % 2 else body[:at] + body[at // 2 : at] + body[at:]


def spoil_headers(headers: Headers, a: int, b: int) -> Headers:
    """Changes, adds or takes away a header."""
    return {**headers, HEADERS[a % len(HEADERS)]: STATED[b % len(STATED)]}


def spoiled(mcp: MCPClient, number: int, steps: list[tuple[str, int, int]]) -> tuple[Body, Headers]:
    """A message after all steps: members first, then octets."""
    message, headers = seed(mcp, number)
    for kind, a, b in steps:
        if kind == "members":
            message = spoil_members(message, a, b)
        elif kind == "headers":
            headers = spoil_headers(headers, a, b)
    body = json.dumps(message, ensure_ascii=len(steps) % 2 == 0).encode("utf-8", "surrogatepass")
    for kind, a, b in steps:
        body = spoil_bytes(body, a, b) if kind == "bytes" else body
    return body, headers
