"""Cases T: one path, one method, JSON both ways, and nothing that is remembered."""

import json

import pytest

from kobana_mcp.protocol.eras import LEGACY, MODERN
from tests.cases.speech import META, call, post, refusal
from tests.door.raw import request_of

INITIALIZE = {"jsonrpc": "2.0", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}}


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.proves("endpoint")
def test_t_01_both_spellings_of_the_path_answer_directly(mcp, settings, path, debug):
    settings.DEBUG = debug
    settings.APPEND_SLASH = True
    headers = mcp.headers_for("tools/list")
    body = json.dumps(mcp.message("tools/list")).encode()
    answer = mcp.client.generic("POST", path, body, "application/json", headers=headers)
    assert (answer.status_code, "Location" in answer.headers) == (200, False)


def test_t_01_metadata_name_one_spelling_only(client, db):
    for path in ("/mcp", "/mcp/"):
        document = client.get(f"/.well-known/oauth-protected-resource{path}").json()
        assert document["resource"].endswith("/mcp")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("with_token", [True, False], ids=["token", "no token"])
@pytest.mark.proves("get")
def test_t_02_every_method_but_post_is_a_405(door, method, with_token):
    """Case AU-01 would have a GET without a token challenged; the contract wins: 405 with or without a token."""
    headers = [("Accept", "text/event-stream")]
    if with_token:
        headers += [("Authorization", f"Bearer {door.facts['token']}")]
    answer, next_answer = door.exchange(*[request_of(method, "/mcp", headers, None)] * 2)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
    assert answer.headers["Content-Type"] == "application/json"
    assert "WWW-Authenticate" not in answer.headers and "Location" not in answer.headers
    assert (next_answer.status_code, next_answer.content) == (405, answer.content)
    if method != "HEAD":
        assert answer.json()["error"]["code"] == 405


ACCEPTED = [
    "application/json, text/event-stream",
    "application/json",
    "*/*",
    "application/*",
    "application/json;q=0.9, text/event-stream;q=0.1",
    "text/event-stream",
    None,
]


@pytest.mark.parametrize("accept", ACCEPTED)
@pytest.mark.proves("answer-type")
def test_t_04_json_comes_whatever_the_client_says_it_accepts(mcp, accept):
    answer = post(mcp, mcp.message("tools/list"), Accept=accept)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")


JSON_TYPES = [
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "Application/JSON",
    "application/json ; x=y",
]
OTHER_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/json", None]


def typed(mcp, door, kind, message):
    """The answer to a message sent with this Content-Type, or without one."""
    own = [] if kind is None else [("Content-Type", kind)]
    headers = [*mcp.headers_for("tools/list").items(), *own]
    return door.send(request_of("POST", "/mcp", headers, json.dumps(message, ensure_ascii=False).encode()))


@pytest.mark.parametrize("kind", JSON_TYPES)
def test_t_06_json_is_taken_in_every_spelling_of_its_name(served, door, kind):
    assert typed(served, door, kind, served.message("tools/list")).json()["result"]["tools"]


@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_t_06_a_form_cannot_post_a_message(served, door, kind):
    assert refusal(typed(served, door, kind, served.message("tools/list")))[:2] == (415, 415)


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-16", "no-such"])
@pytest.mark.proves("utf-8")
def test_t_06_the_body_is_utf_8_whatever_the_charset_says(served, door, charset):
    answer = typed(served, door, f"application/json; charset={charset}", served.message("tools/list", id="é日"))
    assert answer.json()["id"] == "é日"


