"""Webhooks over REST: made, changed, upserted, deleted, and what each of it writes down."""

import base64
import json
import uuid

import pytest
from django.utils import timezone

from inbox.events import CATALOGUE
from inbox.models import DeliveryStatus, Inbox, Role, SystemEvent, Webhook, WebhookDelivery
from inbox.services import credentials, webhooks

WEBHOOKS = "/api/v1/webhooks"
GOOD = {"label": "Orders", "url": "https://hooks.example.com/in"}
SECRET_FIELDS = {
    *("signing_secret", "auth_basic_user", "auth_basic_password", "auth_bearer_token", "auth_header_key"),
    "auth_header_value",
}
FIELDS = {
    *("id", "external_id", "workspace_id", "inbox_id", "label", "url", "status", "auth", "subscribed_events"),
    *("consecutive_failures", "created_at", "updated_at"),
}


@pytest.fixture
def admin(rest_for, tenant):
    return rest_for(tenant.admin, "inbox.webhooks:write")


def send(client, method: str, path: str, body=None):
    return client.generic(method, path, "" if body is None else json.dumps(body), "application/json")


def create(client, **fields):
    return send(client, "POST", WEBHOOKS, {**GOOD, **fields})


def faults(answer) -> dict[str, list[str]]:
    return answer.json()["error"]["details"]["fieldErrors"]


def events() -> list[str]:
    return list(SystemEvent.objects.order_by("id").values_list("slug", flat=True))


# --- Create ----------------------------------------------------------------------------------------------------------


def test_created_webhook_has_every_field_and_shows_its_secret_once(admin, tenant):
    answer = create(admin)
    made = answer.json()["data"]
    assert answer.status_code == 201
    assert set(made) == FIELDS | {"signing_secret"}
    assert made["external_id"] == made["id"]
    assert made["workspace_id"] == str(tenant.workspace.pk)
    assert (made["status"], made["auth"], made["subscribed_events"], made["inbox_id"]) == ("active", "none", [], None)
    shown = admin.get(f"{WEBHOOKS}/{made['id']}").json()["data"]
    assert set(shown) == FIELDS
    assert set(admin.get(WEBHOOKS).json()["data"][0]) == FIELDS


def test_signing_secret_is_of_the_standard_webhooks_form(admin):
    secret = create(admin).json()["data"]["signing_secret"]
    assert secret.startswith("whsec_")
    assert 24 <= len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) <= 64
    assert credentials.signing_secret(Webhook.objects.get()) == secret
    assert create(admin).json()["data"]["signing_secret"] != secret


@pytest.mark.parametrize(
    ("auth", "given", "headers"),
    [
        ("none", {}, {}),
        ("basic", {"auth_basic_user": "ü", "auth_basic_password": "p:w "}, {"Authorization": "Basic w7w6cDp3IA=="}),
        ("bearer", {"auth_bearer_token": "tok"}, {"Authorization": "Bearer tok"}),
        ("header", {"auth_header_key": "X-Key", "auth_header_value": "a b"}, {"X-Key": "a b"}),
    ],
)
def test_credentials_are_kept_for_the_requests_and_others_are_left_out(admin, auth, given, headers):
    answer = create(admin, auth=auth, **{"auth_basic_user": "other", **given})
    assert answer.status_code == 201
    assert not set(answer.json()["data"]) & (SECRET_FIELDS - {"signing_secret"})
    webhook = Webhook.objects.get()
    assert credentials.authorization(webhook) == headers
    assert credentials.credentials(webhook) == given


@pytest.mark.parametrize(
    ("auth", "missing"),
    [
        ("basic", {"auth_basic_user", "auth_basic_password"}),
        ("bearer", {"auth_bearer_token"}),
        ("header", {"auth_header_key", "auth_header_value"}),
    ],
)
def test_missing_credentials_are_told_with_every_other_fault(admin, auth, missing):
    answer = send(admin, "POST", WEBHOOKS, {"auth": auth, "label": "", "nope": 1})
    assert answer.status_code == 400
    assert set(faults(answer)) == missing | {"label", "url", "nope"}
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("name", ["Host", "content-length", "Webhook-Signature", "Transfer-Encoding"])
def test_credential_cannot_take_the_place_of_a_header_of_the_request(admin, name):
    answer = create(admin, auth="header", auth_header_key=name, auth_header_value="x")
    assert set(faults(answer)) == {"auth_header_key"}


