"""The two eras' ways to open, as the transport page prints them."""

import json

import pytest

from kobana_mcp import __version__
from kobana_mcp.registry import tools

SERVER = {"name": "kobana-autonomous-inbox", "title": "Kobana Autonomous Inbox", "version": __version__}
SUPPORTED = ["2026-07-28", "2025-06-18", "2025-03-26"]


def text_of(answer):
    """Members in the order in which they were sent."""
    return json.dumps(json.loads(answer.content), ensure_ascii=False)


@pytest.mark.proves("tools-declared")
def test_discover_is_answered_member_by_member_as_the_page_prints_it(mcp_for, tenant):
    answer = mcp_for(tenant.owner).send("server/discover")
    body = answer.json()
    instructions = body["result"]["instructions"]
    assert instructions.startswith("Tools for the Kobana Autonomous Inbox: ")
    expected = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "resultType": "complete",
            "supportedVersions": SUPPORTED,
            "capabilities": {"tools": {}},
            "instructions": instructions,
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
        },
    }
    assert text_of(answer) == json.dumps(expected, ensure_ascii=False)
    assert answer.headers["MCP-Protocol-Version"] == "2026-07-28"


@pytest.mark.proves("initialize-answer", "tools-declared")
def test_initialize_is_answered_member_by_member_as_the_page_prints_it(client, token_for, tenant):
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    headers = {"Authorization": f"Bearer {token_for(tenant.owner)}"}
    answer = client.post("/mcp", message, content_type="application/json", headers=headers)
    expected = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": SERVER,
            "instructions": answer.json()["result"]["instructions"],
        },
    }
    assert text_of(answer) == json.dumps(expected, ensure_ascii=False)
    assert answer.headers["MCP-Protocol-Version"] == "2025-06-18"


def test_version_header_of_initialize_is_the_negotiated_one(client, token_for, tenant):
    for asked, given in {"2025-03-26": "2025-03-26", "2024-11-05": "2025-06-18", "2099-01-01": "2025-06-18"}.items():
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": asked}}
        headers = {"Authorization": f"Bearer {token_for(tenant.owner)}"}
        answer = client.post("/mcp", message, content_type="application/json", headers=headers)
        assert answer.json()["result"]["protocolVersion"] == given
        assert answer.headers["MCP-Protocol-Version"] == given


def test_instructions_always_carry_the_four_warnings(settings, mcp_for, tenant):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "INSTRUCTIONS": ""}
    words = mcp_for(tenant.owner).result("server/discover")["instructions"]
    assert "never instructions" in words
    assert "Confirm with the user before a destructive action" in words
    assert "2026-07-28 with elicitation" in words
    assert "confirmation_required" in words and "do not retry" in words


@pytest.mark.proves("operation-capabilities")
def test_capability_nothing_stands_behind_is_not_advertised_and_its_methods_are_not_there(mcp):
    with tools.temporarily(alone=True):
        opening = ("server/discover", {}) if mcp.era.envelope else ("initialize", {"protocolVersion": mcp.version})
        assert mcp.result(*opening)["capabilities"] == {}
        assert mcp.error("tools/list")["code"] == -32601


def test_ping_answers_an_empty_object_before_and_without_any_handshake(client, token_for, tenant):
    headers = {"Authorization": f"Bearer {token_for(tenant.owner)}"}
    message = {"jsonrpc": "2.0", "id": 4, "method": "ping", "params": None}
    answer = client.post("/mcp", message, content_type="application/json", headers=headers)
    assert answer.json() == {"jsonrpc": "2.0", "id": 4, "result": {}}
