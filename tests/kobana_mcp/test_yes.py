"""What one yes is good for, and what the person who says it was shown: tried by one who has read the source."""

import json

import pytest
from django.contrib.auth.models import Group
from hypothesis import given
from hypothesis import strategies as st

from inbox.models import Inbox, Role
from inbox.services import agents
from kobana_mcp import confirmation, registry
from kobana_mcp.models import ToolPolicy
from kobana_mcp.protocol.eras import LEGACY, MODERN
from kobana_mcp.registry import Tool
from tests.kobana_mcp.conftest import make_tool

FORM = {"elicitation": {"form": {}}}
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


@pytest.fixture
def owner(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    client.capabilities = FORM
    return client


@pytest.fixture
def arguments(tenant):
    return {"id": str(tenant.inbox.pk)}


@pytest.fixture
def state(owner, arguments):
    return owner.call("inboxes_delete", arguments)["requestState"]


def retry(client, arguments, state, tool="inboxes_delete"):
    params = {"name": tool, "arguments": arguments, "requestState": state, "inputResponses": YES}
    return client.send("tools/call", params)


def is_there(tenant):
    return Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


def question(result):
    return result["inputRequests"]["confirm"]["params"]["message"]


def test_yes_is_worth_nothing_to_whom_the_role_was_taken_from_meanwhile(owner, arguments, state, tenant):
    tenant.owner.memberships.update(role=Role.VIEWER)
    assert json.loads(retry(owner, arguments, state).json()["result"]["content"][0]["text"])["error"]["code"] == (
        "forbidden"
    )
    assert is_there(tenant)


def test_yes_does_not_stand_in_for_a_scope(mcp_for, arguments, state, tenant):
    narrow = mcp_for(tenant.owner, "inbox.inboxes:read", era=MODERN)
    narrow.capabilities = FORM
    assert retry(narrow, arguments, state).status_code == 403
    assert is_there(tenant)


def test_yes_is_worth_nothing_once_the_tool_is_switched_off(owner, arguments, state, tenant):
    ToolPolicy.objects.create(tool="inboxes_delete", is_enabled=False)
    assert retry(owner, arguments, state).json()["error"]["code"] == -32602
    assert is_there(tenant)


def test_yes_of_the_modern_era_is_none_in_a_legacy_one(mcp_for, arguments, state, tenant):
    legacy = mcp_for(tenant.owner, era=LEGACY)
    legacy.capabilities = FORM
    assert "confirmation_required" in retry(legacy, arguments, state).json()["result"]["content"][0]["text"]
    assert is_there(tenant)


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}])
def test_yes_of_a_client_that_says_it_cannot_ask_is_none(owner, arguments, state, tenant, capabilities):
    owner.capabilities = capabilities
    assert "confirmation_required" in retry(owner, arguments, state).json()["result"]["content"][0]["text"]
    assert is_there(tenant)


@pytest.mark.parametrize("language", ["pt-br", "de", "x" * 300, "*"])
def test_language_of_the_retry_changes_nothing(owner, arguments, state, tenant, language):
    owner.headers = {"Accept-Language": language}
    assert "result" in retry(owner, arguments, state).json()
    assert not is_there(tenant)


@pytest.mark.parametrize("named", [lambda row: str(row.pk), lambda row: str(row.external_id), lambda row: row.pk.hex])
def test_workspace_named_in_another_way_is_the_same_or_none(owner, arguments, state, tenant, named):
    """The yes was given with no workspace named, where there is but one."""
    owner.headers = {"X-Workspace-Id": named(tenant.workspace)}
    answer = retry(owner, arguments, state).json()
    assert is_there(tenant) is ("error" in answer)


@pytest.mark.parametrize(
    "spell",
    [
        str.upper,
        lambda key: key.replace("-", ""),
        lambda key: "{" + key + "}",
        lambda key: "urn:uuid:" + key,
        lambda key: key + " ",
        lambda key: key + "\u200b",
        lambda key: key.translate({ord("0") + n: 0xFF10 + n for n in range(10)}),
    ],
)
def test_yes_for_one_spelling_of_an_id_is_no_yes_for_another(owner, arguments, state, tenant, spell):
    assert retry(owner, {"id": spell(arguments["id"])}, state).json()["error"]["code"] in (-32602,) or is_there(tenant)
    assert is_there(tenant)


