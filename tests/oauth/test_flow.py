"""The authorization server, line by line of what it must do: a test's number is the line's."""

import json
import logging
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_refresh_token_model,
)

from kobana_mcp.oauth.models import Application
from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.testing import MCPClient
from tests.oauth.conftest import API, REDIRECT, RESOURCE, SCOPE, returned, token_request


def endpoint(access_token):
    return MCPClient(Client(), access_token, MODERN.versions[0])


def test_whole_way_from_the_challenge_to_a_tool(flow, client, tenant):
    challenge = client.post("/mcp", {}, "application/json").headers["WWW-Authenticate"]
    document = client.get(
        challenge.split('resource_metadata="')[1].split('"')[0].removeprefix("http://testserver")
    ).json()
    metadata = client.get("/.well-known/oauth-authorization-server").json()
    assert document["authorization_servers"] == [metadata["issuer"]] == ["http://testserver"]
    assert metadata["authorization_endpoint"] == "http://testserver/oauth/authorize"
    tokens = flow.tokens()
    assert sorted(tokens["scope"].split()) == sorted(SCOPE.split())
    tools = endpoint(tokens["access_token"]).tools()
    assert "emails_list" in tools and "inboxes_create" in tools and "agents_list" not in tools


def test_01_token_for_one_resource_is_none_at_another(flow):
    for resource, path, other in ((RESOURCE, "/mcp", "/api/v1/inboxes"), (API, "/api/v1/inboxes", "/mcp")):
        client = Client(headers={"Authorization": f"Bearer {flow.tokens(resource=resource)['access_token']}"})
        assert client.generic("POST" if other == "/mcp" else "GET", other, "{}", "application/json").status_code == 401
        own = client.generic("POST" if path == "/mcp" else "GET", path, "{}", "application/json")
        assert own.status_code != 401


def test_02_token_that_names_no_resource_is_good_for_none(flow):
    tokens = flow.tokens()
    get_access_token_model().objects.update(resource=[])
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 401


def test_04_no_token_code_or_secret_is_ever_logged(flow, caplog):
    with caplog.at_level(logging.DEBUG):
        code = flow.code()
        tokens = flow.redeem(code).json()
        flow.refresh(tokens["refresh_token"])
        endpoint(tokens["access_token"]).send("tools/list")
    said = " ".join(record.getMessage() for record in caplog.records)
    assert not [secret for secret in (code, tokens["access_token"], tokens["refresh_token"]) if secret in said]


@pytest.mark.parametrize(
    "resource",
    [
        "http://testserver/other",
        "http://testserver",
        "http://testserver/mcp#x",
        "http://testserver/mcp/deeper",
        "http://user@testserver/mcp",
        "mcp",
        "<script>alert(1)</script>",
    ],
)
def test_05_resource_that_tokens_are_not_issued_for_is_refused_without_an_echo(flow, resource):
    said = returned(flow.ask(resource=resource))
    assert said["error"] == "invalid_target"
    assert said["state"] == "xyz" and said["iss"] == "http://testserver"
    assert resource not in said["error_description"]


def test_05_two_resources_are_one_too_many_and_spelling_is_forgiven_where_it_means_nothing(flow):
    assert returned(flow.ask(resource=[RESOURCE, API]))["error"] == "invalid_target"
    tokens = flow.tokens(resource="HTTP://TESTSERVER/mcp/")
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 200


def test_06_token_and_refresh_requests_cannot_change_the_resource(flow):
    refused = flow.redeem(flow.code(), resource=API)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    tokens = flow.tokens()
    refused = flow.refresh(tokens["refresh_token"], resource=API)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    same = flow.refresh(tokens["refresh_token"], resource=RESOURCE)
    assert same.status_code == 200
    assert get_access_token_model().objects.get().resource == [RESOURCE]


def test_07_without_a_resource_it_is_the_endpoint_and_never_everything(flow):
    tokens = flow.tokens(resource=None)
    assert get_access_token_model().objects.get().resource == [RESOURCE]
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 200


def test_16_issuer_is_a_setting_and_no_host_header_moves_it(client, settings, db):
    settings.ALLOWED_HOSTS = ["*"]
    document = client.get("/.well-known/oauth-authorization-server", headers={"Host": "evil.example"}).json()
    assert document["issuer"] == "http://testserver"
    assert "evil" not in json.dumps(document)


def test_17_18_metadata_says_s256_only_and_that_answers_name_their_issuer(client, db):
    document = client.get("/.well-known/oauth-authorization-server").json()
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["authorization_response_iss_parameter_supported"] is True
    assert document["response_types_supported"] == ["code"]
    assert set(document["grant_types_supported"]) == {"authorization_code", "refresh_token", "client_credentials"}
    assert "introspection_endpoint" not in document and "device_authorization_endpoint" not in document


