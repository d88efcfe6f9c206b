"""Many at once on one webhook: on a database where two writers really meet."""

import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from inbox.errors import DomainError
from inbox.models import SystemEvent, Webhook, WebhookDelivery
from inbox.services import credentials, deliveries, rotation, webhooks

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time: run on PostgreSQL"),
]

BODY = {"label": "Orders", "url": "https://hooks.example.com/", "auth": "bearer", "auth_bearer_token": "t"}


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """The results of the jobs, or what they refused with, each in a thread of its own."""

    def run(job: Callable[[], Any]) -> Any:
        try:
            return job()
        except DomainError as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


@pytest.fixture
def admin(rest_for, tenant):
    return rest_for(tenant.admin, "inbox.webhooks")


def test_twenty_upserts_at_once_leave_one_webhook_that_says_it_was_made_once(admin):
    key = uuid.uuid4()
    answers = at_once(*[lambda: admin.put(f"/api/v1/webhooks/{key}", json.dumps(BODY), "application/json")] * 20)
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert {answer.json()["data"]["id"] for answer in answers} == {str(Webhook.objects.get().pk)}
    (secret,) = (data["signing_secret"] for answer in answers if "signing_secret" in (data := answer.json()["data"]))
    assert credentials.signing_secret(Webhook.objects.get()) == secret
    assert list(SystemEvent.objects.values_list("slug", flat=True)) == ["webhook.created"]


def test_twenty_creates_of_one_external_id_at_once_are_one_webhook_and_nineteen_conflicts(admin):
    body = json.dumps({**BODY, "external_id": str(uuid.uuid4())})
    answers = at_once(*[lambda: admin.post("/api/v1/webhooks", body, "application/json")] * 20)
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert Webhook.objects.count() == SystemEvent.objects.count() == 1


def test_replays_at_once_are_attempts_of_different_numbers(tenant, make_webhook, make_delivery):
    delivery = make_delivery(make_webhook())
    at_once(*[lambda: webhooks.replay(delivery, by=tenant.owner)] * 10)
    assert sorted(WebhookDelivery.objects.values_list("attempt", flat=True)) == list(range(1, 12))


def test_webhook_deleted_by_ten_at_once_is_deleted_once_and_leaves_nothing_pending(tenant, make_webhook, make_delivery):
    webhook = make_webhook()
    delivery = make_delivery(webhook)
    results = at_once(
        *[lambda: webhooks.delete(webhook, by=tenant.owner)] * 10,
        *[lambda: webhooks.replay(delivery, by=tenant.owner)] * 5,
        *[lambda: webhooks.test(webhook, by=tenant.owner)] * 5,
    )
    assert results[:10].count("not_found") == 9
    assert SystemEvent.objects.filter(slug="webhook.deleted").count() == 1
    assert not WebhookDelivery.objects.pending().exists()


def test_secret_that_is_replaced_while_keys_are_rotated_is_not_lost(tenant, make_webhook):
    webhook = make_webhook()
    results = at_once(*[lambda: webhooks.regenerate_secret(webhook, by=tenant.owner), rotation.rotate] * 5)
    assert credentials.signing_secret(Webhook.objects.get()) in results


def test_one_delivery_prepared_by_ten_at_once_is_prepared_once(make_webhook, make_delivery):
    delivery = make_delivery(make_webhook())
    at_once(*[lambda: deliveries.prepare(str(delivery.pk))] * 10)
    assert WebhookDelivery.objects.get().request_body["event"]["id"] == str(delivery.system_event_id)
