"""A tool answers what its URL would answer, with another host's habits: DOT's permissions, links, transactions."""

import hashlib
import json

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import translation
from oauth2_provider.models import get_access_token_model

from kobana_mcp.models import ToolCall
from tests.site import views

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def anna(mcp_for, tenant):
    return mcp_for(tenant.owner)


@pytest.fixture
def rest(token_for, tenant):
    """The same person at the URL itself, with a token of DOT's own kind: it names no resource."""
    raw = token_for(tenant.owner, "groups:read groups:write")
    get_access_token_model().objects.filter(token_checksum=hashlib.sha256(raw.encode()).hexdigest()).update(resource=[])
    return Client(headers={"Authorization": f"Bearer {raw}"})


def text(result):
    return result["content"][0]["text"]


@pytest.fixture
def groups(db):
    return [Group.objects.create(name=name) for name in ("a", "b", "c")]


def test_answer_is_byte_for_byte_what_rest_sends_links_included(anna, rest, groups):
    assert text(anna.call("groups_list")) == rest.get("/rest/groups/").content.decode()
    assert (
        text(anna.call("groups_get", {"pk": groups[0].pk}))
        == rest.get(f"/rest/groups/{groups[0].pk}/").content.decode()
    )
    assert '"next":"http://testserver/rest/groups/?page=2"' in text(anna.call("groups_list"))


def test_refusals_say_what_rest_says(anna, rest):
    missing = anna.refusal("groups_get", {"pk": 77})
    assert missing["code"] == "not_found"
    assert missing["message"] == rest.get("/rest/groups/77/").json()["detail"]
    Group.objects.create(name="taken")
    assert (
        anna.refusal("groups_create", {"name": "taken"})["details"]
        == rest.post("/rest/groups/", {"name": "taken"}, "application/json").json()
    )


def test_view_sees_the_request_its_own_url_would_give_it(anna):
    seen = anna.data("echo", {"word": "héllo wörld"})
    assert seen["word"] == "héllo wörld"
    assert seen["path"] == "/echo/héllo wörld"
    assert seen["full_path"] == "/echo/h%C3%A9llo%20w%C3%B6rld"
    assert seen["absolute"] == "http://testserver/echo/h%C3%A9llo%20w%C3%B6rld"
    assert seen["view_name"] == "echo"


@pytest.mark.proves("token-not-passed")
def test_person_is_there_for_drf_and_for_django_and_the_token_is_not(anna, tenant):
    anna.client.cookies["sessionid"] = "x"
    seen = anna.data("echo", {"word": "x"})
    assert seen["user"] == seen["django_user"] == tenant.owner.get_username()
    assert seen["authorization"] is None and seen["cookie"] is None


def test_authenticator_is_one_of_the_views_own_for_tokens(anna):
    assert anna.data("echo", {"word": "x"})["authenticator"] == "OAuth2Authentication"


def test_permission_that_tells_a_token_from_a_session_is_not_fooled(mcp_for, tenant):
    with_scope = mcp_for(tenant.owner, "groups:read")
    assert with_scope.data("groups_list")["results"] == []
    views.GroupViewSet.required_scopes = ("groups:secret",)
    try:
        assert "groups_list" not in with_scope.tools()
        assert with_scope.refusal("groups_list")["code"] == "forbidden"
    finally:
        views.GroupViewSet.required_scopes = ("groups:read",)


def test_only_listed_headers_cross(anna):
    anna.headers["Accept-Language"] = "pt-br"
    with translation.override("pt-br"):
        assert anna.data("echo", {"word": "x"})["language"] == "pt-br"


def test_decorators_of_the_urlconf_hold(anna):
    assert anna.data("echo_decorated")["decorated"] is True


def test_permission_by_method_and_by_object(anna, groups):
    assert "groups_replace" not in anna.tools()
    assert anna.refusal("groups_replace", {"pk": groups[0].pk, "name": "x"})["code"] == "forbidden"
    anna.capabilities = {"elicitation": {}}
    staff = Group.objects.create(name="staff")
    assert anna.refusal("groups_delete", {"pk": staff.pk})["code"] == "forbidden"
    assert anna.call("groups_delete", {"pk": groups[0].pk})["resultType"] == "input_required"


def test_views_own_throttle_is_a_refusal_the_model_can_read(anna):
    cache.clear()
    assert anna.data("slow")
    assert anna.refusal("slow")["code"] == "rate_limited"


def test_empty_answers_say_what_happened(anna, groups):
    assert json.loads(text(anna.call("groups_empty", {"pk": groups[0].pk})))["status"] == 202


@pytest.mark.parametrize(
    "word",
    [
        "../secret",
        "x/secret",
        "x%2Fsecret",
        "..%2F..",
        "%2e%2e",
        "x?y=1",
        "x#y",
        "x;y",
        ".",
        "..",
        " ",
        "\\..\\x",
        "x//y",
    ],
)
def test_value_never_reaches_another_route(anna, word):
    result = anna.call("echo", {"word": word})
    if result.get("isError"):
        assert json.loads(text(result))["error"]["code"] == "not_found"
    else:
        assert json.loads(text(result))["word"] == word
        assert json.loads(text(result))["view_name"] == "echo"


@pytest.mark.parametrize(("tool", "code"), [("echo", "not_found"), ("echo_old", "validation_failed")])
def test_empty_value_is_not_the_list_above(anna, tool, code):
    assert anna.refusal(tool, {"word": ""})["code"] == code


@pytest.mark.parametrize("atomic", [True, False])
@pytest.mark.django_db(transaction=True)
def test_failed_tool_leaves_what_rest_would_leave_and_the_audit_row_stays(anna, settings, atomic):
    views.COMMITTED.clear()
    before = connection.settings_dict["ATOMIC_REQUESTS"]
    connection.settings_dict["ATOMIC_REQUESTS"] = atomic
    try:
        refused = anna.refusal("groups_create", {"name": "refused"})
        crashed = anna.error("tools/call", {"name": "groups_create", "arguments": {"name": "crash"}})
        assert anna.data("groups_create", {"name": "kept"})["name"] == "kept"
    finally:
        connection.settings_dict["ATOMIC_REQUESTS"] = before
    assert refused["details"] == {"name": ["not this one"]}
    assert crashed["code"] == -32603
    names = set(Group.objects.values_list("name", flat=True))
    assert names == ({"kept"} if atomic else {"kept", "refused", "crash"})
    assert (["kept"] if atomic else ["refused", "crash", "kept"]) == views.COMMITTED
    assert list(ToolCall.objects.values_list("outcome", flat=True)) == ["succeeded", "crashed", "failed"]


def test_rest_is_untouched_by_being_offered_as_a_tool(anna, rest, groups, tenant):
    before = rest.get("/rest/groups/").content, Client().get("/rest/groups/").content
    anna.tools()
    anna.call("groups_list")
    assert (rest.get("/rest/groups/").content, Client().get("/rest/groups/").content) == before
    assert views.GroupViewSet.authentication_classes[0].__name__ == "SessionAuthentication"
    browser = Client()
    browser.force_login(tenant.owner)
    assert browser.get("/rest/groups/").status_code == 200
