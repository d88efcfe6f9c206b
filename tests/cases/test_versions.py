"""Cases V: which revision a message speaks, and what is said to one that is not spoken."""

import pytest

from kobana_mcp.protocol.eras import SUPPORTED
from tests.cases.speech import ABSENT, META, post, refusal

NEWER = "2025-11-25"
VERSION, CAPABILITIES = META + "protocolVersion", META + "clientCapabilities"
CLAUDE_CODE = {
    CAPABILITIES: {"elicitation": {}, "roots": {"listChanged": True}},
    META + "clientInfo": {
        "name": "claude-code",
        "title": "Claude Code",
        "version": "2.1.260",
        "description": "d",
        "websiteUrl": "https://example.test",
    },
    VERSION: "2026-07-28",
}


def initialize(version, id=1, **more):
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "0"}, **more}
    return {"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params}


def discover(meta, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": "server/discover", "params": {"_meta": meta}}


@pytest.mark.parametrize("asked", [NEWER, "2099-01-01", "2026-07-28"])
@pytest.mark.proves("initialize-other")
def test_v_01_a_newer_handshake_is_negotiated_down(legacy, asked):
    answer = post(legacy, initialize(asked), MCP_Protocol_Version=None)
    assert (answer.status_code, answer.json()["result"]["protocolVersion"]) == (200, "2025-06-18")


def test_v_01_a_header_that_is_not_spoken_is_refused_on_initialize_too(legacy):
    """The contract wins over the case: a version in the header is refused in either era, as the transport page says."""
    answer = post(legacy, initialize(NEWER), MCP_Protocol_Version=NEWER)
    assert refusal(answer) == (400, -32022, 1)
    assert answer.json()["error"]["data"] == {"supported": list(SUPPORTED), "requested": NEWER}


@pytest.mark.parametrize(
    ("asked", "given"),
    [("2024-11-05", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("x", "2025-06-18")],
)
@pytest.mark.proves("initialize-same", "initialize-other", "operation-version")
def test_v_02_a_spoken_version_is_echoed_and_another_is_answered_by_the_latest(legacy, asked, given):
    answer = post(legacy, initialize(asked, id=0), MCP_Protocol_Version=None)
    assert (answer.status_code, answer.json()["id"]) == (200, 0)
    assert answer.json()["result"]["protocolVersion"] == answer.headers["MCP-Protocol-Version"] == given


@pytest.mark.proves("version-discover", "result-type", "cache-hints", "cache-ttl")
def test_v_04_a_probe_by_discover_is_answered_with_its_own_id(modern):
    answer = post(modern, discover(CLAUDE_CODE, id="server-discover-probe-1"), "server/discover")
    assert (answer.status_code, answer.json()["id"]) == (200, "server-discover-probe-1")
    result = answer.json()["result"]
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == list(SUPPORTED)
    assert isinstance(result["capabilities"], dict)
    assert result["ttlMs"] >= 0 and result["cacheScope"] in ("public", "private")
    assert set(result["_meta"][META + "serverInfo"]) == {"name", "title", "version"}


def test_v_05_the_python_client_of_the_legacy_eras_is_served(legacy):
    first = post(legacy, initialize(NEWER, _meta={}), MCP_Protocol_Version=None)
    assert first.json()["result"]["protocolVersion"] == "2025-06-18"
    told = post(legacy, {"jsonrpc": "2.0", "method": "notifications/initialized", "params": {"_meta": {}}})
    assert told.status_code == 202
    listed = post(legacy, {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": {}}})
    assert listed.json()["result"]["tools"]
    params = {"name": "workspaces_list", "arguments": {}, "_meta": {}}
    called = post(legacy, {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params})
    assert called.json()["result"]["content"]


INCOMPLETE = {
    "no _meta": {},
    "empty _meta": {"_meta": {}},
    "no version": {"_meta": {CAPABILITIES: {}}},
    "no capabilities": {"_meta": {VERSION: "2026-07-28"}},
    "null": {"_meta": None},
    "number": {"_meta": {VERSION: 20260728, CAPABILITIES: {}}},
    "capabilities of another type": {"_meta": {VERSION: "2026-07-28", CAPABILITIES: []}},
}


@pytest.mark.parametrize("params", INCOMPLETE.values(), ids=INCOMPLETE)
@pytest.mark.proves("meta-required")
def test_v_06_an_incomplete_envelope_is_invalid_params(modern, params):
    message = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params}
    assert refusal(post(modern, message, "server/discover")) == (400, -32602, 1)


def test_v_06_client_info_may_be_left_out(modern):
    answer = post(modern, discover({VERSION: "2026-07-28", CAPABILITIES: {}}), "server/discover")
    assert answer.json()["result"]["supportedVersions"]


@pytest.mark.parametrize(
    ("header", "envelope", "code"),
    [
        ("2026-07-28", "2025-06-18", -32020),
        (None, "2026-07-28", -32020),
        ("2025-06-18", "2026-07-28", -32020),
        ("1900-01-01", "2026-07-28", -32020),
        ("2026-07-28", "1900-01-01", -32020),
        ("1900-01-01", "1900-01-01", -32022),
        ("2025-06-18", "2025-06-18", -32602),
    ],
)
@pytest.mark.proves("version-match", "version-unsupported", "version-400", "version-listed")
def test_v_07_header_and_body_agree_before_it_is_asked_whether_they_are_spoken(modern, header, envelope, code):
    message = discover({VERSION: envelope, CAPABILITIES: {}})
    answer = post(modern, message, "server/discover", MCP_Protocol_Version=header)
    assert refusal(answer) == (400, code, 1)
    if code == -32022:
        assert answer.json()["error"]["data"] == {"supported": list(SUPPORTED), "requested": envelope}


def test_v_07_spaces_around_the_header_are_not_part_of_it(modern_served):
    message = modern_served.message("server/discover")
    answer = post(modern_served, message, "server/discover", MCP_Protocol_Version="  2026-07-28 \t")
    assert answer.json()["result"]["supportedVersions"]


def test_v_10_a_probe_that_is_refused_is_told_in_json_and_by_its_status(modern, settings):
    message = modern.message("server/discover")
    no_token = post(modern, message, "server/discover", Authorization=None)
    assert refusal(no_token) == (401, 401, ABSENT)
    challenge = no_token.headers["WWW-Authenticate"]
    assert challenge.startswith("Bearer ") and 'resource_metadata="' in challenge and "error=" not in challenge
    assert refusal(post(modern, message, "server/discover", Origin="https://evil.test")) == (403, 403, ABSENT)
    padded = modern.message("server/discover", {"padding": "x" * 1_048_576})
    assert refusal(post(modern, padded, "server/discover")) == (413, -32600, ABSENT)
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "REQUESTS_PER_MINUTE": 1}
    post(modern, message, "server/discover")
    limited = post(modern, message, "server/discover")
    assert refusal(limited) == (429, 429, 1)
    assert int(limited.headers["Retry-After"]) >= 1


def test_v_10_a_host_that_is_not_served_is_told_in_json_too(modern):
    message = modern.message("server/discover")
    assert refusal(post(modern, message, "server/discover", Host="evil.test")) == (400, 400, ABSENT)