def test_18_every_answer_names_its_issuer_and_the_state(flow):
    answers = {
        "success": flow.consent(),
        "cancel": flow.consent(allow=False),
        "nothing ticked": flow.consent(granted=""),
        "bad scope": flow.ask(scope="no.such:scope"),
        "no challenge": flow.ask(code_challenge=None),
        "bad resource": flow.ask(resource="http://elsewhere.example/"),
    }
    for what, answer in answers.items():
        said = returned(answer)
        assert (said["iss"], said["state"]) == ("http://testserver", "xyz"), what
    assert returned(answers["cancel"])["error"] == returned(answers["nothing ticked"])["error"] == "access_denied"
    anonymous = Client().get("/oauth/authorize", flow.params(prompt="none"))
    assert returned(anonymous) == {"error": "login_required", "state": "xyz", "iss": "http://testserver"}


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"code_challenge": ""},
    ],
)
def test_20_challenge_that_is_not_hashed_is_refused_before_anybody_is_asked(flow, changes):
    assert returned(flow.ask(**changes))["error"] == "invalid_request"
    assert not get_grant_model().objects.exists()


def test_21_code_is_for_one_verifier_one_client_and_one_use(flow):
    assert flow.redeem(flow.code(), code_verifier="w" * 64).json()["error"] == "invalid_grant"
    other = get_application_model().objects.create(
        name="other", client_type="public", authorization_grant_type="authorization-code", redirect_uris=REDIRECT
    )
    code = flow.code()
    assert flow.redeem(code, client_id=other.client_id).json()["error"] == "invalid_grant"
    assert flow.redeem(code).status_code == 200
    assert flow.redeem(code).json()["error"] == "invalid_grant"


def test_22_code_lives_a_minute_at_most(flow):
    code = flow.code()
    grant = get_grant_model().objects.get(code=code)
    assert grant.expires <= timezone.now() + timedelta(seconds=61)
    get_grant_model().objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert flow.redeem(code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "uri",
    [
        REDIRECT + "/",
        REDIRECT + "?x=1",
        REDIRECT.upper(),
        REDIRECT + "#x",
        "https://assistant.example.com.evil.example/callback",
        "https://user@assistant.example.com/callback",
        "http://assistant.example.com/callback",
        "javascript:alert(1)",
        "",
    ],
)
def test_23_redirect_that_is_not_exactly_the_registered_one_is_a_page_and_no_redirect(flow, uri):
    answer = flow.ask(redirect_uri=uri)
    assert answer.status_code == 400 and "Location" not in answer.headers


@pytest.mark.parametrize("bad", [{"code_challenge": None}, {"resource": "http://elsewhere.example/"}])
def test_23_no_fault_of_a_request_leads_to_a_redirect_that_is_not_registered(flow, bad):
    answer = flow.ask(redirect_uri="https://evil.example/", **bad)
    assert answer.status_code == 400 and "Location" not in answer.headers


def test_23_port_of_a_loopback_redirect_is_free(flow, assistant):
    assistant.redirect_uris = "http://127.0.0.1/callback"
    assistant.save()
    assert flow.ask(redirect_uri="http://127.0.0.1:53123/callback").status_code == 200


def test_26_person_is_asked_every_time_whatever_the_client_sends(flow):
    flow.tokens()
    for changes in ({"approval_prompt": "auto"}, {"approval_prompt": "none"}, {}):
        assert flow.ask(**changes).status_code == 200


def test_26_consent_needs_the_page_it_came_from(flow, tenant):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(tenant.owner)
    assert (
        browser.post("/oauth/authorize", {**flow.params(), "allow": "true", "granted": SCOPE.split()}).status_code
        == 403
    )
    assert not get_grant_model().objects.exists()


def test_26_form_cannot_smuggle_another_resource_or_scope_in(flow):
    assert returned(flow.consent(fields={"resource": "http://elsewhere.example/"}))["error"] == "invalid_target"
    assert returned(flow.consent(fields={"code_challenge_method": "plain"}))["error"] == "invalid_request"
    flow.code(granted="inbox.emails:read inbox.workspaces:write")
    assert get_grant_model().objects.get().scope == "inbox.emails:read"


def test_27_page_names_client_person_host_resource_and_rights_in_words(flow, tenant):
    html = flow.ask().content.decode()
    for words in (
        *("Assistant &lt;b&gt;bold&lt;/b&gt;", "assistant.example.com", tenant.owner.email),
        *("Kobana Autonomous Inbox MCP", "See e-mails", "Change inboxes"),
    ):
        assert words in html
    assert "<b>bold" not in html
    assert "registered itself" not in html


