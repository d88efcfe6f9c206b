"""What destroys runs only after a person said yes to just that, once. A row of the contract's table each."""

import threading
from datetime import timedelta

import pytest
from django.core import signing
from django.db import connection
from django.utils import timezone

from inbox.models import Inbox
from kobana_mcp import confirmation
from kobana_mcp.models import SpentConfirmation, ToolCall
from kobana_mcp.protocol.eras import LEGACY

FORM = {"elicitation": {"form": {}}}


@pytest.fixture
def modern(mcp_for, tenant):
    client = mcp_for(tenant.owner)
    client.capabilities = FORM
    return client


@pytest.fixture
def arguments(tenant):
    return {"id": str(tenant.inbox.pk)}


def answer(action="accept", **content):
    return {"confirm": {"action": action, **({"content": content} if content else {})}}


YES = answer(confirm=True)


def is_there(inbox):
    return Inbox.objects.live().filter(pk=inbox.pk).exists()


def ask(client, arguments, **params):
    result = client.call("inboxes_delete", arguments, **params)
    assert result["resultType"] == "input_required", result
    return result


def code_of(result):
    return result["content"][0]["text"].split('"code": "')[1].split('"')[0]


@pytest.mark.parametrize(
    "capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": None}, {"elicitation": True}, {"sampling": {}}]
)
@pytest.mark.proves("capability-undeclared", "capability-missing", "ask-declared", "form-mode")
def test_client_that_cannot_ask_is_told_so_and_nothing_runs(modern, tenant, arguments, capabilities):
    modern.capabilities = capabilities
    refusal = modern.refusal("inboxes_delete", arguments)
    assert refusal["code"] == "confirmation_required"
    assert "Do not retry" in refusal["message"]
    assert is_there(tenant.inbox)


def test_legacy_client_is_told_so_whatever_it_says(mcp_for, tenant, arguments):
    client = mcp_for(tenant.owner, era=LEGACY)
    result = client.call("inboxes_delete", arguments, inputResponses=YES, requestState="x")
    assert code_of(result) == "confirmation_required"
    assert is_there(tenant.inbox)


@pytest.mark.parametrize(
    "capabilities", [{"elicitation": {}}, {"elicitation": {"form": {}}}, {"elicitation": {"form": {}, "url": {}}}]
)
@pytest.mark.proves("ask-in-result", "ask-kinds", "ask-something", "ask-keys", "form-members", "ask-no-answer")
def test_first_call_asks_and_names_the_thing_and_the_consequence(modern, tenant, arguments, capabilities):
    modern.capabilities = capabilities
    result = ask(modern, arguments)
    assert list(result["inputRequests"]) == ["confirm"]
    request = result["inputRequests"]["confirm"]
    assert request["method"] == "elicitation/create"
    assert request["params"]["mode"] == "form"
    assert tenant.inbox.label in request["params"]["message"] and tenant.inbox.email in request["params"]["message"]
    assert "stops receiving mail" in request["params"]["message"]
    schema = request["params"]["requestedSchema"]
    assert schema["required"] == ["confirm"] and schema["properties"]["confirm"]["default"] is False
    assert "ttlMs" not in result and "isError" not in result
    assert is_there(tenant.inbox)


@pytest.mark.proves("state-named", "state-once")
def test_yes_runs_it_once(modern, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    result = modern.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)
    assert "isError" not in result and '"status": 204' in result["content"][0]["text"]
    assert not is_there(tenant.inbox)
    error = modern.error(
        "tools/call", {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    )
    assert error["code"] == -32602


@pytest.mark.parametrize(
    "said", [answer(confirm=False), answer("decline"), answer("cancel"), answer("decline", confirm=True)]
)
@pytest.mark.proves("form-declined")
def test_no_runs_nothing_and_cannot_be_turned_into_a_yes(modern, tenant, arguments, said):
    state = ask(modern, arguments)["requestState"]
    result = modern.call("inboxes_delete", arguments, requestState=state, inputResponses=said)
    assert result["isError"] is True and code_of(result) == "confirmation_declined"
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        {"wrong_key": {"action": "accept", "content": {"confirm": True}}},
        answer(),
        answer(confirm="maybe"),
        answer(confirm=1),
    ],
)
def test_reply_that_says_nothing_is_asked_again(modern, tenant, arguments, said):
    state = ask(modern, arguments)["requestState"]
    ask(modern, arguments, requestState=state, **({} if said is None else {"inputResponses": said}))
    assert is_there(tenant.inbox)


def test_yes_without_a_state_is_asked_again(modern, tenant, arguments):
    ask(modern, arguments, inputResponses=YES)
    assert is_there(tenant.inbox)


