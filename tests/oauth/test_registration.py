"""Assistants that introduce themselves: what is taken, what is answered, and that nothing is won by it."""

import io
import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_application_model

from tests.oauth.conftest import REDIRECT

GIVEN = {"client_name": "Assistant", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"}
#: As assistants send it: with grants and members that this server has nothing to do with.
VS_CODE = {
    "client_name": "Visual Studio Code",
    "client_uri": "https://code.example.com",
    "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    "response_types": ["code"],
    "redirect_uris": ["https://vscode.example.com/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"],
    "token_endpoint_auth_method": "none",
    "application_type": "native",
}


@pytest.fixture(autouse=True)
def own_budget(settings, db, issuer):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "RATE_LIMIT_STORAGE": f"memory://?{uuid.uuid4()}"}


def register(body, kind="application/json", **extra):
    return Client().post("/oauth/register", body if isinstance(body, (str, bytes)) else json.dumps(body), kind, **extra)


def test_metadata_names_the_endpoint(client):
    document = client.get("/.well-known/oauth-authorization-server").json()
    assert document["registration_endpoint"] == "http://testserver/oauth/register"


@pytest.mark.parametrize("given", [GIVEN, VS_CODE], ids=["plain", "vs code"])
def test_public_client_is_registered_and_told_what_counts(given):
    answer = register(given)
    assert answer.status_code == 201 and answer.headers["Cache-Control"] == "no-store"
    told = answer.json()
    assert told["redirect_uris"] == given["redirect_uris"]
    assert told["grant_types"] == ["authorization_code", "refresh_token"]
    assert told["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in told
    assert get_application_model().objects.get().client_id == told["client_id"]


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic", None])
def test_confidential_client_gets_a_secret_once_and_the_method_it_asked_for(method):
    told = register(
        {**GIVEN, **({"token_endpoint_auth_method": method} if method else {})}
        if method
        else {name: value for name, value in GIVEN.items() if name != "token_endpoint_auth_method"}
    ).json()
    assert told["token_endpoint_auth_method"] == (method or "client_secret_basic")
    assert len(told["client_secret"]) >= 64 and told["client_secret_expires_at"] == 0
    assert told["client_secret"] not in str(vars(get_application_model().objects.get()))


def test_03_registering_gives_no_token_of_any_kind():
    told = register(GIVEN).json()
    assert "registration_access_token" not in told and "registration_client_uri" not in told
    assert not get_access_token_model().objects.exists()
    assert Client().get(f"/oauth/register/{told['client_id']}").status_code == 404


def test_30_nobody_registers_himself_as_trusted():
    told = register({**GIVEN, "skip_authorization": True, "is_active": False, "user": 1, "client_id": "mine"}).json()
    made = get_application_model().objects.get()
    assert (made.skip_authorization, made.is_active, made.user) == (False, True, None)
    assert told["client_id"] != "mine" and made.registration_source == "dcr"


@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/cb",
        "cursor://anysphere.cursor/callback",
        "javascript:alert(1)",
        "https://a.example/" + "x" * 600,
        "ftp://a.example/",
        "",
        "https://",
        "https://a.example/#fragment",
        "http://127.0.0.1.evil.example/",
        "http://localhost@evil.example/",
    ],
)
def test_24_only_https_and_loopback_can_be_registered(uri):
    answer = register({**GIVEN, "redirect_uris": [uri]})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    assert not get_application_model().objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 20_000,
        {},
        {**GIVEN, "redirect_uris": REDIRECT},
        {**GIVEN, "redirect_uris": [5]},
        {**GIVEN, "redirect_uris": [f"https://a.example/{n}" for n in range(11)]},
        {**GIVEN, "client_name": 5},
        {**GIVEN, "client_name": "x" * 20_000},
        {**GIVEN, "token_endpoint_auth_method": "private_key_jwt"},
        {**GIVEN, "token_endpoint_auth_method": ["none"]},
        {**GIVEN, "grant_types": ["client_credentials"]},
        {**GIVEN, "grant_types": "authorization_code"},
        {**GIVEN, "response_types": ["token"]},
    ],
)
def test_39_what_cannot_be_taken_is_refused_in_words_and_leaves_nothing(body):
    answer = register(body)
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_client_metadata", "invalid_redirect_uri")
    assert answer.json()["error_description"]
    assert not get_application_model().objects.exists()


def test_39_form_of_another_site_cannot_register():
    assert register("a=b", "application/x-www-form-urlencoded").status_code == 400
    assert register(json.dumps(GIVEN), "text/plain").status_code == 400


def test_39_name_holds_nothing_that_is_not_seen():
    told = register({**GIVEN, "client_name": "Claude\u202e\u200b\n" + "x" * 300}).json()
    assert told["client_name"].startswith("Claudexxx") and len(told["client_name"]) == 100


def test_39_one_address_registers_so_many_a_minute(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "REGISTRATIONS_PER_MINUTE": 2}
    statuses = [register(GIVEN, REMOTE_ADDR="192.0.2.7").status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    refused = register(GIVEN, REMOTE_ADDR="192.0.2.7")
    assert int(refused.headers["Retry-After"]) >= 1
    assert register(GIVEN, REMOTE_ADDR="192.0.2.8").status_code == 201


def test_39_clients_that_were_never_used_are_removed_and_used_ones_are_not(flow, tenant):
    flow.tokens()
    model = get_application_model()
    model.objects.update(registration_source="dcr")
    for _ in range(2):
        register(GIVEN)
    by_hand = model.objects.create(name="by hand", client_type="public", authorization_grant_type="authorization-code")
    model.objects.exclude(pk=None).update(created=timezone.now() - timedelta(days=8))
    fresh = register(GIVEN).json()["client_id"]
    out = io.StringIO()
    call_command("clear_clients", stdout=out)
    assert "2 unused clients" in out.getvalue()
    left = set(model.objects.values_list("client_id", flat=True))
    assert left == {flow.application.client_id, by_hand.client_id, fresh}


@pytest.mark.parametrize(
    "path", ["/oauth/register", "/oauth/token", "/oauth/revoke", "/.well-known/oauth-authorization-server"]
)
def test_pages_of_any_site_may_call_what_no_cookie_opens(path, client):
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    answer = client.options(path, headers=asked)
    assert answer.status_code == 204 and answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "MCP-Protocol-Version" in answer.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_client_that_registered_itself_is_connected_like_any_other(flow):
    told = register(GIVEN).json()
    flow.application = get_application_model().objects.get(client_id=told["client_id"])
    html = flow.ask().content.decode()
    assert "registered itself" in html
    assert flow.tokens()["access_token"]
