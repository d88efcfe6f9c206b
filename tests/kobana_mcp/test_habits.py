"""Doorkeepers that look at more than the person, and other habits of views: both doors let in, and say, the same."""

import hashlib
import json

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client, RequestFactory
from django.urls import set_script_prefix
from oauth2_provider.models import get_access_token_model

from kobana_mcp import registry
from kobana_mcp.arguments import read
from kobana_mcp.checks.declarations import tools as check_tools
from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.schemas import shape_of
from tests.kobana_mcp.conftest import make_tool
from tests.site import habits

YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
BOTH = "groups:read groups:write"


def asked(name, route, **facts):
    return make_tool(name, route, "DELETE", destructive=True, question="Delete “{name}”?", **facts)


TOOLS = (
    make_tool("team_notes", "team-notes"),
    make_tool("matched_notes", "team-notes-of-match"),
    make_tool("notes", "notes"),
    make_tool("notes_add", "notes", "POST"),
    make_tool("plain_add", "plain-notes", "POST"),
    make_tool("token_notes", "token-notes"),
    asked("team_delete", "team", subject="team"),
    asked("marked_delete", "marked", subject="team"),
    make_tool("first", "first:it"),
    make_tool("second", "second:it"),
    make_tool("accept", "accept"),
    make_tool("browsable", "browsable"),
    make_tool("own_kind", "own-kind"),
    make_tool("verbose_add", "verbose", "POST"),
    make_tool("anybody", "anybody"),
    make_tool("years", "years"),
)


@pytest.fixture(autouse=True)
def habitual(site, settings):
    settings.ROOT_URLCONF = "tests.site.habits"
    cache.clear()
    with registry.tools.temporarily(*TOOLS, alone=True):
        yield


@pytest.fixture
def doors(mcp_for, token_for):
    """Both doors for a person: the endpoint, and the URLs with a token of DOT's own kind."""

    def opened(person, scope=BOTH):
        raw = token_for(person, scope)
        digest = hashlib.sha256(raw.encode()).hexdigest()
        get_access_token_model().objects.filter(token_checksum=digest).update(resource=[])
        client = mcp_for(person, scope, era=MODERN)
        client.capabilities = {"elicitation": {}}
        return client, Client(headers={"Authorization": f"Bearer {raw}"})

    return opened


@pytest.fixture
def team(tenant):
    """A team with the owner in it, and nobody else."""
    team = Group.objects.create(name="payroll")
    tenant.owner.groups.add(team)
    return team


def text(result):
    return result["content"][0]["text"]


by_path = pytest.mark.parametrize(
    ("tool", "path"), [("team_notes", "/teams/{}/notes"), ("matched_notes", "/matched/{}/notes")]
)


@by_path
def test_permission_that_looks_at_the_path_lets_in_whom_the_url_lets_in(doors, team, tenant, tool, path):
    client, rest = doors(tenant.owner)
    own = rest.get(path.format(team.pk))
    assert own.status_code == 200
    assert tool in client.tools()
    assert text(client.call(tool, {"team": team.pk})) == own.content.decode()


@by_path
def test_permission_that_looks_at_the_path_keeps_out_whom_the_url_keeps_out(doors, team, tenant, tool, path):
    client, rest = doors(tenant.viewer)
    assert rest.get(path.format(team.pk)).status_code == 403
    assert client.refusal(tool, {"team": team.pk})["code"] == "forbidden"
    assert client.refusal(tool, {"team": team.pk + 1})["code"] == "forbidden"


def test_permission_that_looks_at_the_body_lets_in_whom_the_url_lets_in(doors, tenant):
    client, rest = doors(tenant.owner)
    body = {"owner": tenant.owner.get_username()}
    assert rest.post("/notes", body, "application/json").status_code == 201
    assert client.data("notes_add", body) == body


def test_permission_that_looks_at_the_body_keeps_out_whom_the_url_keeps_out(doors, tenant):
    client, rest = doors(tenant.owner)
    body = {"owner": "somebody else"}
    assert rest.post("/notes", body, "application/json").status_code == 403
    assert client.refusal("notes_add", body)["code"] == "forbidden"


def test_asking_a_person_uses_up_nothing_of_what_the_views_throttle_allows(doors, team, tenant):
    client, _ = doors(tenant.owner)
    state = client.call("team_delete", {"pk": team.pk})["requestState"]
    done = client.call("team_delete", {"pk": team.pk}, requestState=state, inputResponses=YES)
    assert not done.get("isError"), done
    assert not Group.objects.filter(pk=team.pk).exists()