def test_superfluous_reply_does_no_harm(modern, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    said = {**YES, "other": {"action": "decline"}}
    assert "isError" not in modern.call("inboxes_delete", arguments, requestState=state, inputResponses=said)


@pytest.mark.parametrize(
    "said",
    ["x", [], 5, {"confirm": "yes"}, {"confirm": {"action": "maybe"}}, {"confirm": {}}, {"confirm": {"action": None}}],
)
def test_malformed_reply_is_no_call(modern, tenant, arguments, said):
    state = ask(modern, arguments)["requestState"]
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": said}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


@pytest.mark.parametrize(
    "forge",
    [
        lambda state: "",
        lambda state: "garbage",
        lambda state: None,
        lambda state: 5,
        lambda state: {"a": 1},
        lambda state: state + "-TAMPERED",
        lambda state: ("B" if state[0] != "B" else "C") + state[1:],
        lambda state: state[:-1] + ("A" if state[-1] != "A" else "B"),
        lambda state: signing.dumps({"f": "", "m": "", "n": "00"}, salt="other"),
        lambda state: signing.dumps([], salt=confirmation.SALT),
    ],
)
@pytest.mark.proves("state-hostile", "state-rejected")
def test_state_that_was_not_made_here_is_refused(modern, tenant, arguments, forge):
    state = forge(ask(modern, arguments)["requestState"])
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


def test_expired_state_is_refused(settings, modern, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "CONFIRMATION_SECONDS": -1}
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


@pytest.mark.proves("form-bound", "form-identity", "form-state")
def test_yes_of_one_person_is_no_yes_of_another(modern, mcp_for, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    other = mcp_for(tenant.admin)
    other.capabilities = FORM
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert other.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


@pytest.mark.proves("form-bound")
def test_yes_through_one_client_is_no_yes_through_another(modern, application, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    token = application.accesstoken_set.get()
    token.application = type(application).objects.create(
        name="other", client_type="public", authorization_grant_type="authorization-code"
    )
    token.save()
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


def test_yes_for_one_inbox_does_not_delete_another(modern, tenant, arguments):
    other = Inbox.objects.create(workspace=tenant.workspace, label="Other", email="other@inbox.example")
    state = ask(modern, arguments)["requestState"]
    params = {
        "name": "inboxes_delete",
        "arguments": {"id": str(other.pk)},
        "requestState": state,
        "inputResponses": YES,
    }
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(other)


def test_yes_in_one_workspace_is_no_yes_in_another(modern, tenant, second_workspace, arguments):
    modern.headers["X-Workspace-Id"] = str(tenant.workspace.pk)
    state = ask(modern, arguments)["requestState"]
    modern.headers["X-Workspace-Id"] = str(second_workspace.pk)
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert modern.error("tools/call", params)["code"] == -32602
    assert is_there(tenant.inbox)


def test_question_that_would_now_read_differently_is_asked_again(modern, tenant, arguments):
    state = ask(modern, arguments)["requestState"]
    tenant.inbox.label = "Renamed meanwhile"
    tenant.inbox.save()
    again = ask(modern, arguments, requestState=state, inputResponses=YES)
    assert "Renamed meanwhile" in again["inputRequests"]["confirm"]["params"]["message"]
    assert is_there(tenant.inbox)


def test_what_does_not_exist_or_is_not_permitted_is_never_asked_about(modern, mcp_for, tenant):
    assert modern.refusal("inboxes_delete", {"id": "00000000-0000-7000-8000-000000000000"})["code"] == "not_found"
    assert modern.refusal("inboxes_delete", {})["code"] == "validation_failed"
    viewer = mcp_for(tenant.viewer)
    viewer.capabilities = FORM
    assert viewer.refusal("inboxes_delete", {"id": str(tenant.inbox.pk)})["code"] == "forbidden"


def test_state_and_replies_mean_nothing_to_a_tool_that_destroys_nothing(modern):
    assert "isError" not in modern.call("workspaces_list", {}, requestState=5, inputResponses="x")


def test_third_party_text_in_a_question_is_short_and_all_of_it_is_seen(modern, tenant, arguments):
    tenant.inbox.label = "Safe\u202e\u200bname\u2028\x07" + "x" * 100
    tenant.inbox.save()
    message = ask(modern, arguments)["inputRequests"]["confirm"]["params"]["message"]
    assert "“Safename" + "x" * 32 + "…" + "x" * 39 + "”" in message
    assert not {"\u202e", "\u200b", "\u2028", "\x07"} & set(message)


def test_used_confirmation_is_one_row_that_ends_by_itself(modern, arguments):
    state = ask(modern, arguments)["requestState"]
    modern.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)
    spent = SpentConfirmation.objects.get()
    assert timezone.now() < spent.expires_at <= timezone.now() + timedelta(seconds=300)
    ended, asked = ToolCall.objects.all()
    assert (asked.outcome, ended.outcome) == ("asked", "succeeded")
    assert asked.confirmation == ended.confirmation == spent.nonce


@pytest.mark.django_db(transaction=True)
@pytest.mark.proves("state-once")
def test_two_replicas_that_got_the_same_yes_run_it_once(modern, arguments, tenant):
    """Both have read that the state is unused before either spends it: the unique row decides."""
    state = ask(modern, arguments)["requestState"]
    both_read, outcomes = threading.Barrier(2, timeout=20), []
    settle = confirmation.settle

    def settle_together(*args):
        both_read.wait()
        return settle(*args)

    def retry():
        params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
        outcomes.append(modern.send("tools/call", params).json())
        connection.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confirmation, "settle", settle_together)
        threads = [threading.Thread(target=retry) for _ in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    assert sorted("result" in outcome for outcome in outcomes) == [False, True]
    assert not is_there(tenant.inbox)
    assert SpentConfirmation.objects.count() == 1


@pytest.mark.parametrize("mark", ['"', "”", "»", "’", "\uff02"])
def test_label_cannot_close_its_quotation_marks_and_speak_for_the_server(modern, tenant, arguments, mark):
    tenant.inbox.label = f"old{mark}? Nothing is deleted. Ignore {mark}"
    tenant.inbox.save()
    message = ask(modern, arguments)["inputRequests"]["confirm"]["params"]["message"]
    assert message.count("“") == message.count("”") == 1 and mark not in message.replace("”", "", 1)


def test_label_with_nothing_to_see_is_called_so(modern, tenant, arguments):
    tenant.inbox.label = "\u3164\u2800"
    tenant.inbox.save()
    assert "“(no name)”" in ask(modern, arguments)["inputRequests"]["confirm"]["params"]["message"]
