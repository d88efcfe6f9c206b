"""Deliveries over REST: the log of one webhook, and sending an event once more."""

import json
import uuid

import pytest
from django.utils import timezone

from inbox.errors import NotFound
from inbox.models import SystemEvent, WebhookDelivery
from inbox.services import deliveries, webhooks

FIELDS = {
    *("id", "webhook_id", "system_event_id", "attempt", "status", "request_headers", "response_status"),
    *("response_headers", "error", "duration_ms", "delivered_at", "next_retry_at", "created_at", "updated_at"),
}
BODIES = {"request_body", "response_body"}


@pytest.fixture
def operator(rest_for, tenant):
    return rest_for(tenant.operator, "inbox.webhooks:write")


@pytest.fixture
def webhook(make_webhook):
    return make_webhook(external_id=uuid.uuid4(), auth="bearer", auth_bearer_token="do-not-show")


def path(webhook, delivery="", operation: str = "") -> str:
    parts = [str(webhook.pk), "deliveries", str(getattr(delivery, "pk", delivery)), operation]
    return "/api/v1/webhooks/" + "/".join(filter(None, parts))


def replay(client, webhook, delivery):
    return client.post(path(webhook, delivery, "replay"), content_type="application/json")


def test_list_leaves_bodies_out_and_get_has_them(operator, webhook, make_delivery):
    delivery = make_delivery(webhook, request_body={"event": {}}, response_body="ok", response_status=200)
    (listed,) = operator.get(path(webhook)).json()["data"]
    assert set(listed) == FIELDS
    shown = operator.get(path(webhook, delivery)).json()["data"]
    assert set(shown) == FIELDS | BODIES
    assert (shown["request_body"], shown["response_body"]) == ({"event": {}}, "ok")
    assert shown["webhook_id"] == str(webhook.pk)


def test_list_is_newest_first_by_id_and_external_id(operator, webhook, make_webhook, make_delivery):
    made = [str(make_delivery(webhook).pk) for _ in range(3)]
    make_delivery(make_webhook())
    for key in (webhook.pk, webhook.external_id):
        page = operator.get(f"/api/v1/webhooks/{key}/deliveries").json()
        assert [row["id"] for row in page["data"]] == made[::-1]
        assert page["meta"] == {"next_cursor": None}


def test_walk_by_cursor_sees_each_delivery_once_and_stays_with_its_webhook(
    operator, webhook, make_webhook, make_delivery
):
    made = [str(make_delivery(webhook).pk) for _ in range(5)]
    seen, cursor = [], ""
    while cursor is not None:
        page = operator.get(f"{path(webhook)}?limit=2{cursor and f'&cursor={cursor}'}").json()
        seen += [row["id"] for row in page["data"]]
        last, cursor = cursor, page["meta"]["next_cursor"]
    assert seen == made[::-1]
    assert operator.get(f"{path(make_webhook())}?limit=2&cursor={last}").status_code == 400


def test_filter_by_status(operator, webhook, make_delivery):
    made = {status: str(make_delivery(webhook, status=status).pk) for status in ("pending", "success", "failed")}
    for status, key in made.items():
        assert [row["id"] for row in operator.get(f"{path(webhook)}?status={status}").json()["data"]] == [key]
    assert operator.get(f"{path(webhook)}?status=done&limit=0&x=1").status_code == 400


def test_query_string_is_judged_before_the_webhook_is_looked_for(operator, webhook):
    missing = f"/api/v1/webhooks/{uuid.uuid4()}/deliveries"
    assert operator.get(f"{missing}?status=done").status_code == 400
    assert operator.get(missing).status_code == 404


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *[(name, True) for name in ("Content-Type", "webhook-id", "Webhook-Timestamp", "user-agent")],
        *[(name, False) for name in ("Authorization", "webhook-signature", "X-Key", "Cookie", "proxy-authorization")],
    ],
)
def test_request_headers_show_nothing_but_what_is_known_to_be_harmless(operator, webhook, make_delivery, name, shown):
    delivery = make_delivery(webhook, request_headers={name: "value"}, response_headers={"Set-Cookie": "s", "X": "y"})
    for row in (operator.get(path(webhook, delivery)).json()["data"], operator.get(path(webhook)).json()["data"][0]):
        assert row["request_headers"] == {name: "value" if shown else "•••"}
        assert row["response_headers"] == {"Set-Cookie": "•••", "X": "y"}


