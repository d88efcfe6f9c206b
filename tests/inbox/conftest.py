"""Rows that tests of the host ask for, and mail written on the spot."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from inbox.intake.receive import Envelope, Receipt, receive
from inbox.models import Agent, AgentRun, Email, Inbox, SystemEvent, Webhook, WebhookDelivery, Workspace
from inbox.services import webhooks
from tests.inbox.rows import make_rows


@pytest.fixture
def made_rows(tenant: Any) -> dict[str, Any]:
    """One row of every kind in the tenant's workspace."""
    return make_rows(tenant)


@pytest.fixture
def make_email(db: None) -> Callable[..., Email]:
    """Makes rows as mail would: ``make_email(inbox, subject="Hi", minutes_ago=5)``."""

    def make(inbox: Inbox, *, minutes_ago: int = 0, **fields: Any) -> Email:
        moment = timezone.now() - timedelta(minutes=minutes_ago)
        made = Email.objects.create(
            **{
                "workspace": inbox.workspace,
                "inbox": inbox,
                "message_id": f"<{timezone.now().timestamp()}@tests.example>",
                "raw_s3_key": "mail/none.eml",
                "subject": "Hello",
                "sender": "writer@example.com",
                "to": [inbox.email],
                "body_text": "Text of the body",
                "created_at": moment,
                "received_at": moment,
                **fields,
            }
        )
        return made

    return make


@pytest.fixture
def deliver(tenant: Any) -> Callable[..., Receipt]:
    """Sends raw bytes to the tenant's inbox, or to the addresses that are given."""

    def send(raw: bytes, *to: str, mail_from: str = "") -> Receipt:
        return receive(raw, Envelope(mail_from, to or (tenant.inbox.email,)))

    return send


@pytest.fixture
def deliver_one(deliver: Callable[..., Receipt]) -> Callable[..., Email]:
    """The row that ``deliver`` stored, as the database gives it back."""

    def send(raw: bytes, *to: str, mail_from: str = "") -> Email:
        (stored,) = deliver(raw, *to, mail_from=mail_from).stored
        return Email.objects.get(pk=stored.pk)

    return send


@pytest.fixture
def second_inbox(tenant: Any) -> Inbox:
    return Inbox.objects.create(workspace=tenant.workspace, label="Second", email="second@inbox.example")


@pytest.fixture
def make_webhook(tenant: Any) -> Callable[..., Webhook]:
    """Makes webhooks as the API would: ``make_webhook(workspace, label="Hook")``; the tenant's, if none is named."""

    def make(workspace: Workspace | None = None, **given: Any) -> Webhook:
        fields = {"label": "Hook", "url": "https://hooks.example.com/in", **given}
        return webhooks.create(workspace or tenant.workspace, fields, by=tenant.owner).webhook

    return make


@pytest.fixture
def make_delivery(db: None) -> Callable[..., WebhookDelivery]:
    """Makes rows as a worker would, each of an event of its own: ``make_delivery(webhook, status="failed")``."""

    def make(webhook: Webhook, **fields: Any) -> WebhookDelivery:
        event = SystemEvent.objects.create(workspace=webhook.workspace, slug="email.received", payload={"email": {}})
        return WebhookDelivery.objects.create(
            **{"workspace": webhook.workspace, "webhook": webhook, "system_event": event, **fields}
        )

    return make


@pytest.fixture
def make_run(make_email: Callable[..., Email]) -> Callable[..., AgentRun]:
    """Makes rows as an agent's work would: ``make_run(inbox, status="failed")``."""

    def make(inbox: Inbox, **fields: Any) -> AgentRun:
        workspace = inbox.workspace
        agent = fields.pop("agent", None) or Agent.objects.create(
            workspace=workspace, label="Reader", llm_model="local"
        )
        email = fields.pop("email", None) or make_email(inbox)
        return AgentRun.objects.create(
            **{"workspace": workspace, "inbox": inbox, "agent": agent, "email": email, "llm_model": "local", **fields}
        )

    return make
