"""Cases UN: text that no UTF-8, or no database, can hold."""

import json

import pytest

from inbox.intake.receive import Envelope, receive
from tests.cases.speech import ABSENT, call, post, refusal

ESCAPED = {"high": "\\ud800", "low": "a\\udfffb", "swapped": "\\ude00\\ud83d"}


def with_text(message, escaped):
    """The message as bytes, with ``TEXT`` in it replaced by an escape that no JSON writer would write."""
    return json.dumps(message).replace("TEXT", escaped).encode()


@pytest.mark.parametrize("escaped", ESCAPED.values(), ids=ESCAPED)
def test_un_01_half_a_pair_in_an_argument_is_a_matter_of_the_arguments(mcp, escaped):
    answer = post(mcp, with_text(call(mcp, "emails_list", {"q": "TEXT"}), escaped), "tools/call", "emails_list")
    result = json.loads(answer.content.decode())["result"]
    assert result["isError"]
    assert list(json.loads(result["content"][0]["text"])["error"]["details"]["fieldErrors"]) == ["q"]


@pytest.mark.parametrize("escaped", ESCAPED.values(), ids=ESCAPED)
def test_un_01_half_a_pair_in_the_envelope_is_an_invalid_request(mcp, escaped):
    refused = {
        "method": with_text(mcp.message("TEXT"), escaped),
        "id": with_text(mcp.message("tools/list", id="TEXT"), escaped),
        "cursor": with_text(mcp.message("tools/list", {"cursor": "TEXT"}), escaped),
        "name of a tool": with_text(call(mcp, "TEXT", {}), escaped),
    }
    for where, body in refused.items():
        expected = ABSENT if where == "id" else 1
        assert refusal(post(mcp, body)) == (400, -32600, expected), where


def test_un_01_a_whole_pair_is_text_like_any_other(mcp, tenant):
    tenant.inbox.label = "😀😀😀"
    tenant.inbox.save()
    body = with_text(call(mcp, "inboxes_list", {"q": "TEXTTEXTTEXT"}, id="TEXT"), "\\ud83d\\ude00")
    said = post(mcp, body, "tools/call", "inboxes_list").json()
    assert said["id"] == "😀"
    assert [row["label"] for row in json.loads(said["result"]["content"][0]["text"])["data"]] == ["😀😀😀"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("emails_list", {"q": "a\0b"}),
        ("emails_list", {"status": ["\0"]}),
        ("emails_list", {"a\0b": 1}),
        ("emails_get", {"id": "em_1\0"}),
        ("workspaces_list", {"cursor": "\0"}),
    ],
)
@pytest.mark.proves("tools-inputs")
def test_un_03_nul_in_an_argument_is_a_matter_of_the_arguments(mcp, tool, arguments):
    assert mcp.refusal(tool, arguments)["code"] == "validation_failed"


@pytest.mark.parametrize("name", ["\0", "emails_list\0"])
def test_un_03_nul_in_the_name_of_a_tool_is_an_unknown_tool(mcp, name):
    assert post(mcp, call(mcp, name, {}), "tools/call").json()["error"]["code"] in (-32602, -32020)
    assert mcp.tools()


def test_un_03_a_mail_with_nul_is_stored_and_can_be_read(mcp, tenant):
    raw = b"From: a@example.com\r\nSubject: be\0fore\r\nContent-Type: text/plain\r\n\r\nbo\0dy\r\n"
    (stored,) = receive(raw, Envelope("", (tenant.inbox.email,))).stored
    text = mcp.call("emails_get", {"id": str(stored.pk)})["content"][0]["text"]
    assert "\\u0000" not in text and "\0" not in text
    assert "fore" in text and "dy" in text
