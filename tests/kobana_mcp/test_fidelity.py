"""A tool answers what its URL would, byte for byte, whatever the view's habits; and leaves the view as it is."""

import hashlib
import json

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from oauth2_provider.models import get_access_token_model

from kobana_mcp import permissions, registry, schemas
from kobana_mcp.protocol.eras import MODERN
from tests.kobana_mcp.conftest import make_tool
from tests.site import things

V1 = {"version": "v1"}
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
BODY = {"name": "new", "state": "draft", "size": {"width": 1, "height": 2}, "labels": ["a"], "weight": "1.50"}
BAD = {"name": "x" * 151, "state": "live", "weight": "12345678"}


def asked(name, route, method="DELETE"):
    return make_tool(name, route, method, destructive=True, subject="things:thing-detail", question="Delete “{name}”?")


TOOLS = (
    make_tool("things_list", "things:thing-list"),
    make_tool("things_get", "things:thing-detail"),
    make_tool("things_create", "things:thing-list", "POST"),
    make_tool("things_update", "things:thing-detail", "PATCH"),
    asked("things_delete", "things:thing-detail"),
    make_tool("things_publish", "things:thing-publish", "POST"),
    make_tool("things_stats", "things:thing-stats"),
    make_tool("things_part", "things:thing-part"),
    make_tool("ruled_list", "things:ruled-list"),
    make_tool("ruled_create", "things:ruled-list", "POST"),
    make_tool("hello", "hello"),
    make_tool("scoped", "scoped"),
)


@pytest.fixture
def hard_site(site):
    with registry.tools.temporarily(*TOOLS, alone=True):
        yield


@pytest.fixture
def rows(hard_site):
    cache.clear()
    names = ("alpha", "beta", "gamma", "forbidden", "epsilon")
    return {name: Group.objects.create(name=name).pk for name in names}


@pytest.fixture
def doors(mcp_for, token_for, hard_site):
    """Both doors for a person: the endpoint, and the URLs with a token of DOT's own kind."""

    def opened(person, scope="groups:read groups:write"):
        raw = token_for(person, scope)
        digest = hashlib.sha256(raw.encode()).hexdigest()
        get_access_token_model().objects.filter(token_checksum=digest).update(resource=[])
        client = mcp_for(person, scope, era=MODERN)
        client.capabilities = {"elicitation": {}}
        return client, Client(headers={"Authorization": f"Bearer {raw}"})

    return opened


#: Tool, its arguments, and the same as a request: method, path, body.
CALLS = (
    ("things_list", V1, "GET", "/api/v1/things/", None),
    ("things_list", {"version": "v2", "page": 2}, "GET", "/api/v2/things/?page=2", None),
    ("things_list", {**V1, "size": 3, "ordering": "-name"}, "GET", "/api/v1/things/?size=3&ordering=-name", None),
    ("things_list", {**V1, "search": "alp"}, "GET", "/api/v1/things/?search=alp", None),
    ("things_list", {**V1, "longer": 5}, "GET", "/api/v1/things/?longer=5", None),
    ("things_list", {**V1, "page": 99}, "GET", "/api/v1/things/?page=99", None),
    ("things_list", {**V1, "search": "é&x=1#?"}, "GET", "/api/v1/things/?search=%C3%A9%26x%3D1%23%3F", None),
    ("things_get", {**V1, "id": "alpha"}, "GET", "/api/v1/things/{alpha}/", None),
    ("things_get", {**V1, "id": "forbidden"}, "GET", "/api/v1/things/{forbidden}/", None),
    ("things_get", {**V1, "id": 777777}, "GET", "/api/v1/things/777777/", None),
    ("things_create", {**V1, **BODY}, "POST", "/api/v1/things/", BODY),
    (
        "things_create",
        {**V1, "name": "alpha", "state": "live"},
        "POST",
        "/api/v1/things/",
        {"name": "alpha", "state": "live"},
    ),
    ("things_update", {**V1, "id": "beta", "name": "renamed"}, "PATCH", "/api/v1/things/{beta}/", {"name": "renamed"}),
    (
        "things_publish",
        {**V1, "id": "beta", "note": "hi é"},
        "POST",
        "/api/v1/things/{beta}/publish/",
        {"note": "hi é"},
    ),
    (
        "things_publish",
        {**V1, "id": "forbidden", "note": "hi"},
        "POST",
        "/api/v1/things/{forbidden}/publish/",
        {"note": "hi"},
    ),
    ("things_part", {**V1, "id": "beta", "part": "7"}, "GET", "/api/v1/things/{beta}/parts/7/", None),
    ("things_part", {**V1, "id": "beta", "part": "13"}, "GET", "/api/v1/things/{beta}/parts/13/", None),
    ("things_stats", V1, "GET", "/api/v1/things/stats/", None),
    ("ruled_list", V1, "GET", "/api/v1/ruled/", None),
    ("hello", {}, "GET", "/hello", None),
    ("scoped", {}, "GET", "/scoped", None),
)