def in_chunks(mcp, body, size, headers=()):
    """A request with the body in chunks of ``size`` octets, and no Content-Length."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    chunked = [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked"), *headers]
    head = request_of("POST", "/mcp", [*mcp.headers_for("tools/list").items(), *chunked], None)
    return head + b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_t_07_a_body_in_chunks_is_read_to_its_end(served, door):
    body = json.dumps(served.message("tools/list")).encode()
    first, second = door.exchange(*[in_chunks(served, body, 26)] * 2)
    assert first.json()["result"]["tools"]
    assert second.content == first.content


def test_t_07_the_limit_counts_what_is_in_the_chunks(served, door):
    body = json.dumps(served.message("tools/list", {"padding": "x" * 1_048_576})).encode()
    assert refusal(door.send(in_chunks(served, body, 65_536)))[:2] == (413, -32600)
    exact = body.replace(b"x" * (len(body) - 1_048_576), b"", 1)
    assert len(exact) == 1_048_576
    assert door.send(in_chunks(served, exact, 65_536)).json()["result"]["tools"]


@pytest.mark.parametrize("method", ["tools/list", "initialize"])
def test_t_09_session_headers_of_other_servers_are_ignored(legacy, modern, method):
    message = {**INITIALIZE, "id": 1} if method == "initialize" else modern.message(method)
    mcp = legacy if method == "initialize" else modern
    answer = post(mcp, message, method, Mcp_Session_Id="0b1c-stale", Last_Event_ID="42")
    assert (answer.status_code, "result" in answer.json()) == (200, True)
    assert "Mcp-Session-Id" not in answer.headers


def test_t_10_initialize_may_be_repeated_and_keeps_nothing(legacy):
    for number, version in enumerate(["2025-06-18", "2025-06-18", "2025-03-26", "2025-06-18", "2025-03-26"]):
        message = {**INITIALIZE, "id": number, "params": {"protocolVersion": version}}
        answer = post(legacy, message, "initialize", MCP_Protocol_Version=None)
        assert answer.status_code == 200
        assert (answer.json()["id"], answer.json()["result"]["protocolVersion"]) == (number, version)


@pytest.mark.proves("stateless", "tools-steady")
def test_t_10_a_new_worker_lists_tools_without_a_handshake(served, door):
    before = served.tools()
    door.renew_worker()
    assert served.tools() == before


@pytest.mark.parametrize("params", [{}, {"params": {}}, {"params": None}])
@pytest.mark.proves("ping")
def test_t_11_ping_is_answered_before_any_handshake_by_an_empty_object(legacy, params):
    message = {"jsonrpc": "2.0", "id": 4, "method": "ping", **params}
    answer = post(legacy, message, "ping", MCP_Protocol_Version=None)
    assert (answer.status_code, answer.json()) == (200, {"jsonrpc": "2.0", "id": 4, "result": {}})


def test_t_11_the_modern_era_has_no_ping(modern):
    assert refusal(modern.send("ping", id=5)) == (404, -32601, 5)


def test_t_13_who_cannot_stream_takes_no_subscription_and_holds_no_connection(modern_served, door):
    message = modern_served.message("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id=9)
    headers = [*modern_served.headers_for("subscriptions/listen").items(), ("Content-Type", "application/json")]
    listen = request_of("POST", "/mcp", headers, json.dumps(message).encode())
    assert [refusal(answer) for answer in door.exchange(listen, listen)] == [(404, -32601, 9)] * 2


def test_t_13_nothing_is_advertised_that_needs_a_stream(mcp):
    asked = ("server/discover", {}) if mcp.era is MODERN else ("initialize", {"protocolVersion": mcp.version})
    capabilities = mcp.result(*asked)["capabilities"]
    assert "logging" not in capabilities
    assert not [fact for facts in capabilities.values() for fact, value in facts.items() if value]


STRANGE_META = {
    MODERN: {"progressToken": 0, "traceparent": f"00-{'a' * 32}-{'b' * 16}-01", "com.example/x": [1]},
    LEGACY: {"progressToken": "abc"},
}


@pytest.mark.proves("meta-reserved")
def test_t_14_what_else_stands_in_meta_changes_nothing(mcp):
    message = call(mcp, "workspaces_list", {})
    plain = post(mcp, message, "tools/call", "workspaces_list")
    own = message["params"].get("_meta", {})
    message["params"]["_meta"] = {**own, **STRANGE_META[mcp.era]}
    assert post(mcp, message, "tools/call", "workspaces_list").json() == plain.json()
    assert (META + "protocolVersion" in own) == mcp.era.envelope
    assert "isError" not in plain.json()["result"]
