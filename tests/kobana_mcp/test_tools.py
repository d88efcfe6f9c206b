"""What a caller sees and what comes of calling it, with the inbox as the host."""

import base64
import json

import pytest

from inbox.models import Inbox
from inbox.services import inboxes
from kobana_mcp import registry

READ = "inbox.emails:read inbox.inboxes:read inbox.workspaces:read"


def encoded(name):
    """A tool's name as Mcp-Name carries one that begins with a space."""
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="


@pytest.mark.proves("tools-access", "cache-public")
def test_viewer_does_not_see_what_he_may_not_run(mcp_for, tenant, era):
    assert "inboxes_delete" not in mcp_for(tenant.viewer, era=era).tools()
    assert "inboxes_delete" not in mcp_for(tenant.operator, era=era).tools()
    assert "inboxes_delete" in mcp_for(tenant.admin, era=era).tools()


def test_narrow_token_does_not_see_what_lies_outside_its_scope(mcp_for, tenant, era):
    assert mcp_for(tenant.owner, "inbox.emails:read", era=era).tools() == ["emails_list", "emails_get"]
    assert mcp_for(tenant.owner, "", era=era).tools() == []


def test_right_to_write_is_the_right_to_read_as_well(mcp_for, tenant):
    everything = [tool.name for tool in registry.tools if tool.name.startswith("inboxes_")]
    assert mcp_for(tenant.owner, "inbox.inboxes:write").tools() == everything
    assert mcp_for(tenant.owner, "inbox.inboxes").tools() == everything


def test_first_tool_only_reads_and_runs_without_arguments(mcp):
    name = mcp.tools()[0]
    assert not mcp.call(name).get("isError")


@pytest.mark.proves("tools-listed")
def test_tool_is_described_with_schema_and_annotations(mcp):
    tools = {tool["name"]: tool for tool in mcp.result("tools/list")["tools"]}
    assert tools["inboxes_delete"]["annotations"] == {
        "title": "Delete an inbox",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    schema = tools["emails_list"]["inputSchema"]
    assert schema["type"] == "object" and schema["additionalProperties"] is False
    assert schema["properties"]["limit"]["maximum"] == 200


def test_list_is_handed_out_in_pages_with_cursors_of_its_own(settings, mcp):
    everything = mcp.tools()
    size = len(everything) // 3 + 1
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "PAGE_SIZE": size}
    first = mcp.result("tools/list")
    assert len(first["tools"]) == size and first["nextCursor"]
    assert mcp.tools() == everything
    second = mcp.result("tools/list", {"cursor": first["nextCursor"]})
    assert "nextCursor" not in mcp.result("tools/list", {"cursor": second["nextCursor"]})


@pytest.mark.parametrize("cursor", ["bogus", "%%%", "e30=", "", "A" * 10_000, 5, {}, [], "MTo5OTk5OTk5"])
def test_garbage_cursor_is_refused_and_never_page_one(mcp, cursor):
    assert mcp.error("tools/list", {"cursor": cursor})["code"] == -32602


def test_cursor_of_another_person_is_refused(settings, mcp_for, tenant):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "PAGE_SIZE": 1}
    cursor = mcp_for(tenant.owner).result("tools/list")["nextCursor"]
    assert mcp_for(tenant.admin).error("tools/list", {"cursor": cursor})["code"] == -32602


def test_result_is_the_json_that_rest_sends(mcp, rest_for, tenant):
    text = mcp.call("inboxes_list")["content"][0]["text"]
    assert text == rest_for(tenant.owner).get("/api/v1/inboxes").content.decode()


def test_call_without_arguments_or_with_null_runs(mcp):
    for params in ({}, {"arguments": {}}, {"arguments": None}):
        assert not mcp.result("tools/call", {"name": "workspaces_list", **params}).get("isError")


@pytest.mark.parametrize("arguments", [[], "{}", 5, True])
def test_arguments_that_are_no_object_are_no_call(mcp, arguments):
    assert mcp.error("tools/call", {"name": "workspaces_list", "arguments": arguments})["code"] == -32602


@pytest.mark.parametrize("name", [None, 5, "", [], {}])
def test_call_that_names_no_tool_is_no_call(mcp, name):
    assert mcp.error("tools/call", {"name": name})["code"] == -32602


@pytest.mark.parametrize("name", ["no_such_tool", " emails_list", "EMAILS_LIST"])
def test_unknown_tool_is_a_protocol_error(mcp, name):
    answer = mcp.send("tools/call", {"name": name}, headers={"Mcp-Name": encoded(name)})
    assert answer.status_code == (400 if mcp.era.errors_by_status else 200)
    assert (answer.json()["error"]["code"], answer.json()["id"]) == (-32602, 1)


def test_name_near_a_visible_tool_is_answered_with_that_one(mcp_for, tenant):
    near = mcp_for(tenant.owner).error("tools/call", {"name": "email_list"})
    assert near["message"].endswith("Did you mean emails_list?")
    hidden = mcp_for(tenant.owner, "inbox.emails:read").error("tools/call", {"name": "inboxes_delet"})
    assert "inboxes_delete" not in hidden["message"]


@pytest.mark.proves("tools-inputs")
def test_every_fault_of_the_arguments_is_told_at_once(mcp):
    details = mcp.refusal("emails_list", {"limit": 0, "statos": "received", "cursor": 5})["details"]["fieldErrors"]
    assert details["limit"] == ["Must be at least 1."]
    assert "Did you mean 'status'?" in details["statos"][0]
    assert details["cursor"] == ["Must be a string."]