def test_27_page_warns_of_clients_that_registered_themselves_and_of_local_ones(flow, assistant):
    assistant.registration_source = Application.RegistrationSource.DCR
    assistant.redirect_uris = "http://127.0.0.1/callback"
    assistant.save()
    html = flow.ask(redirect_uri="http://127.0.0.1:4000/callback").content.decode()
    assert "registered itself" in html and "your own computer" in html


def test_27_unticked_scope_is_not_granted(flow):
    tokens = flow.tokens(granted="inbox.emails:read")
    assert tokens["scope"] == "inbox.emails:read"


def test_28_page_cannot_be_framed_kept_or_made_to_load_anything(flow):
    headers = flow.ask().headers
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "script-src" not in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"


def test_29_unknown_client_is_refused_before_anybody_signs_in(flow, db):
    for client in (Client(), flow.browser):
        answer = client.get("/oauth/authorize", flow.params(client_id="stale"))
        assert answer.status_code == 400 and "Location" not in answer.headers


def test_29_known_client_leads_an_anonymous_person_to_the_sign_in_page_and_back(flow, tenant):
    tenant.owner.set_password("correct horse battery staple")
    tenant.owner.save()
    browser = Client()
    to_login = browser.get("/oauth/authorize", flow.params())
    assert to_login.status_code == 302 and to_login.headers["Location"].startswith("/account/login?next=")
    given = {"username": tenant.owner.email, "password": "correct horse battery staple"}
    back = browser.post(to_login.headers["Location"], given)
    assert back.headers["Location"].startswith("/oauth/authorize?")
    assert browser.get(back.headers["Location"]).status_code == 200


def test_31_access_token_lives_an_hour_at_most(flow):
    assert flow.tokens()["expires_in"] <= 3600


def test_32_refresh_token_rotates_and_a_later_replay_ends_the_family(flow):
    first = flow.tokens()
    second = flow.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    get_refresh_token_model().objects.exclude(revoked=None).update(revoked=timezone.now() - timedelta(minutes=5))
    assert flow.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert flow.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"


def test_32_refresh_token_that_comes_twice_within_moments_gives_a_second_pair_and_ends_nothing(flow):
    first = flow.tokens()
    pairs = [flow.refresh(first["refresh_token"]).json() for _ in range(3)]
    assert len({pair["refresh_token"] for pair in pairs}) == 3
    for pair in pairs:
        assert endpoint(pair["access_token"]).send("tools/list").status_code == 200
    assert get_refresh_token_model().objects.values("token_family").distinct().count() == 1
    assert {tuple(row.resource) for row in get_access_token_model().objects.all()} == {(RESOURCE,)}


def test_32_replay_after_those_moments_ends_all_pairs(flow):
    first = flow.tokens()
    pairs = [flow.refresh(first["refresh_token"]).json() for _ in range(2)]
    get_refresh_token_model().objects.exclude(revoked=None).update(revoked=timezone.now() - timedelta(seconds=31))
    assert flow.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    for pair in pairs:
        assert flow.refresh(pair["refresh_token"]).json()["error"] == "invalid_grant"


def test_32_token_that_was_revoked_and_not_exchanged_never_comes_again(flow):
    tokens = flow.tokens()
    gone = {"token": tokens["refresh_token"], "client_id": flow.application.client_id}
    assert Client().post("/oauth/revoke", gone).status_code == 200
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_32_sibling_is_for_the_same_client_person_scope_and_resource_only(flow, tenant):
    first = flow.tokens(granted="inbox.emails:read")
    assert flow.refresh(first["refresh_token"]).status_code == 200
    other = get_application_model().objects.create(
        name="other", client_type="public", authorization_grant_type="authorization-code", redirect_uris=REDIRECT
    )
    assert flow.refresh(first["refresh_token"], client_id=other.client_id).status_code == 400
    assert flow.refresh(first["refresh_token"], scope=SCOPE).json()["error"] == "invalid_scope"
    assert flow.refresh(first["refresh_token"], resource=API).json()["error"] == "invalid_target"
    tenant.owner.is_active = False
    tenant.owner.save()
    assert flow.refresh(first["refresh_token"]).status_code == 400


def test_33_refresh_by_another_client_or_for_more_is_refused(flow):
    tokens = flow.tokens(granted="inbox.emails:read")
    other = get_application_model().objects.create(
        name="other", client_type="public", authorization_grant_type="authorization-code", redirect_uris=REDIRECT
    )
    assert flow.refresh(tokens["refresh_token"], client_id=other.client_id).status_code == 400
    assert flow.refresh(tokens["refresh_token"], scope=SCOPE).json()["error"] == "invalid_scope"