def test_yes_for_one_agent_does_not_end_another_that_took_its_external_id(owner, tenant):
    facts = {"label": "Reader", "llm_model": "m", "system_message": "s"}
    first = agents.create(tenant.workspace, facts, by=tenant.owner)
    key = {"id": str(first.external_id)}
    state = owner.call("agents_delete", key)["requestState"]
    agents.delete(first, by=tenant.owner)
    second = agents.create(tenant.workspace, {**facts, "external_id": first.external_id}, by=tenant.owner)
    retry(owner, key, state, "agents_delete")
    second.refresh_from_db()
    assert second.deleted_at is None


NEAR = [
    0,
    0.0,
    -0.0,
    False,
    1,
    1.0,
    True,
    "1",
    "1.0",
    "true",
    None,
    "",
    [],
    {},
    [1],
    [1.0],
    ["1"],
    {"a": 1},
    {"a": True},
]
NEAR += ["é", "e\u0301", "ﬁ", "fi", "A", "a", "\u0391", "a ", " a", 2**53, float(2**53), "K", "\u212a"]
ARGUMENTS = st.dictionaries(st.sampled_from(["a", "b", "é", "e\u0301", "A"]), st.sampled_from(NEAR), max_size=3)


@given(ARGUMENTS, ARGUMENTS)
def test_arguments_that_are_written_differently_are_never_sealed_alike(one, other):
    tool = Tool(
        name="t", title="T", description="T", scope="", read_only=True, destructive=False, idempotent=True,
        run=dict, input_schema={"type": "object"},
    )  # fmt: skip

    class Nobody:
        pk = "1"

    class Call:
        class principal:
            user = client = Nobody

        request = None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confirmation, "tenant_key", lambda context: "")
        same = confirmation._fingerprint(tool, one, Call) == confirmation._fingerprint(tool, other, Call)
    assert same == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


# --- What a person is shown -------------------------------------------------------------------------------------------


def ask_about(owner, tenant, label):
    tenant.inbox.label = label
    tenant.inbox.save()
    return question(owner.call("inboxes_delete", {"id": str(tenant.inbox.pk)}))


@pytest.mark.parametrize("label", ["{email}", "{arguments.id}", "%s %(email)s", "{0}", "{email.__class__}", "\\g<1>"])
def test_label_that_looks_like_a_placeholder_is_shown_as_it_is(owner, tenant, label):
    assert f"“{label}”" in ask_about(owner, tenant, label)


#: As Unicode lists them beside the quotation marks proper (confusables, and names with "quotation" or "double prime").
LOOKALIKES = "❝❞〝〞〟″‶ʺˮ״〃🙶🙷🙸"


@pytest.mark.parametrize("mark", LOOKALIKES)
def test_nothing_that_looks_like_a_quotation_mark_is_left_in_a_label(owner, tenant, mark):
    assert mark not in ask_about(owner, tenant, f"old{mark}? Nothing is deleted. Ignore {mark}")


def test_address_that_is_asked_about_is_shown_with_its_end(owner, tenant):
    """Who is let in is decided by the end of the address."""
    address = f"boss@kobana.example.{'a' * 60}.{'b' * 60}.evil.example"
    asked = owner.call("inboxes_add_recipient", {"id": str(tenant.inbox.pk), "email": address})
    assert "evil.example" in question(asked)


def test_url_that_is_asked_about_is_shown_with_its_whole_host(owner, tenant):
    ToolPolicy.objects.create(tool="webhooks_create", must_confirm=True)
    url = f"https://hooks.good.example.{'a' * 60}.evil.example/in"
    asked = owner.call("webhooks_create", {"label": "H", "url": url})
    assert "evil.example" in question(asked)


def test_field_called_data_does_not_speak_for_the_thing_it_belongs_to(site, settings, mcp_for, tenant):
    settings.ROOT_URLCONF = "tests.site.habits"
    tool = make_tool(
        "team_delete", "team", "DELETE", destructive=True, subject="team", question="Delete the team “{name}”?"
    )
    payroll = Group.objects.create(name="payroll")
    with registry.tools.temporarily(tool, alone=True):
        client = mcp_for(tenant.owner, era=MODERN)
        client.capabilities = FORM
        assert question(client.call("team_delete", {"pk": payroll.pk})) == "Delete the team “payroll”?"
