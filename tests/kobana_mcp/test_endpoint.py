"""The ladder of refusals, through the real door: what fails first is what is answered."""

import json
import logging

import pytest
from django.db import OperationalError

from kobana_mcp import registry
from kobana_mcp.protocol.eras import LEGACY, MODERN
from kobana_mcp.registry import Tool


def body(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.fixture
def legacy(mcp_for, tenant):
    return mcp_for(tenant.owner, era=LEGACY)


@pytest.fixture
def modern(mcp_for, tenant):
    return mcp_for(tenant.owner, era=MODERN)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE"])
def test_other_methods_are_refused_with_and_without_a_token(client, db, path, method):
    answer = client.generic(method, path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
    assert answer.json()["error"]["code"] == 405


def test_head_is_refused_without_a_body(client, db):
    answer = client.head("/mcp")
    assert (answer.status_code, answer.content) == (405, b"")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_the_path_answer_directly(client, legacy, path):
    answer = client.generic(
        "POST", path, body(id=1, method="ping"), "application/json", headers=legacy.headers_for("ping")
    )
    assert answer.status_code == 200


def test_who_is_not_signed_in_learns_nothing_about_his_message(client, db):
    for raw in (b"{", b"[]", body(id=1, method="ping"), b"\xff"):
        answer = client.generic("POST", "/mcp", raw, "text/plain")
        assert answer.status_code == 401
        assert "id" not in answer.json()


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", 'application/json;charset="UTF-8"', "Application/JSON"],
)
def test_media_type_is_json_in_any_spelling(legacy, content_type):
    answer = legacy.post(body(id=1, method="ping"), headers=legacy.headers_for("ping"), content_type=content_type)
    assert answer.status_code == 200


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_other_media_types_are_refused(legacy, content_type):
    answer = legacy.post(body(id=1, method="ping"), headers=legacy.headers_for("ping"), content_type=content_type)
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, 415)


def test_encoded_body_is_refused(legacy):
    headers = {**legacy.headers_for("ping"), "Content-Encoding": "gzip"}
    assert legacy.post(body(id=1, method="ping"), headers=headers).status_code == 415
    assert (
        legacy.post(body(id=1, method="ping"), headers={**headers, "Content-Encoding": "identity"}).status_code == 200
    )


def test_charset_has_no_effect(legacy):
    raw = '{"jsonrpc":"2.0","id":"é","method":"ping"}'.encode()
    answer = legacy.post(raw, headers=legacy.headers_for("ping"), content_type="application/json; charset=iso-8859-1")
    assert answer.json()["id"] == "é"


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"{", -32700), (b"", -32700), (b"[]", -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600)],
)
def test_what_is_no_message_is_refused_in_both_eras(mcp, raw, code):
    answer = mcp.post(raw, headers=mcp.headers_for("ping"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert "MCP-Protocol-Version" not in answer.headers


def test_id_comes_back_as_it_was_sent(mcp):
    for sent in (0, "", "0", -7, "ü", 2**60):
        assert mcp.send("tools/list", id=sent).json()["id"] == sent


@pytest.mark.parametrize("method", ["notifications/initialized", "tools/call", "no/such"])
def test_notification_is_accepted_and_does_nothing(mcp, method):
    answer = mcp.send(method, {"name": "inboxes_delete"}, id=None, headers={"Mcp-Method": None, "Mcp-Name": None})
    assert (answer.status_code, answer.content) == (202, b"")
    assert answer.headers["MCP-Protocol-Version"] == mcp.version


def test_posted_response_is_accepted_where_the_era_has_them(legacy, modern):
    raw = body(id=1, result={})
    assert legacy.post(raw, headers=legacy.headers_for("x")).status_code == 202
    refused = modern.post(raw, headers=modern.headers_for("x"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("method", ["no/such", "logging/setLevel", "resources/subscribe", "tasks/get"])
def test_unknown_method_is_told_by_status_or_in_the_body(mcp, method):
    answer = mcp.send(method, id="u1")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404 if mcp.era is MODERN else 200, -32601)
    assert answer.json()["id"] == "u1"


def test_methods_of_one_era_are_not_there_in_the_other(legacy, modern):
    assert legacy.error("server/discover")["code"] == -32601
    assert modern.error("initialize", {"protocolVersion": "2025-06-18"})["code"] == -32601
    assert modern.error("ping")["code"] == -32601


@pytest.mark.proves("version-400")
def test_version_that_is_not_spoken_is_told_the_same_way_in_every_era(legacy, modern):
    expected = {"supported": ["2026-07-28", "2025-06-18", "2025-03-26"], "requested": "1999-01-01"}
    for client in (legacy, modern):
        client.version = "1999-01-01"
        answer = client.send("tools/list")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)
        assert answer.json()["error"]["data"] == expected


def test_mirrored_headers_must_agree_where_the_era_has_them(legacy, modern):
    wrong = {"Mcp-Method": "tools/list", "Mcp-Name": "emails_get"}
    for name in wrong:
        answer = modern.send("tools/call", {"name": "emails_list"}, headers={name: wrong[name]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)
        assert answer.json()["error"]["message"].startswith("Header mismatch: ")
    assert legacy.send("tools/call", {"name": "emails_list"}, headers=wrong).json()["result"]["content"]


def test_every_answer_of_the_endpoint_forbids_to_store_it(mcp, client):
    for answer in (
        mcp.send("tools/list"),
        mcp.send("no/such"),
        mcp.send("x", id=None),
        client.get("/mcp"),
        client.post("/mcp"),
    ):
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.proves("server-requests")
def test_answer_is_one_line_of_json_and_never_a_session(mcp):
    answer = mcp.send(
        "tools/list", headers={"Mcp-Session-Id": "stale", "Last-Event-ID": "42", "Accept": "text/event-stream"}
    )
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert b"\n" not in answer.content
    assert "Mcp-Session-Id" not in answer.headers


def broken_tool(error):
    def run(arguments, context):
        raise error

    facts = {"title": "B", "description": "B", "scope": "", "read_only": True, "destructive": False, "idempotent": True}
    return Tool(name="broken", run=run, input_schema={"type": "object"}, **facts)


def test_what_nobody_expected_is_logged_and_never_quoted(mcp, caplog):
    with registry.tools.temporarily(broken_tool(ZeroDivisionError("secret detail"))), caplog.at_level(logging.ERROR):
        answer = mcp.send("tools/call", {"name": "broken"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["message"]) == (200, -32603, "Internal error")
    assert b"secret detail" not in answer.content
    assert error["data"]["reference"] in caplog.text and "secret detail" in caplog.text


def test_database_that_cannot_be_reached_is_a_503_to_come_back_to(mcp):
    with registry.tools.temporarily(broken_tool(OperationalError("password=hunter2"))):
        answer = mcp.send("tools/call", {"name": "broken"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, 503)
    assert int(answer.headers["Retry-After"]) >= 1
    assert b"hunter2" not in answer.content


def test_spent_budget_is_a_429_with_the_id_and_the_seconds_to_wait(settings, mcp):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "REQUESTS_PER_MINUTE": 2}
    first = mcp.send("tools/list")
    assert first.headers["X-RateLimit-Limit"] == "2" and first.headers["X-RateLimit-Remaining"] == "1"
    mcp.post(b"{", headers=mcp.headers_for("x"))
    answer = mcp.send("tools/list", id="late")
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (429, 429, "late")
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.headers["X-RateLimit-Remaining"] == "0"
    assert mcp.send("tools/call", {"name": "workspaces_list"}).status_code == 200
