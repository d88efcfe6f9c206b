"""What is measured, each beside a baseline of the same run: a row a comparison, with what it may cost."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}

#: What takes part in each server of a run, as its environment says it.
SERVERS: Mapping[str, Mapping[str, str]] = {
    "bare": {},
    "limited": {"BENCH_LIMITER": "1"},
    "audited": {"BENCH_AUDIT": "1"},
    "500 tools": {"BENCH_LIMITER": "1", "BENCH_TOOLS": "500"},
    "500 silent tools": {"BENCH_LIMITER": "1", "BENCH_TOOLS": "500", "BENCH_SILENT": "1"},
}


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
    """``subject`` on one server beside ``baseline`` on another, or the same.

    Args:
        servers: where the two run.
        times: the most that the subject may cost, as a multiple of the baseline; None for no limit.
        more: the most that it may cost, in milliseconds above the baseline; None for no limit.
    """

    name: str
    subject: Request
    baseline: Request
    servers: tuple[str, str]
    times: float | None = None
    more: float | None = None

    def is_kept(self, subject: float, baseline: float) -> bool:
        """Whether the two costs, in milliseconds, are within the limits."""
        return (self.times is None or subject <= baseline * self.times) and (
            self.more is None or subject - baseline <= self.more
        )


@dataclass(frozen=True)
class Caller:
    """A person at both doors: a token for each, a workspace, and the id of an e-mail there."""

    mcp_token: str
    api_token: str
    workspace: str
    email: str

    def headers(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}", "X-Workspace-Id": self.workspace}

    def modern(self, method: str, expect: bytes, /, **params: Any) -> Request:
        """A message of revision 2026-07-28."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        headers = {**self.headers(self.mcp_token), "Content-Type": "application/json"}
        headers |= {"MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        if method == "tools/call":
            headers["Mcp-Name"] = params["name"]
        return Request("POST", "/mcp", headers, json.dumps(body).encode(), expect)

    def call(self, tool: str, expect: bytes, **arguments: Any) -> Request:
        return self.modern("tools/call", expect, name=tool, arguments=arguments)

    def legacy(self, method: str, expect: bytes) -> Request:
        """A message of revision 2025-06-18, as a client sends it that says no version."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode()
        headers = {**self.headers(self.mcp_token), "Content-Type": "application/json"}
        return Request("POST", "/mcp", headers, body, expect)

    def rest(self, path: str, expect: bytes) -> Request:
        return Request("GET", f"/api/v1/{path}", self.headers(self.api_token), None, expect)


def cases(caller: Caller) -> list[Case]:
    """Every comparison, for ``caller``."""
    ping = caller.legacy("ping", b'"result": {}')
    floor = Request("POST", "/bench/constant", ping.headers, ping.body, b'"result": {}')
    discover = caller.modern("server/discover", b"supportedVersions")
    listing = caller.modern("tools/list", b"emails_list")
    listed = caller.call("emails_list", b"next_cursor", limit=10)
    read = caller.call("emails_get", b"attachments", id=caller.email)
    rest_list, rest_read = (
        caller.rest("emails?limit=10", b"next_cursor"),
        caller.rest(f"emails/{caller.email}", b"attachments"),
    )
    limited, bare = ("limited", "limited"), ("bare", "bare")
    return [
        Case("ping", ping, floor, limited, times=1.3),
        Case("server/discover", discover, floor, limited, times=1.3),
        Case("tools/list", listing, floor, limited, more=0.5),
        Case("tools/list, 500 tools", listing, floor, ("500 tools", "limited"), more=2.0),
        Case("... each asked", listing, floor, ("500 silent tools", "limited")),
        Case("emails_list, as REST", listed, rest_list, bare, times=1.15),
        Case("emails_get, as REST", read, rest_read, bare, times=1.15),
        Case("the limiter", listed, listed, ("limited", "bare")),
        Case("the audit row", listed, listed, ("audited", "bare")),
    ]