def test_external_id_that_is_taken_is_a_conflict_and_writes_nothing(admin, other_tenant, make_webhook):
    taken = make_webhook(external_id=uuid.uuid4())
    make_webhook(other_tenant.workspace, external_id=(elsewhere := uuid.uuid4()))
    before = events()
    for used in (taken.external_id, taken.pk):
        answer = create(admin, external_id=str(used))
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
    assert events() == before
    assert create(admin, external_id=str(elsewhere)).status_code == 201


def test_external_id_of_a_deleted_webhook_is_free_again(admin, tenant, make_webhook):
    webhook = make_webhook(external_id=uuid.uuid4())
    webhooks.delete(webhook, by=tenant.owner)
    answer = create(admin, external_id=str(webhook.external_id))
    assert answer.status_code == 201
    assert answer.json()["data"]["id"] != str(webhook.pk)


def test_inbox_is_named_by_id_or_external_id(admin, tenant):
    Inbox.objects.filter(pk=tenant.inbox.pk).update(external_id=(external := uuid.uuid4()))
    for key in (tenant.inbox.pk, external):
        assert create(admin, inbox_id=str(key)).json()["data"]["inbox_id"] == str(tenant.inbox.pk)
    assert create(admin, inbox_id=None).json()["data"]["inbox_id"] is None


def test_inbox_that_there_is_not_cannot_be_named(admin, tenant, other_tenant, second_inbox):
    second_inbox.deleted_at = timezone.now()
    second_inbox.save()
    bodies = set()
    for key in (uuid.uuid4(), other_tenant.inbox.pk, other_tenant.inbox.external_id, second_inbox.pk):
        answer = create(admin, inbox_id=str(key))
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unprocessable")
        bodies.add(answer.content)
    assert len(bodies) == 1
    assert not Webhook.objects.exists()


def test_unknown_event_and_unknown_inbox_are_told_together(admin):
    answer = create(admin, subscribed_events=["email.received", "email.recieved"], inbox_id=str(uuid.uuid4()))
    assert answer.status_code == 422
    assert faults(answer) == {
        "subscribed_events": ["There is no event email.recieved."],
        "inbox_id": ["There is no such inbox."],
    }


def test_every_event_can_be_subscribed_to_and_is_kept_once(admin):
    answer = create(admin, subscribed_events=[*CATALOGUE, "email.received"])
    assert answer.json()["data"]["subscribed_events"] == list(CATALOGUE)


# --- Change ----------------------------------------------------------------------------------------------------------


def test_patch_changes_what_it_names_by_id_and_by_external_id(admin, tenant, make_webhook):
    webhook = make_webhook(external_id=uuid.uuid4(), subscribed_events=["email.received"])
    changes = {
        "label": "New",
        "url": "https://other.example.com/",
        "status": "inactive",
        "inbox_id": str(tenant.inbox.pk),
        "subscribed_events": ["agent_run.failed"],
    }
    for (name, value), key in zip(changes.items(), (webhook.pk, webhook.external_id) * 3, strict=False):
        before = admin.get(f"{WEBHOOKS}/{key}").json()["data"]
        answer = send(admin, "PATCH", f"{WEBHOOKS}/{key}", {name: value})
        assert answer.status_code == 200
        shown = answer.json()["data"]
        assert {field for field in FIELDS if shown[field] != before[field]} == {name, "updated_at"}
        assert shown[name] == value
        assert SystemEvent.objects.filter(slug="webhook.updated").latest("id").payload["changed"] == [name]
    assert send(admin, "PATCH", f"{WEBHOOKS}/{webhook.pk}", {"inbox_id": None}).json()["data"]["inbox_id"] is None


def test_patch_that_changes_nothing_writes_nothing(admin, make_webhook):
    webhook = make_webhook()
    before = events()
    for body in ({}, {"label": webhook.label, "url": webhook.url}):
        assert send(admin, "PATCH", f"{WEBHOOKS}/{webhook.pk}", body).status_code == 200
    assert events() == before
    assert Webhook.objects.get().updated_at == webhook.updated_at


@pytest.mark.parametrize("name", [*sorted(SECRET_FIELDS), "auth", "external_id", "id", "consecutive_failures"])
def test_patch_cannot_change_what_is_fixed(admin, make_webhook, name):
    webhook = make_webhook(auth="bearer", auth_bearer_token="kept")
    before = Webhook.objects.values().get()
    answer = send(admin, "PATCH", f"{WEBHOOKS}/{webhook.pk}", {name: "none", "label": "changed"})
    assert faults(answer) == {name: ["There is no such field."]}
    assert Webhook.objects.values().get() == before


