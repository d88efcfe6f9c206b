"""Two at once: on a database where two writers really meet."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection

from inbox.errors import NotFound
from inbox.intake.receive import Envelope, receive
from inbox.models import Email, Inbox, SystemEvent
from inbox.services import inboxes

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time: run on PostgreSQL"),
]


def at_once(job: Callable[[], Any], times: int = 10) -> list[Any]:
    """The results of ``job``, or the exceptions it raised, run by so many threads."""

    def run(_: int) -> Any:
        try:
            return job()
        except (IntegrityError, NotFound) as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))


def test_one_message_delivered_by_ten_at_once_is_stored_once(transactional_db, tenant):
    raw = b"From: a@b.test\r\nMessage-ID: <1@b.test>\r\n\r\nHello"
    receipts = at_once(lambda: receive(raw, Envelope("", (tenant.inbox.email,))))
    assert sorted(len(receipt.stored) for receipt in receipts) == [0] * 9 + [1]
    assert sorted(len(receipt.duplicates) for receipt in receipts) == [0] + [1] * 9
    assert (Email.objects.count(), SystemEvent.objects.count()) == (1, 1)


def test_inbox_deleted_by_ten_at_once_is_deleted_once(transactional_db, tenant):
    results = at_once(lambda: inboxes.delete(tenant.inbox, by=tenant.owner))
    assert sum(isinstance(result, NotFound) for result in results) == 9
    assert SystemEvent.objects.filter(slug="inbox.deleted").count() == 1


def test_one_address_taken_by_ten_at_once_is_one_row(transactional_db, tenant):
    results = at_once(
        lambda: Inbox.objects.create(workspace=tenant.workspace, label="x", email="same@inbox.example").pk
    )
    assert sum(isinstance(result, IntegrityError) for result in results) == 9
    assert Inbox.objects.filter(email="same@inbox.example").count() == 1


def put(client, path, body):
    return client.put(path, body, "application/json")


@pytest.mark.parametrize("family", ["inboxes", "agents"])
def test_twenty_upserts_of_one_external_id_leave_one_row(transactional_db, rest_for, tenant, family):
    client, path = rest_for(tenant.admin), f"/api/v1/{family}/{uuid.uuid4()}"
    body = {"label": "Same"} | ({"llm_model": "m", "system_message": "s"} if family == "agents" else {})
    answers = at_once(lambda: put(client, path, body), 20)
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json()["data"]["id"] for answer in answers}) == 1
    assert SystemEvent.objects.filter(slug__endswith=".created").count() == 1


def test_twenty_creates_of_one_address_give_one_201_and_nineteen_409(transactional_db, rest_for, tenant):
    client, body = rest_for(tenant.admin), {"label": "Same", "email": "same@inbox.example"}
    answers = at_once(lambda: client.post("/api/v1/inboxes", body, "application/json"), 20)
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert Inbox.objects.filter(email="same@inbox.example").count() == 1