def filled(arguments, rows):
    """The arguments, with rows named by their keys, under the name that the route has for them."""
    known = {name: rows.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()}
    if "id" in known:
        known["pk"] = str(known.pop("id"))
    return {**known, "name": arguments["name"]} if "name" in known else known


def agree(result, answer):
    """Whether a tool said what the URL said."""
    text = result["content"][0]["text"]
    if answer.status_code < 400:
        return not result.get("isError") and text == answer.content.decode()
    said, own = json.loads(text)["error"], answer.json()
    same = said == own.get("error") or said["message"] == own.get("detail") or said.get("details") == own
    return result["isError"] is True and same


@pytest.mark.parametrize("scope", ["groups:read groups:write", "groups:write"])
@pytest.mark.parametrize(("tool", "arguments", "method", "path", "body"), CALLS)
def test_tool_and_url_say_the_same(doors, rows, tenant, tool, arguments, method, path, body, scope):
    client, rest = doors(tenant.owner, scope)
    given = filled(arguments, rows)
    if tool == "scoped" and scope == "groups:write":
        return  # implied scopes are ours; DOT at the URL knows none
    before = set(Group.objects.values_list("pk", flat=True))
    over_mcp = client.call(tool, given)
    Group.objects.exclude(pk__in=before).delete()
    Group.objects.filter(name="renamed").update(name="beta")
    over_rest = rest.generic(method, path.format(**rows), json.dumps(body) if body else "", "application/json")
    if tool == "things_create" and over_rest.status_code == 201:
        made, own = json.loads(over_mcp["content"][0]["text"]), over_rest.json()
        assert {**made, "id": 0, "url": ""} == {**own, "id": 0, "url": ""}
        assert made["url"] == f"http://testserver/api/v1/things/{made['id']}/"
    else:
        assert agree(over_mcp, over_rest), (over_mcp, over_rest.content)


def test_permission_that_depends_on_the_method_holds(doors, rows, tenant):
    client, rest = doors(tenant.owner)
    assert "things_delete" not in client.tools()
    refused = client.refusal("things_delete", {**V1, "pk": str(rows["alpha"])})
    assert refused["code"] == "forbidden"
    assert rest.delete(f"/api/v1/things/{rows['alpha']}/").status_code == 403
    tenant.owner.is_staff = True
    tenant.owner.save()
    client, rest = doors(tenant.owner)
    assert "things_delete" in client.tools()
    arguments = {**V1, "pk": str(rows["alpha"])}
    asked = client.call("things_delete", arguments)
    assert asked["inputRequests"]["confirm"]["params"]["message"] == "Delete “alpha”?"
    done = client.call("things_delete", arguments, requestState=asked["requestState"], inputResponses=YES)
    assert not done.get("isError") and not Group.objects.filter(name="alpha").exists()
    assert client.refusal("things_delete", {**V1, "pk": str(rows["forbidden"])})["code"] == "forbidden"
    assert Group.objects.filter(name="forbidden").exists()


def test_permissions_of_djangos_models_hold(doors, rows, tenant):
    client, rest = doors(tenant.owner)
    assert "ruled_list" in client.tools() and "ruled_create" not in client.tools()
    given = {"name": "n", "state": "live"}
    assert client.refusal("ruled_create", {**V1, **given})["code"] == "forbidden"
    assert rest.post("/api/v1/ruled/", given, "application/json").status_code == 403
    tenant.owner.user_permissions.add(Permission.objects.get(codename="add_group"))
    client, rest = doors(type(tenant.owner).objects.get(pk=tenant.owner.pk))
    assert "ruled_create" in client.tools()
    assert client.data("ruled_create", {**V1, **given})["name"] == "n"