def test_label_has_no_longest_once_the_webhook_is_there(admin, make_webhook):
    assert set(faults(create(admin, label="x" * 121))) == {"label"}
    answer = send(admin, "PATCH", f"{WEBHOOKS}/{make_webhook().pk}", {"label": "x" * 5000})
    assert answer.json()["data"]["label"] == "x" * 5000


def test_webhook_that_is_switched_on_again_begins_without_failures(admin, make_webhook):
    webhook = make_webhook()
    Webhook.objects.update(consecutive_failures=49, status="inactive")
    send(admin, "PATCH", f"{WEBHOOKS}/{webhook.pk}", {"label": "still off"})
    assert Webhook.objects.get().consecutive_failures == 49
    send(admin, "PATCH", f"{WEBHOOKS}/{webhook.pk}", {"status": "active"})
    assert Webhook.objects.get().consecutive_failures == 0


# --- Upsert ----------------------------------------------------------------------------------------------------------


def put(client, key, **body):
    return send(client, "PUT", f"{WEBHOOKS}/{key}", body)


def test_upsert_makes_then_changes_one_webhook(admin):
    key = uuid.uuid4()
    made = put(admin, key, **GOOD, subscribed_events=["email.failed"], status="inactive")
    assert made.status_code == 201
    assert made.json()["data"]["external_id"] == str(key)
    assert made.json()["data"]["status"] == "inactive"
    assert made.json()["data"]["signing_secret"].startswith("whsec_")
    again = put(admin, key, label="Renamed")
    assert again.status_code == 200
    assert set(again.json()["data"]) == FIELDS
    assert {**made.json()["data"], **again.json()["data"], "signing_secret": None} == {
        **made.json()["data"],
        "label": "Renamed",
        "updated_at": again.json()["data"]["updated_at"],
        "signing_secret": None,
    }
    assert events() == ["webhook.created", "webhook.updated"]


def test_upsert_sent_twice_is_the_same_as_once_with_credentials_too(admin):
    key, body = uuid.uuid4(), {**GOOD, "auth": "basic", "auth_basic_user": "u", "auth_basic_password": "p"}
    assert [put(admin, key, **body).status_code for _ in range(3)] == [201, 200, 200]
    assert events() == ["webhook.created"]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"auth": "none"}, {"auth"}),
        ({"auth": "bearer", "auth_bearer_token": "x"}, {"auth"}),
        ({"auth_basic_password": "other"}, {"auth_basic_password"}),
        (
            {"auth": "basic", "auth_basic_user": "é", "auth_basic_password": "q"},
            {"auth_basic_user", "auth_basic_password"},
        ),
    ],
)
def test_upsert_does_not_change_how_an_existing_webhook_authenticates(admin, make_webhook, given, names):
    webhook = make_webhook(auth="basic", auth_basic_user="u", auth_basic_password="p")
    answer = put(admin, webhook.external_id, label="changed", **given)
    assert answer.status_code == 400
    assert set(faults(answer)) == names
    assert Webhook.objects.get().label == webhook.label


def test_upsert_that_makes_needs_what_a_webhook_needs(admin):
    assert set(faults(put(admin, uuid.uuid4()))) == {"label", "url"}
    assert set(faults(put(admin, uuid.uuid4(), **GOOD, auth="bearer"))) == {"auth_bearer_token"}
    assert not Webhook.objects.exists()
    assert events() == []


def test_upsert_by_the_id_of_another_webhook_is_a_conflict(admin, make_webhook):
    webhook = make_webhook(external_id=uuid.uuid4())
    assert put(admin, webhook.pk, **GOOD).status_code == 409
    assert Webhook.objects.count() == 1


def test_upsert_by_the_external_id_of_a_deleted_webhook_makes_a_new_one(admin, tenant, make_webhook):
    webhook = make_webhook(external_id=uuid.uuid4())
    webhooks.delete(webhook, by=tenant.owner)
    assert put(admin, webhook.external_id, **GOOD).status_code == 201
    assert Webhook.objects.live().count() == 1


def test_upsert_takes_its_external_id_from_the_path_alone(admin, other_tenant, make_webhook):
    theirs = make_webhook(other_tenant.workspace, external_id=uuid.uuid4())
    assert put(admin, "nope", **GOOD).status_code == 404
    assert set(faults(put(admin, uuid.uuid4(), **GOOD, external_id=str(uuid.uuid4())))) == {"external_id"}
    assert put(admin, theirs.external_id, **GOOD).status_code == 201
    assert put(admin, theirs.pk, **GOOD).status_code == 201


