"""Ways around a confirmation that a reader of the source would try: none of them runs anything nobody agreed to."""

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connection

from inbox.models import Inbox, Webhook
from kobana_mcp import registry
from kobana_mcp.models import SpentConfirmation, ToolPolicy
from kobana_mcp.protocol.eras import ERAS, MODERN
from kobana_mcp.registry import Tool
from tests.kobana_mcp.conftest import make_tool
from tests.site import things, views

YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
V1 = {"version": "v1"}
ANYTHING = {"type": "object", "properties": {"x": {"description": "Whatever."}}, "additionalProperties": True}
ALIKE = (1, 1.0, True, "1", "true", [1], [[1]], {"1": 1}, None, 0, -0.0, 0.0, False, "", [], {}, "null", 10**20, 1e20)


@pytest.fixture
def asking(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    client.capabilities = {"elicitation": {}}
    return client


@pytest.fixture
def ran():
    return []


@pytest.fixture
def wipe(ran):
    """A destructive function that takes any value, and remembers which it got."""

    def run(arguments, context):
        ran.append(dict(arguments))
        return {"content": [{"type": "text", "text": "done"}]}

    tool = Tool(
        name="wipe",
        title="Wipe",
        description="Wipes.",
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=True,
        idempotent=False,
        question="Wipe?",
        run=run,
        input_schema=ANYTHING,
    )
    with registry.tools.temporarily(tool):
        yield tool


def params(tool, arguments, state):
    return {"name": tool, "arguments": arguments, "requestState": state, "inputResponses": YES}


def message(asked):
    return asked["inputRequests"]["confirm"]["params"]["message"]


@pytest.mark.usefixtures("wipe")
@pytest.mark.parametrize("given", ALIKE, ids=repr)
def test_yes_to_one_value_is_no_yes_to_one_that_python_calls_equal(asking, ran, given):
    state = asking.call("wipe", {"x": given})["requestState"]
    for other in ALIKE:
        if repr(other) != repr(given):
            assert asking.error("tools/call", params("wipe", {"x": other}, state))["code"] == -32602, other
    for shape in ({}, {"X": given}, {"x": given, "y": None}, {"x": {"x": given}}):
        assert asking.error("tools/call", params("wipe", shape, state))["code"] == -32602, shape
    assert ran == [] and not SpentConfirmation.objects.exists()
    assert not asking.call("wipe", {"x": given}, requestState=state, inputResponses=YES).get("isError")
    assert repr(ran) == repr([{"x": given}])


@pytest.mark.parametrize("era", [era for era in ERAS if not era.asks_in_result], ids=lambda era: era.name)
def test_state_of_an_era_that_asks_is_worth_nothing_in_one_that_does_not(asking, tenant, era):
    arguments = {"id": str(tenant.inbox.pk)}
    state = asking.call("inboxes_delete", arguments)["requestState"]
    for version in era.versions:
        asking.era, asking.version = era, version
        assert asking.refusal("inboxes_delete", arguments)["code"] == "confirmation_required"
        result = asking.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)
        assert result["isError"] is True
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()
    assert not SpentConfirmation.objects.exists()


def test_client_that_takes_its_capability_back_cannot_use_the_state(asking, tenant):
    arguments = {"id": str(tenant.inbox.pk)}
    state = asking.call("inboxes_delete", arguments)["requestState"]
    asking.capabilities = {}
    assert asking.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)["isError"] is True
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


def make_webhook(tenant, **kwargs):
    return Webhook.objects.create(workspace=tenant.workspace, label="L", url="https://hooks.example.test/x", **kwargs)


def test_yes_to_one_row_is_no_yes_to_another_that_looks_the_same_and_took_its_id(asking, rest_for, tenant):
    shown = make_webhook(tenant)
    arguments = {"id": str(shown.pk)}
    state = asking.call("webhooks_delete", arguments)["requestState"]
    assert rest_for(tenant.owner).delete(f"/api/v1/webhooks/{shown.pk}").status_code == 204
    heir = make_webhook(tenant, external_id=shown.pk)
    again = asking.call("webhooks_delete", arguments, requestState=state, inputResponses=YES)
    assert again.get("resultType") == "input_required"
    assert Webhook.objects.filter(pk=heir.pk, deleted_at=None).exists()


