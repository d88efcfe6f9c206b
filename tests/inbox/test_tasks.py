"""The background: enqueued when the change is written, never before, and of no harm when it runs twice."""

import json
import logging

import pytest
from django.core.management import call_command
from django.db import transaction

from inbox import tasks
from inbox.models import SystemEvent, WebhookDelivery
from inbox.services import webhooks

#: ``django.tasks``, or ``django_tasks`` where Django has none.
FRAMEWORK = tasks.task.__module__.rpartition(".")[0]


@pytest.fixture
def dummy_queue(settings):
    """Keeps what is enqueued, and runs nothing."""
    settings.TASKS = {"default": {"BACKEND": f"{FRAMEWORK}.backends.dummy.DummyBackend"}}
    return tasks.deliver.get_backend()


@pytest.fixture
def immediate_queue(settings):
    settings.TASKS = {"default": {"BACKEND": f"{FRAMEWORK}.backends.immediate.ImmediateBackend"}}


def queued(queue) -> list[tuple]:
    return [(result.task.module_path, *result.args) for result in queue.results]


def test_test_and_replay_are_enqueued_once_when_they_are_written(
    tenant, make_webhook, dummy_queue, django_capture_on_commit_callbacks
):
    webhook = make_webhook()
    with django_capture_on_commit_callbacks(execute=True):
        webhooks.test(webhook, by=tenant.owner)
        first = WebhookDelivery.objects.get()
        second = webhooks.replay(first, by=tenant.owner)
        assert queued(dummy_queue) == []
    assert queued(dummy_queue) == [("inbox.tasks.deliver", str(delivery.pk)) for delivery in (first, second)]


def test_what_is_rolled_back_is_not_enqueued(tenant, make_webhook, dummy_queue, django_capture_on_commit_callbacks):
    webhook = make_webhook()
    before = SystemEvent.objects.count()
    with (
        django_capture_on_commit_callbacks(execute=True) as callbacks,
        pytest.raises(RuntimeError),
        transaction.atomic(),
    ):
        webhooks.test(webhook, by=tenant.owner)
        raise RuntimeError
    assert callbacks == []
    assert (queued(dummy_queue), SystemEvent.objects.count()) == ([], before)


def test_running_a_task_again_and_again_is_as_running_it_once(
    tenant, make_webhook, immediate_queue, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        webhooks.test(make_webhook(), by=tenant.owner)
    (once,) = WebhookDelivery.objects.values()
    assert once["request_body"]["event"]["slug"] == "webhook.test"
    for _ in range(2):
        tasks.deliver.enqueue(str(once["id"]))
    assert list(WebhookDelivery.objects.values()) == [once]


@pytest.mark.django_db(transaction=True)
def test_queue_that_is_down_is_logged_and_loses_nothing(rest_for, tenant, make_webhook, monkeypatch, caplog):
    def down(*args, **kwargs):
        raise ConnectionError("no queue")

    monkeypatch.setattr(type(tasks.deliver.get_backend()), "enqueue", down)
    rest = rest_for(tenant.operator, "inbox.webhooks")
    with caplog.at_level(logging.ERROR):
        answer = rest.post(f"/api/v1/webhooks/{make_webhook().pk}/test", json.dumps({}), "application/json")
    assert answer.status_code == 202
    assert "no queue" in caplog.text
    assert WebhookDelivery.objects.get().status == "pending"


@pytest.mark.django_db(transaction=True)
def test_embedded_queue_hands_what_is_committed_to_its_worker(tenant, make_webhook):
    webhooks.test(make_webhook(), by=tenant.owner)
    assert WebhookDelivery.objects.get().request_body == {}
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0)
    assert WebhookDelivery.objects.get().request_body["event"]["slug"] == "webhook.test"
