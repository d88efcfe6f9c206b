"""Cases JR: what is a message, what is none, and what a message's id is worth."""

import json

import pytest

from kobana_mcp.models import ToolCall
from tests.cases.fill import LABEL
from tests.cases.speech import ABSENT, call, in_era, nested, post, refusal
from tests.door.raw import request_of


def nothing_ran():
    return not ToolCall.objects.exists()


@pytest.mark.parametrize("sent", [0, "", "0"])
@pytest.mark.proves("result-id")
def test_jr_01_zero_and_the_empty_text_are_ids_and_come_back_as_sent(mcp, sent):
    answer = post(mcp, mcp.message("tools/list", id=sent))
    said = answer.json()
    assert (answer.status_code, said["id"], type(said["id"])) == (200, sent, type(sent))
    assert said["result"]["tools"]
    refused = refusal(mcp.send("no/such", id=sent))[2]
    assert (refused, type(refused)) == (sent, type(sent))


@pytest.mark.proves("id-null")
def test_jr_02_null_is_no_id_and_does_not_make_a_notification(mcp):
    assert refusal(post(mcp, {**mcp.message("tools/list"), "id": None})) == (400, -32600, ABSENT)


@pytest.mark.parametrize("params", [{}, {"params": {}}])
@pytest.mark.proves("notification-silent", "accepted-202")
def test_jr_04_initialized_is_accepted_with_an_empty_202(mcp, params):
    answer = post(mcp, {"jsonrpc": "2.0", "method": "notifications/initialized", **params})
    assert (answer.status_code, answer.content) == (202, b"")
    assert "Content-Type" not in answer.headers


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"17", b"null", b"true"])
def test_jr_06_what_is_json_but_no_object_is_an_invalid_request(mcp, body):
    assert refusal(post(mcp, body)) == (400, -32600, ABSENT)


@pytest.mark.proves("one-message", "batch-received", "initialize-in-batch")
def test_jr_06_a_batch_is_refused_and_no_member_of_it_runs(mcp):
    batch = [call(mcp, "workspaces_list", {}, id=number) for number in (1, 2)]
    assert refusal(post(mcp, batch, "tools/call", "workspaces_list")) == (400, -32600, ABSENT)
    assert nothing_ran()


@pytest.mark.parametrize("params", [["emails_list", {}], "x", 5])
def test_jr_08_params_that_are_no_object_are_refused_with_the_id(mcp, params):
    assert refusal(post(mcp, {**call(mcp, "x", {}), "params": params}, "tools/call")) == (400, -32600, 1)


@pytest.mark.parametrize("params", [{}, {"params": None}])
def test_jr_08_a_call_without_params_lacks_what_the_era_requires(mcp, params):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", **params}
    assert refusal(post(mcp, message, "tools/call")) == in_era(mcp, 400, -32602)


@pytest.mark.parametrize(
    "wrong", [{"jsonrpc": "1.0"}, {"jsonrpc": None}, {"jsonrpc": 2.0}, {"method": 5}, {"method": ""}]
)
@pytest.mark.proves("json-rpc", "error-id")
def test_jr_09_version_and_method_are_checked_and_the_id_is_told(mcp, wrong):
    assert refusal(post(mcp, {**mcp.message("tools/list"), **wrong})) == (400, -32600, 1)


def test_jr_09_a_message_without_a_version_of_json_rpc_is_none(mcp):
    message = {name: value for name, value in mcp.message("tools/list").items() if name != "jsonrpc"}
    assert refusal(post(mcp, message)) == (400, -32600, 1)


TWO_DOCUMENTS = b'{"jsonrpc":"2.0","id":1}{"jsonrpc":"2.0","id":2}'


@pytest.mark.parametrize("body", [b"{ not json", b"", b"  \n ", TWO_DOCUMENTS], ids=["broken", "empty", "space", "two"])
def test_jr_10_what_is_no_json_is_a_parse_error_and_the_server_lives(served, body):
    assert refusal(post(served, body)) == (400, -32700, ABSENT)
    assert post(served, served.message("tools/list")).status_code == 200


@pytest.mark.parametrize("debug", [True, False])
def test_jr_10_no_page_of_html_whatever_debug_says(mcp, settings, debug):
    settings.DEBUG = debug
    assert refusal(post(mcp, b"{ not json")) == (400, -32700, ABSENT)


