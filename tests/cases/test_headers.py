"""Cases HD: the headers that repeat a message, in every way in which they can fail to."""

import base64
import json

import pytest

from inbox.models import Inbox
from kobana_mcp.models import ToolCall
from tests.cases.speech import call, post, refusal
from tests.door.raw import request_of

MISMATCH = (400, -32020, 1)


def encoded(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def nothing_ran():
    return not ToolCall.objects.filter(outcome=ToolCall.Outcome.SUCCEEDED).exists()


@pytest.mark.proves("headers-decoded")
def test_hd_01_an_encoded_name_is_decoded_before_it_is_compared(modern):
    uri = "kobana://inbox/workspaces/Postfächer"
    message = modern.message("resources/read", {"uri": uri})
    read = refusal(post(modern, message, "resources/read", Mcp_Name=encoded(uri)))
    assert read[0] != 200 and read[1] != -32020
    assert refusal(post(modern, message, "resources/read", Mcp_Name=encoded(uri + "x"))) == MISMATCH


def test_hd_01_a_tool_may_be_named_in_base64(modern):
    message = call(modern, "workspaces_list", {})
    assert post(modern, message, "tools/call", Mcp_Name=encoded("workspaces_list")).json()["result"]["content"]


@pytest.mark.parametrize("value", ["=?base64?%%%?=", "=?base64?bGlzd?=", "=?base64??=", "=?base64?/w==?="])
def test_hd_03_broken_base64_or_text_in_a_name_is_a_mismatch(modern, value):
    answer = post(modern, call(modern, "workspaces_list", {}), "tools/call", Mcp_Name=value)
    assert refusal(answer) == MISMATCH
    assert nothing_ran()


def raw(door, mcp, message, *headers):
    """The answer to a message with just these headers beside the ones that every message has."""
    own = [("Authorization", f"Bearer {mcp.token}"), ("Content-Type", "application/json")]
    version = [] if any(name.lower() == "mcp-protocol-version" for name, _ in headers) else [VERSION]
    return door.send(request_of("POST", "/mcp", [*own, *version, *headers], json.dumps(message).encode()))


VERSION = ("MCP-Protocol-Version", "2026-07-28")
CALL, LIST = ("Mcp-Method", "tools/call"), ("Mcp-Method", "tools/list")


@pytest.mark.parametrize(
    ("header", "is_right"),
    [
        (("mcp-method", "tools/list"), True),
        (("MCP-METHOD", "tools/list"), True),
        (("Mcp-Method", "  tools/list \t"), True),
        (("Mcp-Method", "TOOLS/LIST"), False),
        (("Mcp-Method", encoded("tools/list")), False),
        (("Mcp-Method", ""), False),
    ],
)
@pytest.mark.proves("headers-case")
def test_hd_05_names_of_headers_have_no_case_and_values_have(modern_served, door, header, is_right):
    answer = raw(door, modern_served, modern_served.message("tools/list"), header)
    assert "result" in answer.json() if is_right else refusal(answer) == MISMATCH


@pytest.mark.parametrize(
    ("value", "is_right"), [("   workspaces_list   ", True), ("Workspaces_List", False), ("workspaces list", False)]
)
def test_hd_05_a_name_is_compared_without_outer_spaces_and_with_its_case(modern_served, door, value, is_right):
    answer = raw(door, modern_served, call(modern_served, "workspaces_list", {}), CALL, ("Mcp-Name", value))
    assert "result" in answer.json() if is_right else refusal(answer) == MISMATCH


def test_hd_05_spaces_that_a_server_leaves_around_a_value_are_not_part_of_it(modern):
    message = call(modern, "workspaces_list", {})
    padded = {"Mcp_Method": " tools/call\t", "Mcp_Name": "  workspaces_list "}
    assert post(modern, message, "tools/call", **padded).json()["result"]["content"]


NAME = ("Mcp-Name", "inboxes_delete")
TWICE = {
    "one shadowed by an underscore": [LIST, ("Mcp_Method", "tools/call"), NAME],
    "only an underscore": [("Mcp_Method", "tools/call"), NAME],
    "an underscore in the name's name": [CALL, ("Mcp_Name", "inboxes_delete")],
    "a method twice": [LIST, CALL, NAME],
    "the same method twice": [CALL, CALL, NAME],
    "the same name twice": [CALL, NAME, NAME],
    "two names": [CALL, ("Mcp-Name", "workspaces_list"), NAME],
    "two versions": [CALL, NAME, VERSION, ("MCP-Protocol-Version", "2025-06-18")],
    "the same version twice": [CALL, NAME, VERSION, VERSION],
}


@pytest.mark.parametrize("headers", TWICE.values(), ids=TWICE)
def test_hd_06_what_is_not_exactly_one_matching_value_is_a_mismatch(modern_served, door, headers):
    message = call(modern_served, "inboxes_delete", {"id": door.facts["inbox"]})
    assert refusal(raw(door, modern_served, message, *headers)) == MISMATCH
    assert len(modern_served.data("inboxes_list")["data"]) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp_Method": "tools/list", "Mcp_Name": "inboxes_delete"},
        {"Mcp_Method": "tools/call", "Mcp_Name": "workspaces_list"},
        {"Mcp_Method": "tools/call", "Mcp_Name": None},
        {"Mcp_Method": None, "Mcp_Name": "inboxes_delete"},
    ],
)
@pytest.mark.proves("headers-agree", "headers-required", "headers-error")
def test_hd_07_headers_that_say_something_else_stop_the_call(modern, tenant, headers):
    message = call(modern, "inboxes_delete", {"id": str(tenant.inbox.pk)})
    assert refusal(post(modern, message, "tools/call", **headers)) == MISMATCH
    assert nothing_ran()
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


@pytest.mark.parametrize(
    ("method", "params"), [("resources/read", {"uri": "kobana://inbox/none"}), ("prompts/get", {"name": "none"})]
)
@pytest.mark.proves("headers-name-on-reads")
def test_hd_07_a_read_may_leave_out_its_name(modern, method, params):
    """The contract wins over the case: the transport page asks for ``Mcp-Name`` on ``tools/call`` only."""
    assert post(modern, modern.message(method, params), method).json()["error"]["code"] != -32020


def test_hd_07_a_name_that_nothing_asks_for_is_ignored(modern):
    answer = post(modern, modern.message("tools/list"), "tools/list", Mcp_Name="anything")
    assert answer.json()["result"]["tools"]


def test_hd_07_headers_mean_nothing_in_the_legacy_eras(legacy):
    answer = post(legacy, legacy.message("tools/list"), Mcp_Method="tools/call", Mcp_Name="inboxes_delete")
    assert answer.json()["result"]["tools"]