def test_throttle_counts_both_doors_and_its_own_words_come_through(doors, rows, tenant):
    client, rest = doors(tenant.owner)
    assert client.data("things_stats", V1)["count"] == 5
    assert rest.get("/api/v1/things/stats/").status_code == 200
    refused = client.refusal("things_stats", V1)
    assert refused["code"] == "slow_down" and refused["message"].startswith("Wait ")
    assert rest.get("/api/v1/things/stats/").status_code == 429


def test_arguments_that_do_not_fit_are_refused_at_both_doors(doors, rows, tenant):
    client, rest = doors(tenant.owner)
    faults = client.refusal("things_create", {**V1, **BAD, "size": {"width": 0, "height": "x"}})["details"][
        "fieldErrors"
    ]
    answer = rest.post("/api/v1/things/", {**BAD, "size": {"width": 0, "height": "x"}}, "application/json")
    assert answer.status_code == 400
    assert {name.split(".")[0] for name in faults} == {"name", "size", "weight"} == set(answer.json())


def test_classes_are_not_touched(doors, rows, tenant):
    before = {cls: dict(vars(cls)) for cls in (things.ThingViewSet, things.Ruled, things.Hello, things.Scoped)}
    schemas._MADE.clear()
    client, _ = doors(tenant.owner)
    client.tools()
    for tool, arguments, *_ in CALLS:
        client.call(tool, filled(arguments, rows))
    assert {cls: dict(vars(cls)) for cls in before} == before


class Nobody(things.permissions.BasePermission):
    def has_permission(self, request, view):
        return False


class OnlyReading(things.permissions.BasePermission):
    """Looks at the method, and says nothing of itself."""

    def has_permission(self, request, view):
        return request.method == "GET" and request.resolver_match.view_name.startswith("things:")


@pytest.mark.parametrize(
    ("added", "left"),
    [
        (Nobody, set()),
        (OnlyReading, {"things_list", "things_get", "things_stats", "things_part"}),
        (things.permissions.IsAdminUser, set()),
    ],
)
def test_permission_class_that_is_added_changes_the_list_with_no_other_edit(
    doors, rows, tenant, monkeypatch, added, left
):
    client, _ = doors(tenant.owner)
    assert "things_list" in client.tools()
    monkeypatch.setattr(things.ThingViewSet, "permission_classes", (*things.ThingViewSet.permission_classes, added))
    permissions._question.cache_clear()  # a class does not change in the life of a process
    assert {name for name in client.tools() if name.startswith("things_")} == left
    permissions._question.cache_clear()


@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_list_says_what_each_view_says(doors, rows, tenant, role):
    """What is asked once for many views is never another answer than the view's own."""
    client, rest = doors(tenant.person(role))
    listed = set(client.tools())
    for tool, arguments, method, path, body in CALLS:
        if "forbidden" not in arguments.values() and arguments.get("part") != "13":
            answer = rest.generic(method, path.format(**rows), json.dumps(body) if body else "", "application/json")
            assert (answer.status_code == 403) is (tool not in listed), tool


@pytest.mark.parametrize("host", ["mcp.example.test", "other.example.test:8443"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_host_scheme_and_prefix_cross(doors, rows, tenant, settings, host, scheme):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    client, rest = doors(tenant.owner)
    for each in (client.client, rest):
        each.defaults |= {"HTTP_HOST": host, "HTTP_X_FORWARDED_PROTO": scheme}
    text = client.call("things_list", V1)["content"][0]["text"]
    assert text == rest.get("/api/v1/things/").content.decode()
    assert json.loads(text)["next"].startswith(f"{scheme}://{host}/api/v1/things/")


@pytest.mark.parametrize("language", ["pt-br", "de"])
def test_language_crosses(doors, rows, tenant, settings, language):
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "django.middleware.locale.LocaleMiddleware"]
    settings.USE_I18N = True
    client, rest = doors(tenant.owner)
    client.headers = {"Accept-Language": language}
    rest.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    with translation.override("en"):  # and back again: a middleware leaves the thread in the language of its last guest
        own = rest.get("/api/v1/things/777777/").json()["detail"]
        assert client.refusal("things_get", {**V1, "pk": "777777"})["message"] == own
