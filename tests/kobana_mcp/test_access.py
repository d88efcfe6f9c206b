"""Who is calling: tokens that count, tokens that do not, and what is answered to those."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from kobana_mcp import catalogue
from kobana_mcp.access import challenge
from kobana_mcp.access.resources import ProtectedResource, canonical, resource_at
from kobana_mcp.registry import Scope, scopes

READING = sorted(scope.name for scope in scopes if scope.name.endswith(":read"))
METADATA = "http://testserver/.well-known/oauth-protected-resource/mcp"


@pytest.fixture(autouse=True)
def base_url(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "BASE_URL": "http://testserver"}


def ping(client, token, scheme="Bearer"):
    headers = {"Authorization": f"{scheme} {token}"} if token is not None else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    return client.post("/mcp", body, content_type="application/json", headers=headers)


def stored(change):
    token = get_access_token_model().objects.get()
    change(token)
    token.save()


@pytest.mark.proves("token-missing", "metadata-found")
def test_without_a_token_the_challenge_says_where_to_sign_in_and_for_what(client, db):
    answer = ping(client, None)
    assert answer.status_code == 401
    header = answer.headers["WWW-Authenticate"]
    assert header.startswith("Bearer ")
    assert f'resource_metadata="{METADATA}"' in header
    assert f'scope="{" ".join(READING)}"' in header
    assert "error" not in header
    assert answer.json() == {"jsonrpc": "2.0", "error": {"code": 401, "message": "Authentication required"}}
    assert "Set-Cookie" not in answer.headers


@pytest.mark.proves("metadata")
def test_address_in_the_challenge_leads_to_a_document_of_the_endpoint(client, db):
    document = client.get(METADATA.removeprefix("http://testserver")).json()
    assert document["resource"] == "http://testserver/mcp"
    assert document["authorization_servers"] == ["http://testserver"]
    assert document["bearer_methods_supported"] == ["header"]
    assert document["scopes_supported"] == READING


def test_metadata_is_readable_from_any_site_and_without_a_token(client, db):
    for path in ("", "/", "/mcp", "/mcp/"):
        answer = client.get("/.well-known/oauth-protected-resource" + path, headers={"Origin": "https://any.example"})
        assert (answer.status_code, answer.json()["resource"]) == (200, "http://testserver/mcp")
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    preflight = client.options("/.well-known/oauth-protected-resource/mcp")
    assert (preflight.status_code, preflight.headers["Access-Control-Allow-Headers"]) == (204, "*")


def test_each_resource_has_a_document_of_its_own_and_no_other_path_has_one(client, db):
    api = client.get("/.well-known/oauth-protected-resource/api/v1").json()
    assert api["resource"] == "http://testserver/api/v1"
    assert client.get("/.well-known/oauth-protected-resource/nothing/here").status_code == 404


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  "])
def test_scheme_is_taken_in_any_case(client, tenant, token_for, scheme):
    assert ping(client, token_for(tenant.owner), scheme).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        lambda token: setattr(token, "expires", timezone.now() - timedelta(seconds=1)),
        lambda token: setattr(token, "resource", []),
        lambda token: setattr(token, "resource", ["http://testserver/api/v1"]),
        lambda token: setattr(token, "resource", ["http://testserver"]),
        lambda token: setattr(token, "resource", ["http://testserver/mcp/inbox"]),
        lambda token: setattr(token, "resource", ["https://testserver/mcp"]),
        lambda token: setattr(token, "user", None),
        lambda token: setattr(token, "application", None),
    ],
    ids=["expired", "no audience", "other", "parent", "child", "other scheme", "nobody's", "no client's"],
)
@pytest.mark.proves("token-validated", "token-audience", "token-401")
def test_token_that_does_not_count_here_is_answered_as_invalid(client, tenant, token_for, change):
    raw = token_for(tenant.owner)
    assert ping(client, raw).status_code == 200
    stored(change)
    answer = ping(client, raw)
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


@pytest.mark.parametrize("audience", ["http://testserver/mcp/", "HTTP://TestServer/mcp", "http://testserver:80/mcp"])
def test_other_spelling_of_the_same_audience_counts(client, tenant, token_for, audience):
    raw = token_for(tenant.owner)
    stored(lambda token: setattr(token, "resource", ["https://else.example/", audience]))
    assert ping(client, raw).status_code == 200


@pytest.mark.parametrize("field", ["user", "application"])
def test_deactivated_person_or_client_is_out_with_the_next_request(client, tenant, token_for, field):
    raw = token_for(tenant.owner)
    who = getattr(get_access_token_model().objects.get(), field)
    who.is_active = False
    who.save()
    assert ping(client, raw).status_code == 401


@pytest.mark.parametrize("raw", ["", "garbage", "a b", "x" * 5000, "ünïcode", "token, Bearer token"])
def test_garbage_is_no_token(client, db, raw):
    answer = ping(client, raw)
    assert answer.status_code == 401


@pytest.mark.proves("token-url")
def test_token_in_the_url_is_refused_even_if_it_is_good(client, tenant, token_for):
    raw = token_for(tenant.owner)
    answer = client.post(f"/mcp?access_token={raw}", {}, content_type="application/json")
    assert answer.status_code == 400
    assert raw not in answer.content.decode()


def test_session_is_no_authentication_and_does_not_get_in_the_way(tenant, token_for):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(tenant.admin)
    assert ping(browser, None).status_code == 401
    answer = ping(browser, token_for(tenant.viewer))
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_authentication_is_one_query(client, tenant, token_for, django_assert_num_queries):
    raw = token_for(tenant.owner)
    with django_assert_num_queries(1):
        assert ping(client, raw).status_code == 200


@pytest.mark.django_db
@pytest.mark.proves("scope-hierarchy")
def test_scope_implies_narrower_ones_at_whatever_remove():
    chain = (
        Scope(name="x:all", description="-", implies=("x:write",)),
        Scope(name="x:write", description="-", implies=("x:read",)),
        Scope(name="x:read", description="-", implies=("x:all",)),
    )
    with scopes.temporarily(*chain):
        assert catalogue.current().expand(["x:all"]) == {"x:all", "x:write", "x:read"}
        assert catalogue.current().expand(["unknown"]) == {"unknown"}


def test_challenge_cannot_be_broken_out_of():
    resource = ProtectedResource('/mcp"\r\nSet-Cookie: a=b', "", ())
    header = challenge.insufficient_scope(resource, ['a"b\\'])
    assert "\r" not in header and "\n" not in header
    assert 'scope="a\\"b\\\\"' in header


@pytest.mark.parametrize(
    "uri", ["ftp://h/mcp", "https:///mcp", "https://h/mcp#f", "https://u@h/mcp", "https://h:x/", "mcp"]
)
def test_what_can_name_no_resource_has_no_canonical_form(uri):
    assert canonical(uri) is None
    assert not resource_at("/mcp").is_named_by(uri)


@pytest.mark.parametrize("base", ["https://x.example#f", "https://user@x.example", "https://x.example:99999", ""])
@pytest.mark.parametrize("audience", ["not a uri at all", "https://u@other.example/api", ""])
def test_resource_without_a_canonical_form_is_named_by_nothing(settings, base, audience):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "BASE_URL": base}
    assert not resource_at("/mcp").is_named_by(audience)


def test_ipv6_host_and_port_are_told_apart():
    assert canonical("http://[::1:8000]/mcp") != canonical("http://[::1]:8000/mcp")
    assert canonical(" http://h/mcp") is None and canonical("http://h/\tmcp") is None
