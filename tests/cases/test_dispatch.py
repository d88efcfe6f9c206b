"""Cases DR: what gets lost, or out, when a view is called in process."""

import json
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
from django.contrib.auth.models import Group
from django.db import connection, connections
from django.test import Client

from inbox.api.families.inboxes import InboxViewSet
from inbox.models import Agent, Inbox
from inbox.services import agents
from kobana_mcp import registry, schemas
from kobana_mcp.models import ToolCall
from kobana_mcp.protocol.eras import MODERN
from tests.cases.speech import call, post
from tests.kobana_mcp.conftest import make_tool
from tests.site import views

YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
MISSING = "01234567-0123-7123-8123-0123456789ab"


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("webhooks_create", {"label": "L", "url": "nope"}, "validation_failed"),
        ("emails_get", {"id": MISSING}, "not_found"),
        ("emails_list", {"cursor": "9999"}, "validation_failed"),
        ("inboxes_update", {"id": MISSING, "label": "L"}, "not_found"),
        ("inboxes_create", {"label": "L", "email": "acme-mail@inbox.example"}, "conflict"),
    ],
)
def test_dr_01_refusals_of_the_endpoint_are_errors_with_its_own_words(mcp, tool, arguments, code):
    result = mcp.call(tool, arguments)
    assert result["isError"] is True and "structuredContent" not in result
    error = json.loads(result["content"][0]["text"])["error"]
    assert error["code"] == code and error["message"]
    assert "ErrorDetail" not in result["content"][0]["text"]


def test_dr_01_crash_is_an_internal_error_that_says_nothing(mcp, caplog):
    with mock.patch.object(agents, "create", side_effect=ZeroDivisionError("SELECT secret FROM settings")):
        given = {"label": "L", "llm_model": "m", "system_message": "s"}
        answer = post(mcp, call(mcp, "agents_create", given), "tools/call", "agents_create")
    error = answer.json()["error"]
    assert error["code"] == -32603
    assert "SELECT" not in answer.content.decode() and "Traceback" not in answer.content.decode()
    assert [record for record in caplog.records if error["data"]["reference"] in record.getMessage()]


def test_dr_02_deletion_has_an_answer_and_a_second_one_is_not_found(modern, tenant):
    modern.capabilities = {"elicitation": {}}
    row = Agent.objects.create(workspace=tenant.workspace, label="A", llm_model="m", system_message="s")
    arguments = {"id": str(row.pk)}
    state = modern.call("agents_delete", arguments)["requestState"]
    done = modern.call("agents_delete", arguments, requestState=state, inputResponses=YES)
    assert not done.get("isError")
    (block,) = done["content"]
    assert json.loads(block["text"]) == {"status": 204, "message": "Done."}
    assert modern.refusal("agents_delete", arguments)["code"] == "not_found"


@pytest.mark.usefixtures("site")
def test_dr_04_links_lead_to_the_public_host(mcp, settings, client):
    settings.ALLOWED_HOSTS = ["mcp.example.test"]
    client.defaults["HTTP_HOST"] = "mcp.example.test"
    for number in range(5):
        Group.objects.create(name=f"g{number}")
    text = mcp.call("groups_list")["content"][0]["text"]
    assert json.loads(text)["next"].startswith("http://mcp.example.test/")
    assert "testserver" not in text and "127.0.0.1" not in text and "localhost" not in text


WAYS_OUT = (
    *("../webhooks/{0}", "..%2Fwebhooks%2F{0}", "%2e%2e", "{0}?format=api", "{0}#x", "{0}/eml", "{0}/reprocess", ""),
    *(" ", ".", "..", "{0};x", "{0}\\..\\x", "{0}%00", "{0}/", "/{0}", "//{0}", "{0}%2Feml", "{0}\n", "*", "{0},{0}"),
)


@pytest.mark.parametrize("way", WAYS_OUT)
def test_dr_05_id_cannot_lead_to_another_route(mcp, tenant, way):
    key = str(tenant.inbox.pk)
    for tool in ("inboxes_get", "emails_get", "webhooks_get", "workspaces_get"):
        assert mcp.refusal(tool, {"id": way.format(key)})["code"] in ("not_found", "validation_failed")


