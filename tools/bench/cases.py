"""What is measured, each beside a baseline of the same run: a row a comparison, with the ratio it may reach."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}


@dataclass(frozen=True)
class Request:
    """One HTTP request and a piece of text that a right answer holds."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None
    expect: bytes


@dataclass(frozen=True)
class Case:
    """``subject`` may cost ``limit`` times what ``baseline`` costs, in CPU of the server."""

    name: str
    subject: Request
    baseline: Request
    limit: float


def modern(token: str, method: str, expect: bytes, /, **params: Any) -> Request:
    """A message of revision 2026-07-28."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    headers |= {"MCP-Protocol-Version": VERSION, "Mcp-Method": method}
    if method == "tools/call":
        headers["Mcp-Name"] = params["name"]
    return Request("POST", "/mcp", headers, json.dumps(body).encode(), expect)


def legacy(token: str, method: str, expect: bytes) -> Request:
    """A message of revision 2025-06-18, as a client sends it that says no version."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return Request("POST", "/mcp", headers, body, expect)


def cases(token: str) -> list[Case]:
    """Every comparison, for a person with ``token`` at the endpoint."""
    ping = legacy(token, "ping", b'"result": {}')
    floor = Request("POST", "/bench/constant", ping.headers, ping.body, b'"result": {}')
    return [
        Case("ping", ping, floor, 1.3),
        Case("server/discover", modern(token, "server/discover", b"supportedVersions"), floor, 1.3),
    ]
