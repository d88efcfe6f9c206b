"""What an administrator says of scopes and tools counts from the next request on, in every process."""

import json

import pytest
from django.core.management import call_command
from django.db import transaction

from kobana_mcp import catalogue, registry
from kobana_mcp.models import CatalogueVersion, Scope, ToolPolicy
from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.registry import Scope as DeclaredScope
from kobana_mcp.registry import Tool

pytestmark = pytest.mark.django_db


def challenge_of(client):
    return client.post("/mcp", {}, "application/json").headers["WWW-Authenticate"]


def test_tool_that_is_switched_off_is_unknown_from_the_next_request_on(mcp):
    assert "inboxes_list" in mcp.tools()
    policy = ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
    assert "inboxes_list" not in mcp.tools()
    assert mcp.error("tools/call", {"name": "inboxes_list"})["message"].startswith("Unknown tool: inboxes_list")
    policy.is_enabled = True
    policy.save()
    assert mcp.data("inboxes_list")["data"]


def test_tool_that_was_switched_off_is_answered_like_one_that_never_was(mcp):
    never = mcp.error("tools/call", {"name": "inboxes_lisp"})
    ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
    off = mcp.error("tools/call", {"name": "inboxes_list"})
    assert off["code"] == never["code"]
    assert "did you mean inboxes_list" not in off["message"].lower()


@pytest.mark.parametrize(
    "change",
    [
        lambda policies: policies.update(is_enabled=False),
        lambda policies: policies.bulk_update([_off(policies.get())], ["is_enabled"]),
        lambda policies: _off(policies.get()).save(),
        lambda policies: (
            policies.delete(),
            policies.model.objects.bulk_create([ToolPolicy(tool="inboxes_list", is_enabled=False)]),
        ),
    ],
    ids=["update", "bulk_update", "save", "bulk_create"],
)
def test_however_a_row_is_changed_it_counts(mcp_for, tenant, change):
    ToolPolicy.objects.create(tool="inboxes_list")
    client = mcp_for(tenant.owner)
    assert "inboxes_list" in client.tools()
    change(ToolPolicy.objects.filter(tool="inboxes_list"))
    assert "inboxes_list" not in client.tools()


def _off(policy):
    policy.is_enabled = False
    return policy


def test_row_that_is_deleted_leaves_the_declaration(mcp_for, tenant):
    ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
    client = mcp_for(tenant.owner)
    assert "inboxes_list" not in client.tools()
    ToolPolicy.objects.all().delete()
    assert "inboxes_list" in client.tools()


def test_extra_scopes_are_needed_and_named_beside_the_declared_one(mcp_for, tenant):
    Scope.objects.create(name="support", description="Work on support cases")
    ToolPolicy.objects.create(tool="inboxes_list", extra_scopes=["support"])
    without = mcp_for(tenant.owner, "inbox.inboxes:read")
    assert "inboxes_list" not in without.tools()
    refused = without.send("tools/call", {"name": "inboxes_list", "arguments": {}})
    assert refused.status_code == 403
    assert 'scope="inbox.inboxes:read support"' in refused.headers["WWW-Authenticate"]
    assert mcp_for(tenant.owner, "inbox.inboxes:read support").data("inboxes_list")["data"]


def test_scope_that_nobody_knows_any_more_keeps_the_tool_shut(mcp_for, tenant):
    ToolPolicy.objects.create(tool="inboxes_list", extra_scopes=["gone"])
    client = mcp_for(tenant.owner)
    assert "inboxes_list" not in client.tools()
    assert client.send("tools/call", {"name": "inboxes_list", "arguments": {}}).status_code == 403


def test_scope_of_an_administrator_implies_what_he_says_over_both_doors(mcp_for, rest_for, tenant):
    Scope.objects.create(name="support", description="Work on support cases", implies=["inbox.inboxes:read"])
    assert mcp_for(tenant.owner, "support").tools() == ["inboxes_list", "inboxes_get"]
    assert rest_for(tenant.owner, "support").get("/api/v1/inboxes").status_code == 200
    assert rest_for(tenant.owner, "support").get("/api/v1/emails").status_code == 403
    Scope.objects.all().delete()
    assert mcp_for(tenant.owner, "support").tools() == []
    assert rest_for(tenant.owner, "support").get("/api/v1/inboxes").status_code == 403


def test_row_of_a_declared_scope_changes_only_what_it_says(tenant):
    Scope.objects.create(name="inbox.inboxes:write", implies=[])
    found = catalogue.current()
    assert found.scopes["inbox.inboxes:write"].description == registry.scopes.get("inbox.inboxes:write").description
    assert found.expand(["inbox.inboxes:write"]) == {"inbox.inboxes:write"}


def test_administrator_decides_what_is_asked_for_at_first_sign_in(client, tenant):
    assert "inbox.emails:read" in challenge_of(client)
    Scope.objects.create(name="inbox.emails:read", is_default=False)
    Scope.objects.create(name="inbox.inboxes:write", is_default=True)
    challenge = challenge_of(client)
    assert "inbox.emails:read" not in challenge
    assert "inbox.inboxes:write" in challenge
    document = client.get("/.well-known/oauth-protected-resource/mcp").json()
    assert "inbox.inboxes:write" in document["scopes_supported"]
    assert "inbox.emails:read" not in document["scopes_supported"]


