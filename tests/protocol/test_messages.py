"""Reading one JSON-RPC message strictly, and building answers."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kobana_mcp.protocol import messages
from kobana_mcp.protocol.encoding import encode
from kobana_mcp.protocol.errors import InvalidParams, InvalidRequest, MCPError, ParseError
from kobana_mcp.protocol.messages import VERSION_KEY, Kind, parse

HEAD = '{"jsonrpc":"2.0","id":1,"method":"tools/call"'


def body(**members):
    """A good request, with members changed; ``...`` leaves one out."""
    whole = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", **members}
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


def refusal(raw):
    with pytest.raises(MCPError) as caught:
        parse(raw)
    return caught.value


def call(arguments):
    return (HEAD + ',"params":{"name":"emails_list","arguments":' + arguments + "}}").encode()


@pytest.mark.parametrize("sent", [0, 1, -1, 2**70, "", "0", "server-discover-probe-1", "ü"])
def test_legal_id_is_kept_as_sent_jr_01(sent):
    message = parse(body(id=sent))
    assert message.kind is Kind.REQUEST
    assert (message.id, type(message.id)) == (sent, type(sent))
    assert messages.result(message.id, {})["id"] == sent
    assert messages.error(MCPError(), message.id)["id"] == sent


@pytest.mark.parametrize("sent", ["null", "true", "false", "1.0", "1e2", "{}", "[1]", '"\\ud800"'])
@pytest.mark.proves("id-type", "id-null")
def test_other_id_is_an_invalid_request_and_not_echoed_jr_02(sent):
    error = refusal(f'{{"jsonrpc":"2.0","id":{sent},"method":"tools/list"}}'.encode())
    assert (type(error), error.request_id) == (InvalidRequest, None)
    assert "id" not in messages.error(error)


def test_message_without_id_is_a_notification_jr_04():
    message = parse(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert (message.kind, message.id, message.params) == (Kind.NOTIFICATION, None, {})


@pytest.mark.parametrize("raw", [b"[" + body() + b"," + body() + b"]", b"[]", b'"text"', b"17", b"null", b"true"])
def test_batch_or_scalar_is_an_invalid_request_jr_06(raw):
    error = refusal(raw)
    assert (error.code, error.http_status, error.request_id) == (-32600, 400, None)


@pytest.mark.parametrize("params", [["emails_list", {}], "x", 5, 0, "", [], True, False])
def test_params_that_are_no_object_are_an_invalid_request_jr_08(params):
    error = refusal(body(params=params))
    assert (error.code, error.request_id) == (-32600, 1)


@pytest.mark.parametrize("params", [None, ..., {}])
def test_absent_null_and_empty_params_are_alike(params):
    assert parse(body(params=params)).params == {}


@pytest.mark.parametrize(
    "change",
    [
        {"jsonrpc": "1.0"},
        {"jsonrpc": ...},
        {"jsonrpc": None},
        {"jsonrpc": 2.0},
        {"jsonrpc": ["2.0"]},
        {"method": 5},
        {"method": ""},
        {"method": None},
        {"method": ...},
        {"result": {}},
        {"error": {"code": 1, "message": "x"}},
    ],
)
def test_broken_frame_is_an_invalid_request_with_the_id_jr_09(change):
    error = refusal(body(**change))
    assert (error.code, error.request_id) == (-32600, 1)


@pytest.mark.parametrize(
    "raw",
    [
        b"{ not json",
        b"",
        b"   \n",
        b'{"jsonrpc":"2.0","id":1}{"jsonrpc":"2.0","id":2}',
        b"{'jsonrpc':'2.0'}",
        b'{"jsonrpc":"2.0","id":1,}',
        b"\xef\xbb\xbf" + body(),
        body().decode().encode("utf-16"),
        body().decode().encode("utf-32-le"),
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}',
        b'{"jsonrpc":"2.0","id":1,"method":"a\x00b"}',
        b"\x00",
        b'"',
        b'{"a":"\\',
    ],
)
def test_what_is_not_one_json_document_in_utf8_is_a_parse_error_jr_10(raw):
    error = refusal(raw)
    assert (type(error), error.code, error.http_status, error.request_id) == (ParseError, -32700, 400, None)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}',
        call('{"inbox_id":"ib_mine","inbox_id":"ib_other"}'),
        call('[[{"a":1,"b":{"c":1,"\\u0063":2}}]]'),
    ],
)
def test_doubled_key_at_any_depth_is_an_invalid_request_jr_12(raw):
    error = refusal(raw)
    assert (error.code, error.request_id) == (-32600, 1)


def test_doubled_id_is_no_id_jr_12():
    assert refusal(b'{"id":1,"jsonrpc":"2.0","id":2,"method":"x"}').request_id is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 4301, "-" + "9" * 4301])
def test_number_outside_json_or_python_is_a_parse_error_jr_13(number):
    assert refusal(call(f'{{"limit":{number}}}')).code == -32700


@pytest.mark.parametrize("number", ["9" * 4300, "-" + "9" * 4300, "1e308", "1e-999"])
def test_number_within_range_is_read(number):
    assert parse(call(f'{{"limit":{number}}}')).params["arguments"]["limit"] == json.loads(number)


def test_digits_are_limited_even_where_python_s_own_limit_is_off_jr_13():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert refusal(call(f'{{"limit":{"9" * 4301}}}')).code == -32700
    finally:
        sys.set_int_max_str_digits(before)


def test_parse_error_comes_before_invalid_request():
    assert refusal(b'{"a":1,"a":2,"b":NaN}').code == -32700


@pytest.mark.parametrize("levels", [63, 198, 5000, 20_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_nesting_over_the_limit_is_refused_with_the_id_on_every_python_jr_14(levels, opening, closing):
    error = refusal(call(opening * levels + "1" + closing * levels))
    assert (error.code, error.request_id) == (-32600, 1)


@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_nesting_at_the_limit_is_read_jr_14(opening, closing):
    levels = 62  # message and params are two more
    assert parse(call(opening * levels + "1" + closing * levels)).method == "tools/call"


@pytest.mark.parametrize("raw", [b"[" * 20_000, b'{"a":' * 20_000, b"[" * 20_000 + b"]" * 19_999, b"]" * 20_000])
def test_deep_and_unclosed_body_is_a_parse_error_jr_14(raw):
    assert refusal(raw).code == -32700


def test_brackets_within_strings_and_side_by_side_are_not_nesting():
    text = json.dumps("[{" * 500 + '\\"]')
    assert parse(call(f'{{"a":{text},"b":[{",".join(["[]"] * 500)}]}}')).params["arguments"]["a"] == json.loads(text)


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": -32601, "message": "x"}}])
def test_posted_response_is_told_by_its_members_and_has_no_id_to_echo_jr_19(answer):
    message = parse(body(method=..., **answer))
    assert (message.kind, message.method, message.id) == (Kind.RESPONSE, None, None)


@pytest.mark.parametrize(
    ("raw", "request_id"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"tools\\ud800"}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"name":"\\uDFFF"}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"k\\ud800":1}}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","\\udc00":1}', 1),
    ],
)
def test_lone_surrogate_in_the_envelope_is_an_invalid_request_un_01(raw, request_id):
    error = refusal(raw)
    assert (error.code, error.request_id) == (-32600, request_id)


def test_lone_surrogate_in_arguments_is_left_to_their_validation_un_01():
    assert parse(call('{"query":"a\\udfffb"}')).params["arguments"] == {"query": "a\udfffb"}


def test_surrogate_pair_is_one_character_un_01():
    message = parse(b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"x"}')
    assert message.id == "😀"
    assert encode(messages.result(message.id, {})) == '{"jsonrpc": "2.0", "id": "😀", "result": {}}'.encode()


def test_answer_is_one_line_of_valid_utf8_even_with_a_lone_surrogate_un_01():
    encoded = encode(messages.result(1, {"text": "Füße\n日本 \ud800"}))
    assert b"\n" not in encoded
    assert json.loads(encoded.decode())["result"]["text"] == "Füße\n日本 ?"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_answer_never_holds_what_is_not_json_jr_13(number):
    with pytest.raises(ValueError, match="JSON"):
        encode({"n": number})


@pytest.mark.parametrize(
    ("params", "has", "version"),
    [
        ({}, False, None),
        ({"_meta": None}, False, None),
        ({"_meta": "x"}, False, None),
        ({"_meta": {"progressToken": 0}}, False, None),
        ({"_meta": {VERSION_KEY: "2026-07-28"}}, True, "2026-07-28"),
        ({"_meta": {VERSION_KEY: None}}, True, None),
        ({"_meta": {VERSION_KEY: 20260728}}, True, 20260728),
    ],
)
def test_envelope_is_the_version_key_alone_v_05(params, has, version):
    message = parse(body(params=params))
    assert (message.has_envelope, message.envelope_version) == (has, version)


def test_error_members_stand_in_order_and_data_only_when_there_is_some():
    bare = messages.error(InvalidParams("No such tool"), 1)
    assert json.dumps(bare) == '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "No such tool"}}'
    assert list(messages.error(InvalidParams(data={"uri": "x"}), 1)["error"]) == ["code", "message", "data"]


def test_error_takes_the_id_it_carries_when_none_is_given():
    assert messages.error(InvalidRequest(request_id=0))["id"] == 0


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSONISH,
        "id": st.text(max_size=4) | st.integers() | JSONISH,
        "method": st.sampled_from(["tools/call", "ping", ""]) | JSONISH,
        "params": st.dictionaries(st.sampled_from(["_meta", "name", "arguments"]), JSONISH) | JSONISH,
        "result": JSONISH,
    },
)


def is_legal_id(value):
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, int) and not isinstance(value, bool)


@given(MEMBERS)
def test_any_object_is_read_or_refused_and_its_legal_id_echoed(members):
    raw = json.dumps(members).encode()
    expected = members.get("id") if is_legal_id(members.get("id")) else None
    try:
        message = parse(raw)
    except ParseError:
        assert b"NaN" in raw or b"Infinity" in raw
    except InvalidRequest as error:
        assert error.request_id == expected
        encode(messages.error(error)).decode()
    else:
        assert message.id == (None if message.kind is Kind.RESPONSE else expected)


@given(st.binary(max_size=60) | st.text('[]{}":,\\1eE.-untrlasfN dD8', max_size=60).map(str.encode))
def test_any_bytes_raise_wire_errors_only(raw):
    try:
        parse(raw)
    except MCPError as error:
        assert error.code in (-32700, -32600)
