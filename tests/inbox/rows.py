"""One row of every kind that a path can name."""

import uuid
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from inbox.models import Agent, AgentRun, Email, SystemEvent, Webhook, WebhookDelivery
from tests.conftest import Tenant


def make_rows(tenant: Tenant) -> dict[str, Any]:
    """One row of every kind that a path can name."""
    workspace, inbox = tenant.workspace, tenant.inbox
    agent = Agent.objects.create(workspace=workspace, label="A", llm_model="m", system_message="s")
    key = default_storage.save(f"mail/{uuid.uuid4()}.eml", ContentFile(b"Subject: x\r\n\r\nx"))
    mail = Email.objects.create(
        workspace=workspace, inbox=inbox, message_id="<1@x.example>", raw_s3_key=key, sender="a@x.example"
    )
    event = SystemEvent.objects.create(workspace=workspace, inbox=inbox, email=mail, slug="email.received")
    run = AgentRun.objects.create(workspace=workspace, inbox=inbox, agent=agent, email=mail, llm_model="m")
    hook = Webhook.objects.create(workspace=workspace, label="H", url="https://hooks.example.com/x")
    delivery = WebhookDelivery.objects.create(workspace=workspace, webhook=hook, system_event=event)
    return {
        "workspace": workspace,
        "inbox": inbox,
        "agent": agent,
        "email": mail,
        "system_event": event,
        "agent_run": run,
        "webhook": hook,
        "delivery": delivery,
    }