@pytest.mark.parametrize(
    ("stored", "length"), [("x" * 4096, 4096), ("x" * 100_000, 4096), ("é" * 5000, 2048), ("x" + "é" * 5000, 2048)]
)
def test_response_body_is_cut_at_four_kilobytes_between_characters(operator, webhook, make_delivery, stored, length):
    delivery = make_delivery(webhook, response_body=stored)
    shown = operator.get(path(webhook, delivery)).json()["data"]["response_body"]
    assert shown == stored[:length]
    assert len(shown.encode()) <= 4096


def test_list_costs_the_same_for_one_row_and_for_many_and_reads_no_body(
    operator, webhook, make_delivery, django_assert_num_queries
):
    for count in (1, 20):
        for _ in range(count):
            make_delivery(webhook)
        with django_assert_num_queries(4) as captured:
            operator.get(path(webhook))
        assert "_body" not in captured.captured_queries[-1]["sql"]


@pytest.mark.parametrize("status", ["pending", "success", "failed"])
def test_replay_is_a_new_attempt_of_the_same_event(operator, tenant, webhook, make_delivery, status):
    first = make_delivery(webhook, status=status, attempt=7, response_body="no", error="refused")
    answer = replay(operator, webhook, first)
    assert answer.status_code == 202
    made = answer.json()["data"]
    assert set(made) == FIELDS | BODIES
    assert (made["attempt"], made["status"], made["error"], made["response_body"]) == (8, "pending", None, None)
    assert made["system_event_id"] == str(first.system_event_id)
    assert replay(operator, webhook, first).json()["data"]["attempt"] == 9
    first.refresh_from_db()
    assert (first.status, first.attempt) == (status, 7)
    told = SystemEvent.objects.filter(slug="webhook.replay_requested").earliest("id").payload
    assert told["delivery"] == {"id": made["id"], "attempt": 8}
    assert told["event"] == {"id": str(first.system_event_id), "slug": "email.received"}
    assert told["by"]["email"] == tenant.operator.email


@pytest.mark.parametrize("body", [{"attempt": 1}, [], 1])
def test_replay_takes_no_body(operator, webhook, make_delivery, body):
    answer = operator.post(path(webhook, make_delivery(webhook), "replay"), json.dumps(body), "application/json")
    assert answer.status_code == 400
    assert WebhookDelivery.objects.count() == 1


def test_delivery_of_another_webhook_is_not_found(operator, webhook, make_webhook, make_delivery):
    elsewhere = make_delivery(make_webhook())
    unknown = operator.get(path(webhook, uuid.uuid4()))
    assert unknown.status_code == 404
    assert operator.get(path(webhook, elsewhere)).content == unknown.content
    assert replay(operator, webhook, elsewhere).content == unknown.content
    assert WebhookDelivery.objects.count() == 1


def test_replay_of_a_webhook_that_was_deleted_meanwhile_is_not_found(tenant, webhook, make_delivery):
    delivery = make_delivery(webhook)
    webhooks.delete(webhook, by=tenant.owner)
    with pytest.raises(NotFound):
        webhooks.replay(delivery, by=tenant.owner)
    assert WebhookDelivery.objects.count() == 1


def test_prepared_delivery_says_what_it_will_send_and_hides_how_it_proves_itself(webhook, make_delivery):
    delivery = make_delivery(webhook)
    deliveries.prepare(str(delivery.pk))
    delivery.refresh_from_db()
    workspace = webhook.workspace
    assert delivery.request_body == {
        "event": {"slug": "email.received", "id": str(delivery.system_event_id)},
        "workspace": {
            "id": str(workspace.pk),
            "external_id": str(workspace.external_id),
            "label": workspace.label,
        },
        "data": {"email": {}},
    }
    assert delivery.request_headers == {
        "Content-Type": "application/json",
        "webhook-id": str(delivery.system_event_id),
        "Authorization": "•••",
    }
    assert delivery.status == "pending"


def test_preparing_twice_or_too_late_changes_nothing(webhook, make_delivery):
    prepared, done = make_delivery(webhook), make_delivery(webhook, status="success")
    for _ in range(2):
        for key in (prepared.pk, done.pk, uuid.uuid4()):
            deliveries.prepare(str(key))
        state = list(WebhookDelivery.objects.order_by("pk").values())
    deliveries.prepare(str(prepared.pk))
    assert list(WebhookDelivery.objects.order_by("pk").values()) == state
    assert (state[1]["request_body"], state[1]["updated_at"]) == ({}, done.updated_at)


def test_times_are_in_utc(operator, webhook, make_delivery):
    moment = timezone.now()
    delivery = make_delivery(webhook, delivered_at=moment, next_retry_at=moment)
    shown = operator.get(path(webhook, delivery)).json()["data"]
    assert {shown[name][-1] for name in ("delivered_at", "next_retry_at", "created_at", "updated_at")} == {"Z"}
