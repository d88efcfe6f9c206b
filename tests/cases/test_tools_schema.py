"""Cases TS: what clients drop, a tool or the whole list, and calls that are almost right."""

import json
import re

import pytest

from inbox.intake.receive import Envelope, receive
from tests.cases.speech import call, in_era, post, refusal


def schemas_of(mcp):
    return {tool["name"]: tool["inputSchema"] for tool in mcp.result("tools/list")["tools"]}


def parts(schema):
    """Every schema within a schema."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [
        schema[word] for word in ("items", "additionalProperties") if not isinstance(schema.get(word, True), bool)
    ]
    for each in inner:
        yield from parts(each)


def nulls(value, where=""):
    """The places of a result in which null stands."""
    if value is None:
        yield where
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from nulls(inner, f"{where}.{name}")


def test_ts_01_root_of_every_schema_is_an_object_without_combinators(mcp):
    for name, schema in schemas_of(mcp).items():
        assert schema["type"] == "object", name
        assert not {"anyOf", "oneOf", "allOf", "not", "if", "$ref"} & set(schema), name


def test_ts_02_names_are_such_that_every_model_takes_them_behind_a_clients_prefix(mcp):
    names = mcp.tools()
    assert len(names) == len(set(names)) > 30
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", name) for name in names)


def test_ts_03_no_type_arrays_no_boolean_schemas_no_bare_lists_no_empty_choices(mcp):
    for schema in schemas_of(mcp).values():
        for part in parts(schema):
            assert isinstance(part, dict) and part
            assert isinstance(part.get("type", ""), str)
            assert (
                part.get("type") != "array" or isinstance(part["items"].get("type"), str) or part["items"].get("anyOf")
            )
            assert not {None, ""} & set(part.get("enum", ()))


def test_ts_04_nothing_refers_to_anything(mcp):
    text = json.dumps(mcp.result("tools/list"))
    assert not re.search(r'"(\$ref|\$defs|definitions|\$id|\$schema)"', text)


def test_ts_05_no_member_is_null(mcp, modern, legacy):
    assert list(nulls(mcp.result("tools/list"))) == []
    assert list(nulls(modern.result("server/discover"))) == []
    assert list(nulls(legacy.result("initialize", {"protocolVersion": "2025-06-18"}))) == []
    for schema in schemas_of(mcp).values():
        assert all(isinstance(part.get("required", []), list) for part in parts(schema))


def test_ts_06_error_has_no_structured_content(mcp, settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "STRUCTURED_RESULTS": True}
    listed = {tool["name"]: tool for tool in mcp.result("tools/list")["tools"]}
    assert listed["emails_get"]["outputSchema"]["type"] == "object"
    result = mcp.call("emails_get", {"id": "01234567-0123-7123-8123-0123456789ab"})
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert json.loads(result["content"][0]["text"])["error"]["code"] == "not_found"


def test_ts_09_modern_results_say_that_they_are_complete_and_whether_they_may_be_kept(modern):
    hints = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    for method in ("server/discover", "tools/list"):
        result = modern.result(method)
        assert {name: result[name] for name in hints} == hints
    called = modern.call("workspaces_list")
    assert called["resultType"] == "complete"
    assert not {"ttlMs", "cacheScope"} & set(called)
    modern.capabilities = {"elicitation": {}}
    asked = modern.call("workspaces_delete", {"id": modern.data("workspaces_list")["data"][0]["id"]})
    assert asked["resultType"] == "input_required"
    assert not {"ttlMs", "cacheScope"} & set(asked)


@pytest.fixture
def much_mail(tenant):
    for number in range(120):
        raw = f"Message-ID: <{number}@w.example>\r\nFrom: w@w.example\r\nSubject: {'s' * 100}\r\n\r\n{'text ' * 200}"
        receive(raw.encode(), Envelope("", (tenant.inbox.email,)))


def test_ts_11_first_page_is_small_and_says_how_to_go_on(mcp, much_mail):
    text = mcp.call("emails_list")["content"][0]["text"]
    assert len(text.encode()) <= 100_000
    first = json.loads(text)
    second = mcp.data("emails_list", {"cursor": first["meta"]["next_cursor"]})
    assert {row["id"] for row in first["data"]}.isdisjoint(row["id"] for row in second["data"])


def test_ts_11_long_mail_is_refused_with_the_way_to_read_it_in_pieces(mcp, tenant):
    html = "<p>" + "x" * 3_000_000 + "</p>"
    raw = f"From: w@w.example\r\nSubject: long\r\nContent-Type: text/html\r\n\r\n{html}"
    receive(raw.encode(), Envelope("", (tenant.inbox.email,)))
    (row,) = mcp.data("emails_list")["data"]
    refused = mcp.refusal("emails_get", {"id": row["id"]})
    assert refused["code"] == "result_too_large"
    assert "body_limit" in refused["message"] and "body_offset" in refused["message"]
    piece = mcp.data("emails_get", {"id": row["id"], "body": "html", "body_offset": 10, "body_limit": 500})["data"]
    assert "x" * 500 in json.dumps(piece)


def test_ts_12_scalars_in_strings_are_read_and_whole_values_in_strings_are_explained(mcp):
    assert mcp.data("emails_list", {"limit": "20"})["data"] == []
    refused = mcp.refusal(
        "webhooks_create", {"label": "L", "url": "https://h.example.com/x", "subscribed_events": "[]"}
    )
    assert "Must be a list" in json.dumps(refused["details"]["fieldErrors"]["subscribed_events"])
    made = mcp.data("agents_create", {"label": "123", "llm_model": "5", "system_message": "true"})["data"]
    assert (made["label"], made["llm_model"], made["system_message"]) == ("123", "5", "true")


@pytest.mark.parametrize("arguments", [[], "{}", 5, True])
def test_ts_14_arguments_that_are_no_object_do_not_fit_the_call(mcp, arguments):
    answer = post(mcp, call(mcp, "workspaces_list", arguments), "tools/call", "workspaces_list")
    assert refusal(answer) == in_era(mcp, 400, -32602)


def test_ts_14_absent_null_and_empty_arguments_run(mcp):
    without = mcp.message("tools/call", {"name": "workspaces_list"})
    for body in (without, call(mcp, "workspaces_list", {}), call(mcp, "workspaces_list", None)):
        answer = post(mcp, body, "tools/call", "workspaces_list")
        assert "isError" not in answer.json()["result"]


@pytest.mark.parametrize("params", [{}, {"name": 5}, {"name": None}, {"name": ["workspaces_list"]}])
def test_ts_14_name_that_is_none_does_not_fit_the_call(legacy, params):
    answer = post(legacy, legacy.message("tools/call", {"arguments": {}, **params}), "tools/call")
    assert refusal(answer) == in_era(legacy, 400, -32602)


@pytest.mark.parametrize("name", ["no_such_tool", "LIST_EMAILS", "Emails_list", "emails_list.", "x" * 300])
def test_ts_15_unknown_tool_is_a_matter_of_the_params(mcp, name):
    answer = post(mcp, call(mcp, name, {}), "tools/call", name)
    assert refusal(answer) == in_era(mcp, 400, -32602)
    assert answer.json()["error"]["message"].startswith(f"Unknown tool: {name[:64]}")


@pytest.mark.parametrize(
    ("tool", "arguments", "fields"),
    [
        ("inboxes_create", {"label": "L", "email": "not an address"}, {"email"}),
        ("inboxes_create", {}, {"label"}),
        ("emails_list", {"limit": -5}, {"limit"}),
        (
            "emails_list",
            {"limit": 0, "status": "nope", "q": "x"},
            {"limit", "status", "q"},
        ),
        ("agents_create", {"label": 5, "colour": "red"}, {"label", "colour", "llm_model", "system_message"}),
    ],
)
def test_ts_16_wrong_arguments_are_a_result_that_names_every_fault(mcp, tool, arguments, fields):
    refused = mcp.refusal(tool, arguments)
    assert refused["code"] == "validation_failed"
    assert set(refused["details"]["fieldErrors"]) == fields
