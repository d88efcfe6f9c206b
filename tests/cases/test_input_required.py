"""Cases MR: answers that come back to a question, and clients that cannot be asked."""

import json

import pytest

from inbox.models import Inbox
from kobana_mcp.models import SpentConfirmation
from tests.cases.speech import refusal

YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


@pytest.fixture
def asking(modern):
    modern.capabilities = {"elicitation": {"form": {}}}
    return modern


@pytest.fixture
def arguments(tenant):
    return {"id": str(tenant.inbox.pk)}


@pytest.fixture
def state(asking, arguments):
    return asking.call("inboxes_delete", arguments)["requestState"]


def is_there(tenant):
    return Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


def retry(client, arguments, state, tool="inboxes_delete", responses=YES):
    params = {"name": tool, "arguments": arguments, "requestState": state, "inputResponses": responses}
    return client.send("tools/call", params, id="second")


def flipped(state):
    for index in range(0, len(state), 7):
        other = "A" if state[index] != "A" else "B"
        yield state[:index] + other + state[index + 1 :]


def test_mr_01_state_with_one_character_changed_is_refused_wherever_it_is(asking, arguments, state, tenant):
    for changed in flipped(state):
        assert refusal(retry(asking, arguments, changed)) == (400, -32602, "second")
    assert is_there(tenant)


def test_mr_01_state_of_another_person_client_tool_or_arguments_is_refused(
    asking, arguments, state, tenant, mcp_for, second_workspace
):
    other = mcp_for(tenant.admin)
    other.capabilities = asking.capabilities
    other.headers = asking.headers = {"X-Workspace-Id": str(tenant.workspace.pk)}
    refused = {
        "person": retry(other, arguments, state),
        "arguments": retry(asking, {"id": str(tenant.inbox.external_id).upper()}, state),
        "tool": retry(asking, arguments, state, "agents_delete"),
        "empty": retry(asking, arguments, ""),
        "garbage": retry(asking, arguments, "garbage"),
        "no text": retry(asking, arguments, 5),
    }
    asking.headers = {"X-Workspace-Id": str(second_workspace.pk)}
    refused["workspace"] = retry(asking, arguments, state)
    for what, answer in refused.items():
        assert refusal(answer)[1] == -32602, what
    assert is_there(tenant)


def test_mr_01_state_that_is_too_old_is_refused(asking, arguments, state, tenant, settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "CONFIRMATION_SECONDS": 0}
    expired = asking.call("inboxes_delete", arguments)["requestState"]
    assert refusal(retry(asking, arguments, expired)) == (400, -32602, "second")
    assert is_there(tenant)


@pytest.mark.parametrize(
    "responses",
    [
        {},
        {"wrong_key": {"action": "accept", "content": {}}},
        {"confirm": {"action": "accept", "content": {"confirm": "maybe"}}},
        {"confirm": {"action": "accept", "content": {}}},
        {"confirm": {"action": "accept"}},
    ],
)
def test_mr_02_answer_that_does_not_count_is_asked_for_again(asking, arguments, state, tenant, responses):
    again = retry(asking, arguments, state, responses=responses).json()["result"]
    assert again["resultType"] == "input_required"
    assert is_there(tenant)


def test_mr_02_more_answers_than_were_asked_for_do_no_harm(asking, arguments, state, tenant):
    done = retry(asking, arguments, state, responses={**YES, "extra": {"action": "cancel"}}).json()
    assert done["id"] == "second"
    assert done["result"]["resultType"] == "complete"
    assert not is_there(tenant)


@pytest.mark.parametrize(
    "responses", ["x", [], 5, {"confirm": "yes"}, {"confirm": {"action": "maybe"}}, {"confirm": []}]
)
def test_mr_02_answers_in_no_form_at_all_are_invalid_params(asking, arguments, state, tenant, responses):
    assert refusal(retry(asking, arguments, state, responses=responses)) == (400, -32602, "second")
    assert is_there(tenant)


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": None}, {"sampling": {}}])
def test_mr_03_client_that_did_not_say_it_can_ask_is_told_what_is_missing(modern, arguments, tenant, capabilities):
    modern.capabilities = capabilities
    refused = modern.refusal("inboxes_delete", arguments)
    assert refused["code"] == "confirmation_required"
    assert "elicitation" in refused["message"] and "Do not retry" in refused["message"]
    assert is_there(tenant)


def test_mr_03_empty_elicitation_means_forms(modern, arguments):
    modern.capabilities = {"elicitation": {}}
    asked = modern.call("inboxes_delete", arguments)
    assert [request["method"] for request in asked["inputRequests"].values()] == ["elicitation/create"]
    assert asked["inputRequests"]["confirm"]["params"]["mode"] == "form"


def test_mr_06_legacy_client_gets_words_it_can_act_on_and_nothing_happens(legacy, arguments, tenant):
    legacy.result("initialize", {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}}})
    for extra in ({}, {"inputResponses": YES}, {"requestState": "x", "inputResponses": YES}):
        result = legacy.call("inboxes_delete", arguments, **extra)
        assert result["isError"] is True and "resultType" not in result
        assert json.loads(result["content"][0]["text"])["error"]["code"] == "confirmation_required"
    assert is_there(tenant)
    assert not SpentConfirmation.objects.exists()