def test_filter_that_may_be_repeated_takes_one_value_or_a_list(mcp):
    for status in ("received", ["received", "failed"]):
        assert mcp.data("emails_list", {"status": status})["data"] == []
    faults = mcp.refusal("emails_list", {"status": "bogus"})["details"]["fieldErrors"]
    assert faults["status"][0].startswith("Must be one of: approved, ")
    assert mcp.refusal("emails_list", {"status": 5})["details"]["fieldErrors"]["status"] == [
        "Must be a string or a list that fits the schema."
    ]


def test_number_sent_as_a_string_is_read_as_that_number(mcp):
    assert mcp.data("emails_list", {"limit": "2"})["meta"]["next_cursor"] is None
    assert mcp.refusal("emails_list", {"limit": "2 "})["details"]["fieldErrors"]["limit"] == ["Must be an integer."]


@pytest.mark.parametrize("bad", ["\ud800", "a\u0000b", "\udfffx"])
def test_text_that_is_no_text_is_a_validation_answer(mcp, bad):
    answer = mcp.send("tools/call", {"name": "emails_get", "arguments": {"id": bad}})
    assert answer.status_code == 200
    answer.content.decode()
    assert answer.json()["result"]["isError"] is True


@pytest.mark.parametrize(
    "id", ["../inboxes", "..%2Finboxes", "%2e%2e", "x?format=api", "x#y", "x/eml", "", " ", ".", "a;b", "a\\..\\b"]
)
def test_id_cannot_reach_another_route(mcp, id):
    assert mcp.refusal("emails_get", {"id": id})["code"] in ("not_found", "validation_failed")


def test_id_of_another_tenant_is_answered_like_one_that_does_not_exist(mcp_for, tenant, other_tenant, era):
    client = mcp_for(tenant.owner, era=era)
    client.capabilities = {"elicitation": {}}
    missing = client.refusal("inboxes_delete", {"id": "00000000-0000-7000-8000-000000000000"})
    assert missing["code"] == ("not_found" if era.asks_in_result else "confirmation_required")
    assert client.refusal("inboxes_delete", {"id": str(other_tenant.inbox.pk)}) == missing
    assert Inbox.objects.live().filter(pk=other_tenant.inbox.pk).exists()


def test_missing_permission_is_told_before_a_missing_scope(mcp_for, tenant, era):
    refusal = mcp_for(tenant.viewer, READ, era=era).refusal("inboxes_delete", {"id": str(tenant.inbox.pk)})
    assert refusal["code"] == "forbidden"


def test_missing_scope_is_a_challenge_that_names_all_that_is_needed(mcp_for, tenant, era):
    params = {"name": "inboxes_delete", "arguments": {"id": str(tenant.inbox.pk)}}
    answer = mcp_for(tenant.owner, READ, era=era).send("tools/call", params)
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (403, 403, 1)
    header = answer.headers["WWW-Authenticate"]
    assert 'error="insufficient_scope"' in header and 'scope="inbox.inboxes:write"' in header
    assert "resource_metadata=" in header
    tenant.inbox.refresh_from_db()
    assert tenant.inbox.deleted_at is None


def test_several_workspaces_and_none_named_is_answered_with_the_choices(mcp, tenant, second_workspace):
    refusal = mcp.refusal("emails_list")
    assert refusal["code"] == "workspace_required"
    labels = {choice["label"] for choice in refusal["details"]["workspaces"]}
    assert labels == {tenant.workspace.label, second_workspace.label}
    mcp.headers["X-Workspace-Id"] = str(second_workspace.pk)
    assert mcp.data("emails_list")["data"] == []


def test_workspace_of_another_tenant_is_not_found(mcp, other_tenant):
    mcp.headers["X-Workspace-Id"] = str(other_tenant.workspace.pk)
    assert mcp.refusal("emails_list")["code"] == "workspace_not_found"


@pytest.mark.proves("tools-outputs")
def test_result_over_the_limit_says_how_to_ask_for_less(settings, mcp):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "MAX_RESULT_BYTES": 50}
    refusal = mcp.refusal("inboxes_list")
    assert refusal["code"] == "result_too_large"
    assert refusal["details"]["size"] > 50
    assert "limit" in refusal["message"]


def test_deleted_inbox_is_gone_from_the_list(mcp, tenant):
    assert len(mcp.data("inboxes_list")["data"]) == 1
    inboxes.delete(tenant.inbox, by=tenant.owner)
    assert mcp.data("inboxes_list")["data"] == []


def test_tools_list_costs_the_same_number_of_queries_however_many_tools_there_are(
    mcp_for, tenant, django_assert_max_num_queries, django_assert_num_queries
):
    client = mcp_for(tenant.owner)
    client.tools()  # reads the administrator's choices, once in the life of a process
    with django_assert_max_num_queries(3) as captured:
        client.tools()
    asked = len(captured)
    more = [tool for tool in registry.tools if tool.name == "emails_list"]
    copies = [registry.Tool(**{**vars(more[0]), "name": f"copy_{n}"}) for n in range(20)]
    with registry.tools.temporarily(*copies):
        client.tools()
        with django_assert_num_queries(asked):
            assert len(client.tools()) > 20


def test_unknown_members_of_message_and_params_never_reach_a_view(mcp):
    meta = {"progressToken": 0, "com.example/x": [1]}
    result = mcp.result("tools/call", {"name": "workspaces_list", "arguments": {}, "_meta": meta, "extra": 1})
    assert json.loads(result["content"][0]["text"])["data"]