# --- Delete, secret, test --------------------------------------------------------------------------------------------


def test_deleted_webhook_is_gone_and_what_is_pending_is_cancelled(admin, make_webhook, make_delivery):
    webhook, other = make_webhook(auth="bearer", auth_bearer_token="t"), make_webhook()
    waiting, arrived = make_delivery(webhook, next_retry_at=timezone.now()), make_delivery(webhook, status="success")
    elsewhere = make_delivery(other)
    assert send(admin, "DELETE", f"{WEBHOOKS}/{webhook.external_id}").status_code == 204
    for method, path in (("GET", ""), ("DELETE", ""), ("PATCH", ""), ("POST", "/test"), ("GET", "/deliveries")):
        assert send(admin, method, f"{WEBHOOKS}/{webhook.pk}{path}", {} if method != "GET" else None).status_code == 404
    assert [row["id"] for row in admin.get(WEBHOOKS).json()["data"]] == [str(other.pk)]
    rows = WebhookDelivery.objects.in_bulk()
    assert (rows[waiting.pk].status, rows[waiting.pk].next_retry_at) == (DeliveryStatus.FAILED, None)
    assert "deleted" in rows[waiting.pk].error
    assert (rows[arrived.pk].status, rows[elsewhere.pk].status) == (DeliveryStatus.SUCCESS, DeliveryStatus.PENDING)
    webhook.refresh_from_db()
    assert (webhook.sealed_credentials, webhook.sealed_signing_secret) == ("", "")
    assert events().count("webhook.deleted") == 1


def test_regenerated_secret_is_shown_once_in_the_envelope_and_told_without_it(admin, make_webhook):
    webhook = make_webhook()
    old = credentials.signing_secret(webhook)
    answer = send(admin, "POST", f"{WEBHOOKS}/{webhook.pk}/regenerate-secret")
    assert answer.status_code == 200
    assert list(answer.json()) == ["data"]
    assert list(answer.json()["data"]) == ["signing_secret"]
    new = answer.json()["data"]["signing_secret"]
    assert new != old
    assert credentials.signing_secret(Webhook.objects.get()) == new
    event = SystemEvent.objects.get(slug="webhook.updated")
    assert event.payload["changed"] == ["signing_secret"]
    assert new not in json.dumps(event.payload)


@pytest.mark.parametrize("status", ["active", "inactive"])
def test_test_answers_with_its_event_and_leaves_a_delivery(rest_for, tenant, make_webhook, status):
    webhook = make_webhook(subscribed_events=["email.failed"], inbox_id=tenant.inbox.pk, status=status)
    operator = rest_for(tenant.operator, "inbox.webhooks:write")
    answer = send(operator, "POST", f"{WEBHOOKS}/{webhook.external_id}/test")
    assert answer.status_code == 202
    shown = answer.json()["data"]
    assert set(shown) == {
        *("id", "workspace_id", "inbox_id", "email_id", "slug", "payload", "created_at", "updated_at")
    }
    assert (shown["slug"], shown["inbox_id"]) == ("webhook.test", str(tenant.inbox.pk))
    assert shown["payload"]["by"]["email"] == tenant.operator.email
    delivery = WebhookDelivery.objects.get(webhook=webhook)
    assert (str(delivery.system_event_id), delivery.attempt, delivery.status) == (shown["id"], 1, "pending")


@pytest.mark.parametrize("path", ["test", "regenerate-secret"])
@pytest.mark.parametrize("body", [{"inbox_id": 1}, [], "x", 1])
def test_operation_without_a_body_refuses_one(admin, make_webhook, path, body):
    webhook = make_webhook()
    before = events(), Webhook.objects.values().get()
    assert send(admin, "POST", f"{WEBHOOKS}/{webhook.pk}/{path}", body).status_code == 400
    assert (events(), Webhook.objects.values().get()) == before


# --- Lists -----------------------------------------------------------------------------------------------------------


def test_filters_narrow_the_list(admin, tenant, make_webhook):
    make_webhook(label="all")
    make_webhook(label="one", inbox_id=tenant.inbox.pk)
    make_webhook(label="off", status="inactive")
    for query, expected in {
        "": ["off", "one", "all"],
        "status=active": ["one", "all"],
        "status=inactive": ["off"],
        f"inbox_id={tenant.inbox.external_id}": ["one"],
        f"inbox_id={tenant.inbox.pk}&status=inactive": [],
    }.items():
        assert [row["label"] for row in admin.get(f"{WEBHOOKS}?{query}").json()["data"]] == expected, query
    assert admin.get(f"{WEBHOOKS}?inbox_id={uuid.uuid4()}").status_code == 404
    assert admin.get(f"{WEBHOOKS}?status=on&label=all").status_code == 400


