"""The API's own description: the document, and the page that shows it."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

SCHEMA, DOCS = "/api/v1/schema", "/api/v1/docs"


@pytest.fixture
def signed_in(client, tenant):
    client.force_login(tenant.viewer)
    return client


@pytest.fixture
def document(signed_in):
    return json.loads(signed_in.get(SCHEMA).content)


def operations(document):
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_document_is_openapi_3_1_for_signed_in_people_and_for_tokens(signed_in, rest_for, tenant):
    for client in (signed_in, rest_for(tenant.viewer, "inbox.emails:read")):
        answer = client.get(SCHEMA)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "application/vnd.oai.openapi+json"
        assert json.loads(answer.content)["openapi"].startswith("3.1.")


def test_document_is_for_nobody_else(client, token_for, tenant):
    for headers in ({}, {"Authorization": f"Bearer {token_for(tenant.viewer)}"}, {"Authorization": "Bearer nonsense"}):
        answer = client.get(SCHEMA, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert answer["WWW-Authenticate"].startswith("Bearer ")


def test_page_sends_strangers_to_sign_in(client, db, settings):
    settings.LOGIN_URL = "/somewhere/"
    answer = client.get(DOCS)
    assert (answer.status_code, answer["Location"]) == (302, f"/somewhere/?next={DOCS}")


def test_inactive_person_is_a_stranger(signed_in, tenant):
    tenant.viewer.is_active = False
    tenant.viewer.save()
    assert signed_in.get(SCHEMA).status_code == 401
    assert signed_in.get(DOCS).status_code == 302


def test_session_opens_nothing_but_these_two(signed_in):
    for path in ("webhooks", "agent-runs", "system-events", "emails"):
        assert signed_in.get(f"/api/v1/{path}").status_code == 401


def test_page_loads_its_own_files_only_and_its_policy_allows_no_other(signed_in):
    answer = signed_in.get(DOCS)
    assert answer.status_code == 200
    page = answer.content.decode()
    loaded = re.findall(r'(?:src|href|data-schema)="([^"]+)"', page)
    assert len(loaded) == 6
    assert "//" not in page.replace("<!DOCTYPE html>", "")
    for address in loaded:
        assert address == SCHEMA or finders.find(address.removeprefix("/static/")), address
    assert "<script>" not in page
    policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in answer["Content-Security-Policy"]


def test_page_asks_no_other_service_to_check_the_document():
    assert "validatorUrl: null" in Path(finders.find("inbox/docs.js")).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [SCHEMA, DOCS])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_both_can_only_be_read(signed_in, path, method):
    answer = getattr(signed_in, method)(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")


def test_document_is_made_without_a_warning(tmp_path, capsys):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))
    assert capsys.readouterr().err == ""


def test_operations_have_the_names_of_the_public_api(document):
    found = operations(document)
    assert {
        *("list-workspaces", "create-workspace", "get-workspace", "update-workspace", "delete-workspace"),
        *("list-inboxes", "create-inbox", "get-inbox", "update-inbox", "delete-inbox", "add-allowed-recipient"),
        *("remove-allowed-recipient", "list-agents", "create-agent", "get-agent", "update-agent", "delete-agent"),
        *("list-webhooks", "create-webhook", "get-webhook", "update-webhook", "delete-webhook"),
        *("send-a-webhook-test-event", "regenerate-the-signing-secret", "list-webhook-deliveries"),
        *("get-webhook-delivery", "replay-a-webhook-delivery", "list-emails", "get-email", "download-original-eml"),
        *("reprocess-email", "list-agent-runs", "get-agent-run", "list-system-events", "get-system-event"),
        # Not the public API's own.
        *("upsert-inbox", "upsert-agent", "upsert-webhook", "get-workspace-usage"),
    } == {operation["operationId"] for operation in found.values()}
    assert found["POST /webhooks/{id}/deliveries/{delivery_id}/replay"]["tags"] == ["Webhook deliveries"]
    assert found["GET /agent-runs"]["summary"] == "List agent runs"


def test_bodies_take_no_unknown_fields(document):
    schemas = document["components"]["schemas"]
    for name in ("WebhookCreateRequest", "WebhookUpsertRequest", "PatchedWebhookUpdateRequest"):
        assert schemas[name]["additionalProperties"] is False
    assert "additionalProperties" not in schemas["Webhook"]


def test_operations_on_webhooks_runs_and_events_are_documented_with_their_answers(document):
    found = operations(document)
    for name, good in {
        "GET /webhooks": {"200"},
        "POST /webhooks": {"201"},
        "GET /webhooks/{id}": {"200"},
        "PUT /webhooks/{id}": {"200", "201"},
        "PATCH /webhooks/{id}": {"200"},
        "DELETE /webhooks/{id}": {"204"},
        "POST /webhooks/{id}/test": {"202"},
        "POST /webhooks/{id}/regenerate-secret": {"200"},
        "GET /webhooks/{id}/deliveries": {"200"},
        "GET /webhooks/{id}/deliveries/{delivery_id}": {"200"},
        "POST /webhooks/{id}/deliveries/{delivery_id}/replay": {"202"},
        "GET /agent-runs": {"200"},
        "GET /agent-runs/{id}": {"200"},
        "GET /system-events": {"200"},
        "GET /system-events/{id}": {"200"},
    }.items():
        assert {status for status in found[name]["responses"] if status < "400"} == good, name
    for name in ("test", "regenerate-secret", "deliveries/{delivery_id}/replay"):
        assert "requestBody" not in found[f"POST /webhooks/{{id}}/{name}"]


def test_no_name_stands_both_in_the_path_and_in_the_body(document):
    schemas = document["components"]["schemas"]
    for name, operation in operations(document).items():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            body = schemas[content["schema"]["$ref"].rpartition("/")[2]]["properties"]
            assert not set(body) & {each["name"] for each in operation.get("parameters", ())}, name


def test_only_two_answers_hold_a_signing_secret_and_none_a_credential(document):
    names = {
        name
        for name, schema in document["components"]["schemas"].items()
        if "signing_secret" in schema.get("properties", {})
    }
    assert names == {"WebhookSaved", "SigningSecret"}
    answers = [
        document["components"]["schemas"][name]
        for name in ("Webhook", "WebhookSaved", "WebhookDelivery", "WebhookDeliveryDetail", "SystemEvent")
    ]
    assert not [name for schema in answers for name in schema["properties"] if name.startswith("auth_")]