def test_person_is_asked_about_a_view_that_needs_the_decorator_of_its_url(doors, team, tenant):
    client, rest = doors(tenant.owner)
    answer = client.send("tools/call", {"name": "marked_delete", "arguments": {"pk": team.pk}}).json()
    assert answer.get("result", {}).get("resultType") == "input_required", answer
    assert rest.delete(f"/marked/{team.pk}").status_code == 204


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("first", "/first/it"),
        ("second", "/second/it"),
        ("accept", "/accept"),
        ("own_kind", "/own-kind"),
        ("token_notes", "/notes/token"),
        ("notes", "/notes"),
    ],
)
@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_version_and_kind_of_the_answer_are_the_urls_own(doors, tenant, tool, path, role):
    client, rest = doors(tenant.person(role))
    own = rest.get(path)
    assert own.status_code == 200
    assert text(client.call(tool)) == own.content.decode()


def test_answer_is_json_where_a_browser_would_get_a_page(doors, tenant):
    client, rest = doors(tenant.owner)
    assert text(client.call("browsable")) == rest.get("/browsable", HTTP_ACCEPT="application/json").content.decode()


def test_scope_that_a_dot_permission_wants_is_wanted_at_both_doors(doors, tenant, monkeypatch):
    client, rest = doors(tenant.owner)
    monkeypatch.setattr(habits.TokenNotes, "required_scopes", ["groups:secret"])
    assert rest.get("/notes/token").status_code == 403
    assert "token_notes" not in client.tools()
    assert client.refusal("token_notes")["code"] == "forbidden"


def test_view_that_authenticates_nobody_is_told_of_the_verified_person_all_the_same(doors, tenant):
    """The one place where the doors differ: over MCP there is always somebody, and the view may know it."""
    client, rest = doors(tenant.owner)
    name = tenant.owner.get_username()
    assert name in text(client.call("anybody"))
    assert name not in rest.get("/anybody").content.decode()


def test_faults_of_a_field_called_detail_do_not_hide_those_of_others(doors, tenant):
    client, rest = doors(tenant.owner)
    body = {"owner": "\t", "detail": "\t"}
    own = rest.post("/notes/plain", body, "application/json").json()
    refused = client.refusal("plain_add", body)
    assert isinstance(refused["message"], str)
    assert refused["details"] == own and set(own) == {"owner", "detail"}


def test_answer_that_is_too_long_says_that_the_change_was_made(doors, tenant):
    client, _ = doors(tenant.owner)
    habits.Verbose.made.clear()
    result = client.call("verbose_add", {"owner": "x"})
    assert habits.Verbose.made == ["x"]
    assert "done" in text(result).lower()


def test_route_with_a_part_that_has_no_name_is_told_at_start_up():
    with registry.tools.temporarily(make_tool("unnamed", "unnamed"), alone=True):
        assert check_tools(None)


@pytest.mark.parametrize("year", ["2024\n", "٢٠٢٤", " 2024", "2024/", "+2024", "02024", "2024.0"])
def test_value_that_its_pattern_does_not_take_is_not_found(doors, tenant, year):
    client, rest = doors(tenant.owner)
    assert text(client.call("years", {"year": "2024"})) == rest.get("/years/2024").content.decode()
    assert client.refusal("years", {"year": year})["code"] in ("not_found", "validation_failed")


@pytest.mark.parametrize("number", ["9007199254740993", "-9007199254740993", "123456789012345678", "1.5", "0.0", "1e3"])
def test_number_sent_as_a_string_is_read_as_json_reads_it(number):
    """Digits that a float has no room for are kept, as they are in a number."""
    shape = shape_of(registry.tools.get("plain_add"))
    given = read(shape, {"owner": "x", "weight": number}).body["weight"]
    assert (given, type(given)) == (json.loads(number), type(json.loads(number)))


@pytest.fixture
def mounted():
    """Sends requests through the WSGI handler itself, mounted: Django's test client never sets a prefix."""

    def send(prefix, method, path, body=b"", **headers):
        environ = RequestFactory().generic(method, path, body, "application/json", headers=headers).environ
        answer = get_wsgi_application()({**environ, "SCRIPT_NAME": prefix}, lambda status, headers: None)
        return answer.content

    # As Django's test client does: the connection is the test's.
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield send
    for signal in signals:
        signal.connect(close_old_connections)
    set_script_prefix("/")


@pytest.mark.parametrize("prefix", ["", "/app", "/a/b", "/a b"])
def test_prefix_the_host_is_mounted_under_stands_in_links(doors, tenant, settings, mounted, prefix):
    settings.ROOT_URLCONF = "tests.site.urls"
    for number in range(3):
        Group.objects.create(name=f"g{number}")
    client, rest = doors(tenant.owner)
    call = {"name": "groups_list", "arguments": {}}
    body = json.dumps(client.message("tools/call", call)).encode()
    with registry.tools.temporarily(make_tool("groups_list", "group-list"), alone=True):
        over_mcp = json.loads(mounted(prefix, "POST", "/mcp", body, **client.headers_for("tools/call", call)))
    own = mounted(prefix, "GET", "/rest/groups/", Authorization=rest.defaults["HTTP_AUTHORIZATION"]).decode()
    assert text(over_mcp["result"]) == own
    assert f"testserver{prefix.replace(' ', '%20')}/rest/groups/?page=2" in own