def test_list_costs_the_same_for_one_row_and_for_many_and_reads_no_secret(
    admin, make_webhook, django_assert_num_queries, tenant
):
    for count in (1, 20):
        for _ in range(count):
            make_webhook(inbox_id=tenant.inbox.pk)
        with django_assert_num_queries(3) as captured:
            admin.get(WEBHOOKS)
        assert "sealed" not in captured.captured_queries[-1]["sql"]


# --- Who may ---------------------------------------------------------------------------------------------------------

#: method, path below the collection -> least role, good status, body
OPERATIONS = {
    ("GET", ""): (Role.VIEWER, 200, None),
    ("POST", ""): (Role.ADMIN, 201, GOOD),
    ("GET", "/{id}"): (Role.VIEWER, 200, None),
    ("PUT", "/{id}"): (Role.ADMIN, 200, GOOD),
    ("PATCH", "/{id}"): (Role.ADMIN, 200, {"label": "x"}),
    ("DELETE", "/{id}"): (Role.ADMIN, 204, None),
    ("POST", "/{id}/test"): (Role.OPERATOR, 202, None),
    ("POST", "/{id}/regenerate-secret"): (Role.ADMIN, 200, None),
    ("GET", "/{id}/deliveries"): (Role.VIEWER, 200, None),
    ("GET", "/{id}/deliveries/{delivery}"): (Role.VIEWER, 200, None),
    ("POST", "/{id}/deliveries/{delivery}/replay"): (Role.OPERATOR, 202, None),
}


@pytest.fixture
def everyone(rest_for, tenant):
    """role -> client with every scope of the family."""
    return {role: rest_for(tenant.person(role), "inbox.webhooks") for role in Role}


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_operation_is_for_its_roles_and_scopes(
    everyone, rest_for, tenant, make_webhook, make_delivery, client, method, path
):
    least, good, body = OPERATIONS[method, path]
    webhook = make_webhook()
    url = WEBHOOKS + path.format(id=webhook.pk, delivery=make_delivery(webhook).pk)
    for role in Role:
        answer = send(everyone[role], method, url, body)
        assert answer.status_code == (good if role.includes(least) else 403), role
        if good == 204 and role.includes(least):
            break
    other = rest_for(tenant.owner, "inbox.webhooks:read inbox.emails" if method != "GET" else "inbox.emails")
    refused = send(other, method, url, body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "insufficient_scope")
    assert send(client, method, url, body).status_code == 401


@pytest.mark.parametrize(("method", "path"), [key for key in OPERATIONS if "{id}" in key[1]])
def test_webhook_of_another_tenant_is_like_one_that_does_not_exist(
    rest_for, tenant, other_tenant, make_webhook, make_delivery, method, path
):
    owner = rest_for(tenant.owner, "inbox.webhooks")
    mine, theirs = make_webhook(), make_webhook(other_tenant.workspace)
    my_delivery, their_delivery = make_delivery(mine), make_delivery(theirs)
    before = Webhook.objects.values().get(pk=theirs.pk), events()
    answers = [
        send(owner, method, WEBHOOKS + path.format(id=webhook, delivery=delivery), OPERATIONS[method, path][2])
        for webhook, delivery in (
            (theirs.pk, their_delivery.pk),
            (theirs.external_id, my_delivery.pk),
            (uuid.uuid4(), my_delivery.pk),
            ("nope", "nope"),
            *([(mine.pk, their_delivery.pk)] if "{delivery}" in path else []),
        )
    ]
    if method == "PUT":
        # An external_id is the caller's own: the other tenant's does not stand in its way.
        assert [answer.status_code for answer in answers] == [201, 200, 201, 404]
    else:
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
        assert events() == before[1]
    assert Webhook.objects.values().get(pk=theirs.pk) == before[0]


@pytest.mark.parametrize(("method", "path"), [("POST", "/{id}"), ("GET", "/{id}/test"), ("PUT", ""), ("DELETE", "")])
def test_other_methods_are_not_allowed(everyone, make_webhook, method, path):
    answer = send(everyone[Role.OWNER], method, WEBHOOKS + path.format(id=make_webhook().pk))
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
