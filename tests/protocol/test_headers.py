"""The headers that repeat the body: encoding and comparison."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kobana_mcp.protocol.errors import HeaderMismatch
from kobana_mcp.protocol.headers import check_mirrored, check_parameters, decode


def wrapped(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def agrees(method, params, **headers):
    """True when the headers (keywords, ``_`` for ``-``) repeat the message; False on a well-worded mismatch."""
    try:
        check_mirrored(method, params, {name.replace("_", "-"): value for name, value in headers.items()})
    except HeaderMismatch as error:
        assert error.message.startswith("Header mismatch: ")
        assert (error.code, error.http_status) == (-32020, 400)
        return False
    return True


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("emails_list", "emails_list"),
        (" \temails_list\t ", "emails_list"),
        ("=?base64?U8OjbyBQYXVsbw==?=", "São Paulo"),
        ("  =?base64?U8OjbyBQYXVsbw==?= ", "São Paulo"),
        ("=?base64??=", ""),
        ("", ""),
        ("=?base64?U8Ojbw==", "=?base64?U8Ojbw=="),
        ("U8Ojbw==?=", "U8Ojbw==?="),
        ("=?base64?=", "=?base64?="),
        ("=?BASE64?U8Ojbw==?=", "=?BASE64?U8Ojbw==?="),
        ("x=?base64?U8Ojbw==?=", "x=?base64?U8Ojbw==?="),
        ("=?base64?PT9iYXNlNjQ/eD89?=", "=?base64?x?="),
    ],
)
@pytest.mark.proves("headers-markers")
def test_only_a_whole_wrapping_is_decoded(value, text):
    assert decode(value) == text


BROKEN = {
    "alphabet": "=?base64?%%%?=",
    "padding": "=?base64?bGlzd?=",
    "padding absent": "=?base64?U8Ojbw?=",
    "not UTF-8": "=?base64?/w==?=",
    "URL alphabet": "=?base64?_w==?=",
    "space inside": "=?base64?U8Oj bw==?=",
    "trailing bits": "=?base64?U8OjbyBQYXVsbx==?=",
    "after the padding": "=?base64?QQ==QQ==?=",
    "twice, joined": "=?base64?QQ==?=,=?base64?QQ==?=",
    "not ASCII": "=?base64?é?=",
    "surrogate": "=?base64?7aCA?=",
}


@pytest.mark.parametrize("value", BROKEN.values(), ids=BROKEN)
def test_broken_wrapping_is_a_value_error(value):
    with pytest.raises(ValueError):
        decode(value)


@pytest.mark.parametrize("value", [*BROKEN.values(), "=?base64??="])
def test_broken_wrapping_is_a_mismatch_hd_03(value):
    assert not agrees("tools/call", {"name": "emails_list"}, mcp_method="tools/call", mcp_name=value)


@given(st.text(st.characters(codec="utf-8")))
def test_every_text_can_be_wrapped(text):
    assert decode(wrapped(text)) == text


def test_wrapped_uri_is_decoded_before_it_is_compared_hd_01():
    params = {"uri": "inbox://ws1/Postfächer"}
    sent = "=?base64?aW5ib3g6Ly93czEvUG9zdGbDpGNoZXI=?="
    assert agrees("resources/read", params, mcp_method="resources/read", mcp_name=sent)


@pytest.mark.parametrize(
    ("stated", "good"),
    [
        ("tools/list", True),
        (" \ttools/list ", True),
        ("TOOLS/LIST", False),
        ("tools/list,tools/call", False),
        ("tools/list,tools/list", False),
        (wrapped("tools/list"), False),
        ("", False),
        ("tools/lïst", False),
        ("tools/call", False),
    ],
)
def test_mcp_method_is_the_method_exactly_hd_05_hd_06_hd_07(stated, good):
    assert agrees("tools/list", {}, mcp_method=stated) is good


def test_mcp_method_is_required():
    assert not agrees("tools/list", {})


@pytest.mark.parametrize(
    ("stated", "good"),
    [
        ("emails_list", True),
        ("   emails_list  ", True),
        (wrapped("emails_list"), True),
        ("Emails_List", False),
        ("emails_list,emails_list", False),
        ("emails_list,inboxes_delete", False),
        ("inboxes_delete", False),
        ("", False),
        ("emails_list\x7f", False),
        ("emails_list\x00", False),
    ],
)
def test_mcp_name_is_the_tool_called_hd_05_hd_06_hd_07(stated, good):
    assert agrees("tools/call", {"name": "emails_list"}, mcp_method="tools/call", mcp_name=stated) is good


@pytest.mark.parametrize(
    ("method", "params", "good"),
    [
        ("tools/call", {"name": "emails_list"}, False),
        ("tools/call", {}, True),
        ("tools/call", {"name": 5}, True),
        ("prompts/get", {"name": "triage"}, True),
        ("resources/read", {"uri": "kobana://inbox/me"}, True),
        ("tools/list", {}, True),
    ],
)
def test_mcp_name_may_be_absent_but_where_a_tool_is_named_hd_07(method, params, good):
    assert agrees(method, params, mcp_method=method) is good


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("prompts/get", {"name": "triage"}),
        ("resources/read", {"uri": "kobana://inbox/me"}),
        ("tools/call", {}),
        ("tools/call", {"name": 5}),
        ("tools/call", {"name": None}),
    ],
)
def test_mcp_name_must_agree_wherever_it_is_read(method, params):
    assert not agrees(method, params, mcp_method=method, mcp_name="5")


@pytest.mark.parametrize("name", ["ü", "a\x01", "a\x7f", "a\x85b"])
def test_raw_octets_are_refused_even_if_they_would_compare_equal(name):
    assert not agrees("prompts/get", {"name": name}, mcp_method="prompts/get", mcp_name=name)
    assert agrees("prompts/get", {"name": name}, mcp_method="prompts/get", mcp_name=wrapped(name))


def test_space_and_tab_within_a_value_are_part_of_it():
    assert agrees("prompts/get", {"name": "a \tb"}, mcp_method="prompts/get", mcp_name="a \tb")


def test_mcp_name_means_nothing_on_other_methods_hd_07():
    assert agrees("tools/list", {"name": "x"}, mcp_method="tools/list", mcp_name="=?base64?%%%?=")


SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "limit": {"type": "integer", "x-mcp-header": "Limit"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "plain": {"type": "string"},
        "scope": {"type": "object", "properties": {"tenant": {"type": "string", "x-mcp-header": "Tenant"}}},
        "anything": True,
    },
}


def fits(arguments, **headers):
    try:
        check_parameters(SCHEMA, arguments, {f"mcp-param-{name}": value for name, value in headers.items()})
    except HeaderMismatch:
        return False
    return True


@pytest.mark.parametrize(
    ("arguments", "headers", "good"),
    [
        ({}, {}, True),
        ({"plain": "x"}, {}, True),
        ({"region": None}, {}, True),
        ({"region": "eu"}, {"region": "eu"}, True),
        ({"region": "eu"}, {"region": " eu "}, True),
        ({"region": "eu"}, {}, False),
        ({"region": "eu"}, {"region": "us"}, False),
        ({"region": "eu"}, {"region": "EU"}, False),
        ({"region": "eu"}, {"region": "eu,eu"}, False),
        ({}, {"region": "eu"}, False),
        ({"region": None}, {"region": "null"}, False),
        ({"region": ""}, {"region": ""}, True),
        ({"region": "São Paulo"}, {"region": wrapped("São Paulo")}, True),
        ({"region": "São Paulo"}, {"region": "São Paulo"}, False),
        ({"region": "eu"}, {"region": wrapped("eu")[:-2]}, False),
        ({"region": wrapped("eu")[:-2]}, {"region": wrapped("eu")[:-2]}, True),
        ({"region": "eu"}, {"region": "=?base64?ZXU?="}, False),
        ({"region": ["eu"]}, {}, True),
        ({"region": ["eu"]}, {"region": "eu"}, False),
        ({"limit": 42}, {"limit": "42"}, True),
        ({"limit": 42}, {"limit": "042"}, True),
        ({"limit": 42}, {"limit": "42.0"}, True),
        ({"limit": 42.0}, {"limit": "42"}, True),
        ({"limit": 42.5}, {"limit": "42"}, False),
        ({"limit": 42}, {"limit": "42.5"}, False),
        ({"limit": 42}, {"limit": "4.2e1"}, False),
        ({"limit": 42}, {"limit": "0x2a"}, False),
        ({"limit": 42}, {"limit": "9" * 5000}, False),
        ({"limit": 2**70}, {"limit": str(2**70)}, True),
        ({"limit": 2**70}, {"limit": str(2**70 + 1)}, False),
        ({"limit": "42"}, {"limit": "42"}, True),
        ({"limit": True}, {"limit": "1"}, False),
        ({"dry": True}, {"dry": "true"}, True),
        ({"dry": False}, {"dry": "false"}, True),
        ({"dry": True}, {"dry": "True"}, False),
        ({"dry": True}, {"dry": "1"}, False),
        ({"scope": {"tenant": "a"}}, {"tenant": "a"}, True),
        ({"scope": {"tenant": "a"}}, {}, False),
        ({"scope": "a"}, {"tenant": "a"}, False),
        ({"scope": "a"}, {}, True),
    ],
)
@pytest.mark.proves("param-match", "param-null", "param-missing", "param-invalid")
def test_parameter_header_and_argument_agree_or_are_both_absent(arguments, headers, good):
    assert fits(arguments, **headers) is good