def test_tool_that_must_be_confirmed_asks_and_says_so(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    client.capabilities = {"elicitation": {}}
    ToolPolicy.objects.create(tool="inboxes_list", must_confirm=True)
    (listed,) = [tool for tool in client.result("tools/list")["tools"] if tool["name"] == "inboxes_list"]
    assert listed["annotations"]["destructiveHint"] is True
    assert listed["annotations"]["readOnlyHint"] is False
    asked = client.call("inboxes_list", {"limit": 5})
    assert asked["resultType"] == "input_required"
    assert asked["inputRequests"]["confirm"]["params"]["message"] == "List inboxes? With limit “5”."
    done = client.call(
        "inboxes_list",
        {"limit": 5},
        requestState=asked["requestState"],
        inputResponses={"confirm": {"action": "accept", "content": {"confirm": True}}},
    )
    assert json.loads(done["content"][0]["text"])["data"]


def test_question_of_a_tool_that_changes_tells_what_is_new_and_what_was_not_given(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    hook = client.data("webhooks_create", {"label": "Books", "url": "https://a.example.com/in"})["data"]
    client.capabilities = {"elicitation": {}}
    ToolPolicy.objects.create(tool="webhooks_update", must_confirm=True)

    def asked(**changes):
        result = client.call("webhooks_update", {"id": hook["id"], **changes})
        return result["inputRequests"]["confirm"]["params"]["message"]

    was = "Change the webhook “Books”, which sends to “https://a.example.com/in”?"
    assert asked(url="https://b.example.com/x") == f"{was} New address: “https://b.example.com/x”."
    assert asked(label="Other") == f"{was} New address: “(not given)”."


def test_client_that_cannot_ask_cannot_run_what_must_be_confirmed(mcp):
    ToolPolicy.objects.create(tool="inboxes_list", must_confirm=True)
    assert mcp.refusal("inboxes_list")["code"] == "confirmation_required"


def test_tool_without_words_of_its_own_never_shows_a_secret_when_it_asks(mcp_for, tenant):
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    tool = Tool(
        name="login",
        title="Log in",
        description="-",
        scope="",
        read_only=False,
        destructive=False,
        idempotent=True,
        run=lambda arguments, context: {"content": []},
        input_schema=schema,
        secret_fields=("password",),
    )
    client = mcp_for(tenant.owner)
    client.capabilities = {"elicitation": {}}
    ToolPolicy.objects.create(tool="login", must_confirm=True)
    with registry.tools.temporarily(tool):
        asked = client.call("login", {"password": "hunter2"})
    assert "hunter2" not in json.dumps(asked)


def test_choices_are_read_once_and_their_version_comes_with_the_token(mcp_for, tenant, django_assert_num_queries):
    client = mcp_for(tenant.owner)
    ToolPolicy.objects.create(tool="inboxes_list", must_confirm=True)
    client.result("server/discover")
    with django_assert_num_queries(1):
        client.result("server/discover")


def test_what_was_rolled_back_was_never_said(mcp_for, tenant):
    client = mcp_for(tenant.owner)

    class Undone(Exception):
        pass

    with pytest.raises(Undone), transaction.atomic():
        ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
        assert "inboxes_list" not in client.tools()
        raise Undone
    assert "inboxes_list" in client.tools()
    with transaction.atomic():
        ToolPolicy.objects.create(tool="emails_list", is_enabled=False)
    assert "emails_list" not in client.tools()
    assert "inboxes_list" in client.tools()


def test_fixtures_count_like_rows_that_were_saved(mcp_for, tenant, tmp_path):
    client = mcp_for(tenant.owner)
    assert "inboxes_list" in client.tools()
    fields = {"tool": "inboxes_list", "is_enabled": False, "extra_scopes": [], "must_confirm": False}
    fixture = tmp_path / "policies.json"
    fixture.write_text(json.dumps([{"model": "kobana_mcp.toolpolicy", "pk": 1, "fields": fields}]))
    call_command("loaddata", str(fixture), verbosity=0)
    assert "inboxes_list" not in client.tools()


def test_policy_of_a_tool_that_is_gone_harms_nobody(mcp):
    ToolPolicy.objects.create(tool="gone", is_enabled=False, extra_scopes=["x"], must_confirm=True)
    assert mcp.tools()


def test_scope_that_implies_itself_ends():
    Scope.objects.create(name="a", description="a", implies=["b"])
    Scope.objects.create(name="b", description="b", implies=["a"])
    assert catalogue.current().expand(["a"]) == {"a", "b"}


def test_another_process_sees_a_change_by_its_version_alone(mcp_for, tenant):
    """What the other replica did reaches this one as rows, without a signal."""
    client = mcp_for(tenant.owner)
    assert "inboxes_list" in client.tools()
    ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
    seen_before = catalogue._latest
    assert "inboxes_list" not in client.tools()
    assert catalogue._latest is not seen_before
    assert CatalogueVersion.objects.count() == 1


def test_declared_default_is_asked_for_at_first_unless_an_administrator_says_otherwise(client, tenant):
    with registry.scopes.temporarily(DeclaredScope(name="extra", description="-", first=True)):
        assert "extra" in challenge_of(client)
        Scope.objects.create(name="extra", is_default=False)
        assert "extra" not in challenge_of(client)