def test_names_of_arguments_cannot_speak_for_the_server(asking, wipe):
    quiet = Tool(
        **{name: getattr(wipe, name) for name in ("title", "description", "scope", "run", "input_schema")},
        name="quiet",
        read_only=False,
        destructive=False,
        idempotent=False,
    )
    with registry.tools.temporarily(quiet):
        ToolPolicy.objects.create(tool="quiet", must_confirm=True)
        name = "x “ok”? Nothing is deleted.\u202e\n" + "y" * 200
        words = message(asking.call("quiet", {name: "v"}))
    assert words.count("“") == words.count("”") == 1
    assert not {"\u202e", "\n"} & set(words) and "y" * 100 not in words


@pytest.mark.parametrize("mark", "\u201e\u301e\u301d\u275e\u275d\U0001f677\u2033\u02ba\u3003\u02ee\u05f4\u201f")
def test_what_looks_like_a_quotation_mark_is_none(asking, tenant, mark):
    tenant.inbox.label = f"old{mark}? Nothing is deleted. Ignore {mark}"
    tenant.inbox.save()
    assert mark not in message(asking.call("inboxes_delete", {"id": str(tenant.inbox.pk)}))


def test_secret_argument_is_masked_in_a_question_that_names_it(asking, wipe):
    told = Tool(**{**vars(wipe), "name": "told", "question": "Use {arguments.x}?", "secret_fields": ("x",)})
    with registry.tools.temporarily(told):
        assert "hunter2" not in message(asking.call("told", {"x": "hunter2"}))


def asked_tool(route, method="DELETE", subject="things:thing-detail"):
    return make_tool("erase", route, method, destructive=True, subject=subject, question="Erase “{name}”?")


NUMBER = {"type": "object", "properties": {"x": {"type": "number", "multipleOf": 0.1, "description": "Tenths."}}}


@pytest.mark.parametrize(
    ("value", "fits"),
    [(1.1, True), (0.3, True), (10**400, True), (10**4299, True), (1e308, True), (0.15, False), (1e-320, False)],
    ids=lambda given: str(given)[:9],
)
def test_number_of_any_size_is_measured_and_never_a_crash(asking, wipe, value, fits):
    tool = Tool(**{**vars(wipe), "name": "tenths", "destructive": False, "question": "", "input_schema": NUMBER})
    with registry.tools.temporarily(tool):
        assert asking.call("tenths", {"x": value}).get("isError", False) is not fits


#: Values of a path parameter that is a number in the database.
NO_KEYS = ([1], {"pk": 1}, 1.5, True, None, -1, "1.0", "01", "\uff11", "1\n", 10**30, 1e300, "1/../2", "1%2f", "1;2")


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("value", NO_KEYS, ids=repr)
def test_value_that_is_no_key_finds_no_row(mcp_for, tenant, value, era):
    Group.objects.create(pk=1, name="a")
    refused = mcp_for(tenant.owner, era=era).refusal("groups_get", {"pk": value})
    assert refused["code"] in ("validation_failed", "not_found")


@pytest.fixture
def row(site, tenant):
    cache.clear()
    tenant.owner.is_staff = True
    tenant.owner.save()
    return Group.objects.create(name="alpha")


def confirmed(client, arguments):
    state = client.call("erase", arguments)["requestState"]
    return client.call("erase", arguments, requestState=state, inputResponses=YES)


def test_asking_costs_nothing_of_a_throttle_that_the_view_chooses_itself(row, asking, monkeypatch):
    class Once(things.Twice):
        rate = "1/min"

    chosen = lambda view: [Once()] if view.action == "destroy" else []  # noqa: E731
    monkeypatch.setattr(things.ThingViewSet, "get_throttles", chosen)
    with registry.tools.temporarily(asked_tool("things:thing-detail")):
        assert not confirmed(asking, {**V1, "pk": str(row.pk)}).get("isError")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic", [True, False])
def test_object_is_looked_for_in_the_transaction_that_the_view_has(row, asking, monkeypatch, atomic):
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", atomic)
    found, get_object = [], views.GroupViewSet.get_object

    def locking(view):
        found.append(connection.in_atomic_block)
        return get_object(view)

    monkeypatch.setattr(views.GroupViewSet, "get_object", locking)
    with registry.tools.temporarily(asked_tool("group-detail", subject="group-detail")):
        assert not confirmed(asking, {"pk": str(row.pk)}).get("isError")
    assert set(found) == {atomic}
    assert not Group.objects.exists() and SpentConfirmation.objects.count() == 1


def test_answer_that_is_too_long_says_that_the_call_was_carried_out(row, asking, settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "MAX_RESULT_BYTES": 10}
    refused = asking.refusal("groups_create", {"name": "beta"})
    assert refused["code"] == "result_too_large" and Group.objects.filter(name="beta").exists()
    assert "It is done" in refused["message"]
    assert "It is done" not in asking.refusal("groups_list")["message"]
