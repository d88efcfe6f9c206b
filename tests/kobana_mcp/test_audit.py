"""One row per call, whatever became of it, and nothing secret in it."""

import json

import pytest
from django.db import OperationalError

from kobana_mcp import audit, registry
from kobana_mcp.models import ToolCall
from kobana_mcp.registry import Tool


def last():
    return ToolCall.objects.order_by("-id")[0]


def test_call_that_ran_is_recorded_with_who_what_and_how_it_ended(mcp_for, tenant, application):
    mcp_for(tenant.viewer).call("inboxes_list", {"limit": 1})
    row = last()
    assert (row.user, row.username) == (tenant.viewer, tenant.viewer.get_username())
    assert (row.client_id, row.client_name) == (application.client_id, application.name)
    assert (row.tool, row.arguments, row.outcome, row.status) == ("inboxes_list", {"limit": 1}, "succeeded", 200)
    assert row.tenant_key == str(tenant.workspace.pk)
    assert row.duration_ms >= 0


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome", "status"),
    [
        ("no_such_tool", {}, "refused", None),
        ("inboxes_list", {"limit": 0}, "refused", None),
        ("inboxes_delete", {"id": "x"}, "refused", None),
        ("emails_get", {"id": "00000000-0000-7000-8000-000000000000"}, "failed", 404),
    ],
)
def test_call_that_did_not_succeed_is_recorded_as_well(mcp_for, tenant, tool, arguments, outcome, status):
    mcp_for(tenant.viewer).send("tools/call", {"name": tool, "arguments": arguments})
    assert (last().tool, last().outcome, last().status) == (tool, outcome, status)


def test_call_that_is_none_is_not_recorded(mcp_for, tenant):
    mcp_for(tenant.viewer).send("tools/call", {"name": 5})
    mcp_for(tenant.viewer).send("tools/list")
    assert not ToolCall.objects.exists()


def test_host_that_keeps_its_own_evidence_can_switch_the_rows_off(mcp_for, tenant, settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "AUDIT": False}
    mcp_for(tenant.viewer).data("emails_list")
    assert not ToolCall.objects.exists()


SCHEMA = {"type": "object", "properties": {"password": {"type": "string"}, "user": {"type": "string"}}}


def tool(**facts):
    base = {"title": "T", "description": "T", "scope": "", "read_only": True, "destructive": False, "idempotent": True}
    base |= {"run": lambda arguments, context: {"content": []}, "input_schema": SCHEMA}
    return Tool(name="t", **{**base, **facts})


def test_secret_arguments_are_masked_and_the_digest_cannot_be_guessed_from_them(mcp_for, tenant):
    with registry.tools.temporarily(tool(secret_fields=("password",))):
        mcp_for(tenant.viewer).call("t", {"password": "hunter2", "user": "u"})
    row = last()
    assert row.arguments == {"password": audit.MASK, "user": "u"}
    assert "hunter2" not in json.dumps([str(value) for value in vars(row).values()])
    assert len(row.arguments_digest) == 64


def test_equal_calls_have_equal_digests_whatever_the_order(mcp_for, tenant):
    with registry.tools.temporarily(tool()):
        for arguments in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 3}):
            mcp_for(tenant.viewer).call("t", arguments)
    first, second, third = ToolCall.objects.order_by("id").values_list("arguments_digest", flat=True)
    assert first == second != third


@pytest.mark.parametrize("value", ["x" * 100_000, "a\u0000b", "\ud800", ["x"] * 1000, {"k" * 300: "v"}, 10**30])
def test_whatever_is_sent_can_be_kept(mcp_for, tenant, value):
    mcp_for(tenant.viewer).send("tools/call", {"name": "no_such_tool", "arguments": {"value": value}})
    assert len(json.dumps(last().arguments)) < 20_000
    assert "\\u0000" not in json.dumps(last().arguments)


def test_row_outlives_the_person(mcp_for, tenant):
    mcp_for(tenant.viewer).call("inboxes_list")
    name = tenant.viewer.get_username()
    tenant.viewer.delete()
    assert (last().user, last().username) == (None, name)


def test_argument_nobody_declared_may_be_a_secret_misspelt_and_is_masked(mcp_for, tenant):
    with registry.tools.temporarily(tool(secret_fields=("password",))):
        mcp_for(tenant.viewer).call("t", {"Password": "hunter2"})
        mcp_for(tenant.viewer).send("tools/call", {"name": "tt", "arguments": {"password": "hunter2"}})
    assert [row.arguments for row in ToolCall.objects.all()] == [{"password": audit.MASK}, {"Password": audit.MASK}]


def test_row_stays_small_however_big_the_call(mcp_for, tenant):
    wide = {"type": "object", "properties": {"user": {"type": "array"}}}
    nested = [["x" * 150] * 40] * 40
    with registry.tools.temporarily(tool(input_schema=wide)):
        mcp_for(tenant.viewer).call("t", {"user": nested})
    assert last().arguments == {"user": "…"}


def test_tool_that_ran_is_answered_even_if_its_row_cannot_be_written(mcp_for, tenant, monkeypatch, caplog):
    """An error would have it done a second time."""

    def refuse(*args, **kwargs):
        raise OperationalError("disk full")

    monkeypatch.setattr(ToolCall, "save", refuse)
    with registry.tools.temporarily(tool()):
        assert "isError" not in mcp_for(tenant.viewer).call("t", {})
    assert "its audit row could not be written" in caplog.text
