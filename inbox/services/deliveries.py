"""Deliveries of webhooks: one row per attempt. What is sent is a row first, so that no queue can lose it."""

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from inbox.models import DeliveryStatus, SystemEvent, Webhook, WebhookDelivery
from inbox.services import credentials

MASK = "•••"
CANCELLED = "Cancelled: the webhook was deleted."
#: The only headers whose values may be shown: whatever else a request holds may be a credential or the signature.
SHOWN = frozenset(
    {
        *("accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"),
        *("webhook-id", "webhook-timestamp"),
    }
)


def add(webhook: Webhook, event: SystemEvent) -> WebhookDelivery:
    """The next attempt to tell ``webhook`` of ``event``, pending. The caller holds the webhook's row locked."""
    earlier = WebhookDelivery.objects.of_webhook(webhook).of_event(event.pk)
    last = earlier.aggregate(last=models.Max("attempt"))["last"] or 0
    return WebhookDelivery.objects.create(
        workspace_id=webhook.workspace_id, webhook=webhook, system_event=event, attempt=last + 1
    )


@transaction.atomic
def prepare(delivery_id: str) -> None:
    """Writes down what a pending delivery will send. Nothing happens to one that is gone, done or prepared already."""
    held = WebhookDelivery.objects.pending().locked().filter(pk=delivery_id)
    delivery = held.select_related("webhook", "system_event", "workspace").first()
    if delivery is None or delivery.request_body:
        return
    event, workspace = delivery.system_event, delivery.workspace
    delivery.request_body = {
        "event": {"slug": event.slug, "id": str(event.pk)},
        "workspace": {
            "id": str(workspace.pk),
            "external_id": str(workspace.external_id),
            "label": workspace.label,
        },
        "data": event.payload,
    }
    headers = {"Content-Type": "application/json", "webhook-id": str(event.pk)}
    delivery.request_headers = masked({**headers, **credentials.authorization(delivery.webhook)})
    delivery.save(update_fields=["request_body", "request_headers", "updated_at"])


def cancel_pending(webhook: Webhook) -> None:
    """What was not sent yet is not sent any more."""
    WebhookDelivery.objects.of_webhook(webhook).pending().update(
        status=DeliveryStatus.FAILED, error=CANCELLED, next_retry_at=None, updated_at=timezone.now()
    )


def masked(headers: Mapping[str, Any]) -> dict[str, Any]:
    """The headers of a request as they may be kept and shown."""
    return {name: value if name.lower() in SHOWN else MASK for name, value in headers.items()}
