"""Django admin: scopes and tools are governed there, and anybody's list can be seen before he sees it."""

import html
import re

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from inbox.models import User
from kobana_mcp import registry
from kobana_mcp.models import Scope, ToolCall, ToolPolicy
from kobana_mcp.protocol.eras import MODERN

WHO = "/admin/kobana_mcp/toolpolicy/who-sees-what/"
ADD_POLICY = "/admin/kobana_mcp/toolpolicy/add/"
ADD_SCOPE = "/admin/kobana_mcp/scope/add/"


@pytest.fixture
def staff(db, client):
    client.force_login(User.objects.create_superuser("root@example.com"))
    return client


def text_of(page):
    return html.unescape(page.content.decode())


def listed(page):
    """Tool -> what stands in its last column."""
    rows = re.findall(r'<tr><th scope="row">(\w+)</th><td>.*?</td><td>(.*?)</td>', text_of(page))
    return dict(rows)


def test_policy_saved_in_the_admin_counts_at_once(staff, mcp):
    assert "inboxes_list" in mcp.tools()
    answer = staff.post(ADD_POLICY, {"tool": "inboxes_list", "extra_scopes": ["inbox.agents:read"]})
    assert answer.status_code == 302
    policy = ToolPolicy.objects.get()
    assert (policy.is_enabled, policy.extra_scopes, policy.must_confirm) == (False, ["inbox.agents:read"], False)
    assert "inboxes_list" not in mcp.tools()
    gone = staff.post(f"/admin/kobana_mcp/toolpolicy/{policy.pk}/delete/", {"post": "yes"})
    assert gone.status_code == 302
    assert "inboxes_list" in mcp.tools()


def test_several_policies_deleted_at_a_time_count_as_well(staff, mcp):
    row = ToolPolicy.objects.create(tool="inboxes_list", is_enabled=False)
    assert "inboxes_list" not in mcp.tools()
    action = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    staff.post("/admin/kobana_mcp/toolpolicy/", action)
    assert "inboxes_list" in mcp.tools()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tool": "no_such_tool"}, "not one of the available choices"),
        ({"tool": "inboxes_list", "extra_scopes": ["nobody.knows"]}, "not one of the available choices"),
        ({}, "This field is required"),
    ],
)
def test_policy_that_makes_no_sense_is_not_saved(staff, given, words):
    assert words in text_of(staff.post(ADD_POLICY, given))
    assert not ToolPolicy.objects.exists()


def test_tool_that_has_a_policy_is_not_offered_for_another(staff):
    ToolPolicy.objects.create(tool="inboxes_list")
    page = text_of(staff.get(ADD_POLICY))
    assert '<option value="inboxes_list">' not in page
    assert '<option value="emails_list">' in page


def test_policy_of_a_tool_that_is_gone_can_still_be_opened(staff):
    row = ToolPolicy.objects.create(tool="gone", is_enabled=False)
    assert staff.get(f"/admin/kobana_mcp/toolpolicy/{row.pk}/change/").status_code == 200
    assert staff.get("/admin/kobana_mcp/toolpolicy/").status_code == 200


def test_scope_of_ones_own_needs_words_and_has_a_name_that_a_token_can_hold(staff):
    assert "needs words" in text_of(staff.post(ADD_SCOPE, {"name": "support"}))
    for name in ("two words", 'quo"te', "back\\slash", "zoë"):
        assert "no spaces, quotes" in text_of(staff.post(ADD_SCOPE, {"name": name, "description": "-"}))
    assert "need not imply itself" in text_of(
        staff.post(ADD_SCOPE, {"name": "inbox.emails:read", "implies": ["inbox.emails:read"]})
    )
    assert not Scope.objects.exists()
    answer = staff.post(ADD_SCOPE, {"name": "support", "description": "Support", "implies": ["inbox.emails:read"]})
    assert answer.status_code == 302
    assert Scope.objects.get().implies == ["inbox.emails:read"]


def test_declared_scope_keeps_what_the_administrator_does_not_change(staff):
    given = {"name": "inbox.emails:write", "description": "Other words", "implies": ["inbox.emails:read"]}
    assert staff.post(ADD_SCOPE, given).status_code == 302
    row = Scope.objects.get()
    assert (row.implies, row.is_default) == (None, None)
    page = text_of(staff.get(f"/admin/kobana_mcp/scope/{row.pk}/change/"))
    assert re.search(r'value="inbox.emails:read"[^>]*checked', page)
    staff.post(f"/admin/kobana_mcp/scope/{row.pk}/change/", {"description": "Other words", "implies": []})
    row.refresh_from_db()
    assert row.implies == []


@pytest.mark.parametrize("role", ["viewer", "operator", "admin", "owner"])
def test_page_shows_the_very_list_that_the_person_will_see(staff, mcp_for, tenant, role):
    ToolPolicy.objects.create(tool="workspaces_list", is_enabled=False)
    person, scopes = tenant.person(role), ["inbox.emails:read", "inbox.inboxes:write"]
    found = listed(staff.get(WHO, {"person": person.email, "scopes": scopes}))
    assert list(found) == [tool.name for tool in registry.tools]
    seen = [name for name, word in found.items() if word == "Yes"]
    assert seen == mcp_for(person, " ".join(scopes), era=MODERN).tools()
    assert found["workspaces_list"] == "No. Switched off."


def test_page_says_why_a_tool_is_not_in_the_list(staff, tenant):
    found = listed(staff.get(WHO, {"person": tenant.viewer.email, "scopes": ["inbox.emails:read"]}))
    assert found["inboxes_list"] == "No. Lacks the scope inbox.inboxes:read."
    assert found["inboxes_delete"] == "No. The view's own permissions refuse the person."


def test_page_takes_the_header_that_chooses_a_workspace(staff, tenant, other_tenant, second_workspace):
    given = {"person": tenant.owner.email, "scopes": ["inbox.inboxes:read"]}
    here = listed(staff.get(WHO, {**given, "headers": f"X-Workspace-Id: {second_workspace.pk}"}))
    assert here["inboxes_list"] == "Yes"
    elsewhere = text_of(staff.get(WHO, {**given, "headers": "Authorization: Bearer x"}))
    assert "No view sees the header 'Authorization'" in elsewhere


def test_person_that_does_not_exist_is_said_to_be_none(staff):
    assert "There is no such person" in text_of(staff.get(WHO, {"person": "nobody@example.com"}))


def test_page_is_for_those_who_may_see_policies(client, tenant):
    person = User.objects.create_user("staff@example.com", is_staff=True)
    client.force_login(person)
    assert client.get(WHO).status_code == 403
    person.user_permissions.add(Permission.objects.get(codename="view_toolpolicy"))
    assert client.get(WHO).status_code == 200
    client.force_login(tenant.owner)
    assert client.get(WHO).status_code == 302


def test_calls_can_be_looked_at_and_nothing_else(staff, mcp):
    mcp.data("emails_list", {"limit": 5})
    row = ToolCall.objects.get()
    change = reverse("admin:kobana_mcp_toolcall_change", args=[row.pk])
    assert "emails_list" in text_of(staff.get("/admin/kobana_mcp/toolcall/", {"q": "emails"}))
    assert staff.get(change).status_code == 200
    assert staff.post(change, {"tool": "other"}).status_code == 403
    assert staff.get("/admin/kobana_mcp/toolcall/add/").status_code == 403
    assert staff.post(f"/admin/kobana_mcp/toolcall/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert ToolCall.objects.get().tool == "emails_list"