@pytest.mark.parametrize("value", [["a"], {"id": "a"}, 5, 1.5, True, None])
def test_dr_05_id_that_is_no_text_is_refused_before_any_path_is_made(mcp, value):
    assert mcp.refusal("inboxes_get", {"id": value})["code"] == "validation_failed"


@pytest.mark.parametrize("atomic", [True, False])
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("site")
def test_dr_07_failed_tool_leaves_nothing_behind_but_its_audit_row(mcp_for, tenant, monkeypatch, atomic):
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", atomic)
    client = mcp_for(tenant.owner, era=MODERN)
    views.COMMITTED.clear()
    error = client.refusal("groups_create", {"name": "refused"})
    crash = client.send("tools/call", {"name": "groups_create", "arguments": {"name": "crash"}})
    assert error["code"] == "validation_failed"
    assert crash.json()["error"]["code"] == -32603
    if atomic:
        assert not Group.objects.exists()
        assert views.COMMITTED == []
    assert [row.outcome for row in ToolCall.objects.order_by("id")] == ["failed", "crashed"]
    assert client.data("groups_create", {"name": "fine"})["name"] == "fine"
    assert "fine" in views.COMMITTED


def test_dr_08_rest_answers_the_same_bytes_with_the_tools_and_without(rest_for, tenant):
    client = rest_for(tenant.owner)
    paths = ("inboxes", "emails?limit=3", "workspaces", f"inboxes/{tenant.inbox.pk}", "emails?limit=x", "nowhere")

    def answers():
        found = [client.get(f"/api/v1/{path}") for path in paths] + [Client().get("/api/v1/inboxes")]
        return [(answer.status_code, answer.content, sorted(answer.headers.items())) for answer in found]

    with_tools = answers()
    with registry.tools.temporarily(alone=True):
        assert answers() == with_tools


def test_dr_08_publishing_a_view_leaves_its_class_as_it_was(mcp, tenant):
    before = dict(vars(InboxViewSet))
    mcp.tools()
    mcp.data("inboxes_list")
    mcp.refusal("inboxes_get", {"id": MISSING})
    assert dict(vars(InboxViewSet)) == before


@pytest.mark.usefixtures("site")
def test_dr_09_view_that_cannot_be_described_costs_only_itself(mcp, settings):
    broken = make_tool("broken", "premium", "POST")
    with registry.tools.temporarily(broken):
        names = mcp.tools()
    assert "broken" not in names and "groups_list" in names


def test_dr_09_describing_asks_the_database_nothing(mcp, django_assert_num_queries):
    schemas._MADE.clear()
    with django_assert_num_queries(0):
        for tool in registry.tools:
            assert schemas.shape_of(tool).schema["type"] == "object"


@pytest.mark.django_db(transaction=True)
def test_dr_12_call_that_is_repeated_after_a_timeout_happens_once(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    client.capabilities = {"elicitation": {}}
    arguments = {"id": str(tenant.inbox.pk)}
    state = client.call("inboxes_delete", arguments)["requestState"]

    def again(_):
        try:
            params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
            return client.send("tools/call", params).json()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        answers = list(pool.map(again, range(3)))
    ran = [answer for answer in answers if "result" in answer]
    assert len(ran) == 1
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {-32602}
    assert not Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


def test_dr_12_upsert_by_the_callers_own_id_may_be_repeated(mcp, tenant):
    arguments = {"id": MISSING, "label": "Once"}
    first, second = (mcp.data("inboxes_upsert", arguments)["data"] for _ in range(2))
    assert first["id"] == second["id"]
    assert Inbox.objects.filter(external_id=MISSING).count() == 1
    listed = {tool["name"]: tool for tool in mcp.result("tools/list")["tools"]}
    assert listed["inboxes_upsert"]["annotations"]["idempotentHint"] is True
    for name in ("webhooks_test", "webhook_deliveries_replay", "emails_reprocess"):
        assert listed[name]["annotations"]["idempotentHint"] is False
        assert "Each call" in listed[name]["description"]