def test_34_nothing_in_the_database_can_be_used_again(flow):
    tokens = flow.tokens()
    stored = [
        str(vars(row)) for model in (get_access_token_model(), get_refresh_token_model()) for row in model.objects.all()
    ]
    assert not [row for row in stored if tokens["access_token"] in row or tokens["refresh_token"] in row]


def test_35_revoked_token_stops_on_the_next_request(flow):
    tokens = flow.tokens()
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 200
    gone = {"token": tokens["refresh_token"], "client_id": flow.application.client_id}
    assert Client().post("/oauth/revoke", gone).status_code == 200
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 401
    assert flow.refresh(tokens["refresh_token"]).status_code == 400


@pytest.mark.parametrize("who", ["person", "client"])
def test_36_inactive_person_or_client_is_out_at_once(flow, tenant, assistant, who):
    tokens, code = flow.tokens(), flow.code()
    row = tenant.owner if who == "person" else assistant
    row.is_active = False
    row.save()
    assert endpoint(tokens["access_token"]).send("tools/list").status_code == 401
    assert flow.refresh(tokens["refresh_token"]).status_code in (400, 401)
    assert flow.redeem(code).status_code in (400, 401)


def test_37_answers_of_the_token_endpoint_are_json_and_not_to_be_stored(flow):
    mark = "<script>document.title='x'</script>"
    tokens = flow.tokens()
    answers = (
        flow.redeem("no-such-code"),
        flow.redeem(flow.code(), resource=mark),
        flow.refresh(tokens["refresh_token"], resource=mark),
        token_request(grant_type=mark),
        token_request(grant_type="authorization_code", client_id=mark),
        Client().post("/oauth/token", "{", content_type="application/json"),
        token_request(),
    )
    for answer in answers:
        assert answer.status_code in (400, 401)
        assert answer.headers["Content-Type"] == "application/json" and answer.headers["Cache-Control"] == "no-store"
        assert "error" in answer.json() and "<script>" not in answer.content.decode()


@pytest.mark.parametrize(
    "grant", ["password", "implicit", "urn:ietf:params:oauth:grant-type:device_code", "", "nonsense"]
)
def test_38_grants_of_others_are_refused_and_nothing_breaks(flow, grant):
    answer = token_request(grant_type=grant, client_id=flow.application.client_id, username="x", password="x")
    assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")


@pytest.fixture
def machine(tenant):
    """A confidential client that an administrator made, and its secret."""
    made = get_application_model()(
        name="machine",
        user=tenant.operator,
        client_type="confidential",
        authorization_grant_type="client-credentials",
    )
    secret = made.client_secret
    made.save()
    return made, secret


def test_38_client_credentials_act_as_their_owner_at_the_api_alone(machine, tenant):
    made, secret = machine
    given = {"grant_type": "client_credentials", "client_id": made.client_id, "client_secret": secret, "scope": SCOPE}
    answer = token_request(**given, resource=API)
    assert answer.status_code == 200, answer.content
    token = get_access_token_model().objects.get()
    assert (token.user, token.resource) == (tenant.operator, [API])
    client = Client(headers={"Authorization": f"Bearer {answer.json()['access_token']}"})
    assert client.get("/api/v1/inboxes").status_code == 200
    assert "refresh_token" not in answer.json()
    for resource in (RESOURCE, None, "http://elsewhere.example/"):
        assert token_request(**given, resource=resource).json()["error"] == "invalid_target"


def test_38_client_credentials_are_none_for_clients_that_registered_themselves_or_have_no_active_owner(machine, tenant):
    made, secret = machine
    given = {"grant_type": "client_credentials", "client_id": made.client_id, "client_secret": secret, "resource": API}
    for changes in ({"registration_source": "dcr"}, {"user": None}):
        get_application_model().objects.filter(pk=made.pk).update(**changes)
        assert token_request(**given).status_code in (400, 401)
        get_application_model().objects.filter(pk=made.pk).update(registration_source="manual", user=tenant.operator)
    tenant.operator.is_active = False
    tenant.operator.save()
    assert token_request(**given).status_code in (400, 401)


def test_d18_secret_of_a_client_costs_one_round_to_check(machine):
    made, _ = machine
    assert made.client_secret.startswith("pbkdf2_client_secret$1$")


def test_d17_nothing_but_what_is_needed_is_mounted(client, db):
    for path in ("introspect", "applications/", "device-authorization", "userinfo", "authorized_tokens/"):
        assert client.get(f"/oauth/{path}").status_code == 404