def test_jr_12_a_method_that_comes_twice_is_neither(mcp):
    message = json.dumps(call(mcp, "workspaces_list", {}))
    doubled = message.replace('"method"', '"method": "tools/list", "method"', 1).encode()
    assert refusal(post(mcp, doubled)) == (400, -32600, 1)
    assert nothing_ran()


def test_jr_12_an_argument_that_comes_twice_is_refused_at_any_depth(mcp):
    message = json.dumps(call(mcp, "emails_get", {"id": "mine"}))
    doubled = message.replace('"id": "mine"', '"id": "mine", "id": "other"', 1).encode()
    assert refusal(post(mcp, doubled, "tools/call", "emails_get")) == (400, -32600, 1)
    assert nothing_ran()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_jr_13_a_number_that_json_or_python_cannot_hold_is_a_parse_error(mcp, number):
    message = json.dumps(call(mcp, "emails_list", {"limit": 7})).replace("7}", number + "}").encode()
    answer = post(mcp, message, "tools/call", "emails_list")
    assert refusal(answer) == (400, -32700, ABSENT)
    assert b"NaN" not in answer.content and b"Infinity" not in answer.content


@pytest.mark.parametrize("depth", [200, 5_000, 20_000, 100_000])
def test_jr_14_a_deep_body_is_refused_and_the_next_request_is_served(served, depth):
    message = json.dumps(call(served, "emails_list", "DEEP")).replace('"DEEP"', nested(depth)).encode()
    assert refusal(post(served, message, "tools/call", "emails_list")) == (400, -32600, 1)
    assert post(served, served.message("tools/list")).status_code == 200


def test_jr_14_brackets_without_end_are_a_parse_error(served):
    assert refusal(post(served, b"[" * 20_000)) == (400, -32700, ABSENT)
    assert post(served, served.message("tools/list")).status_code == 200


def test_jr_14_below_the_limit_unknown_names_are_a_matter_of_the_arguments(mcp):
    assert mcp.refusal("emails_list", json.loads(nested(40)))["code"] == "validation_failed"


@pytest.mark.proves("method-404")
def test_jr_17_an_unknown_method_is_not_the_same_as_an_unknown_tool(mcp):
    assert refusal(mcp.send("no/such", id="u1")) == in_era(mcp, 404, -32601, "u1")
    assert refusal(mcp.send("tools/call", {"name": "no_such"}, id="u2")) == in_era(mcp, 400, -32602, "u2")


@pytest.mark.proves("utf-8")
def test_jr_18_the_length_is_told_in_octets_and_the_connection_stays_usable(served, door):
    wanted, wrong = (call(served, "inboxes_list", {"limit": limit}) for limit in (1, LABEL))
    first, refused, again = door.exchange(*(request(served, message) for message in (wanted, wrong, wanted)))
    assert LABEL in json.loads(first.json()["result"]["content"][0]["text"])["data"][0]["label"]
    assert refused.json()["result"]["isError"]
    assert again.content == first.content


def test_jr_18_the_length_of_a_refusal_is_right_too(served, door):
    wrong = [b"{", b"[]", json.dumps(served.message("no/Füße", id="日本")).encode()]
    answers = door.exchange(*(request(served, body) for body in (*wrong, served.message("tools/list"))))
    assert [refusal(answer)[1] for answer in answers[:3]] == [-32700, -32600, -32020 if served.era.envelope else -32601]
    assert answers[3].json()["result"]


def request(mcp, body):
    """The bytes of a request, to be sent on a connection together with others."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    message = body if isinstance(body, dict) else {"method": "x", "params": {}}
    headers = mcp.headers_for(message["method"], message["params"])
    return request_of("POST", "/mcp", [("Content-Type", "application/json"), *headers.items()], raw)


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": -32601, "message": "x"}}])
@pytest.mark.proves("no-responses", "accepted-202")
def test_jr_19_a_posted_response_is_taken_where_the_era_has_them(mcp, answer):
    posted = post(mcp, {"jsonrpc": "2.0", "id": 1, **answer})
    if mcp.era.takes_responses:
        assert (posted.status_code, posted.content) == (202, b"")
    else:
        assert refusal(posted) == (400, -32600, ABSENT)


def test_jr_19_a_message_with_method_and_result_is_neither(mcp):
    assert refusal(post(mcp, {**mcp.message("tools/list"), "result": {}})) == (400, -32600, 1)
