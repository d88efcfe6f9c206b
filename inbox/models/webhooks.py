"""Webhooks: who is told of events, and each attempt to tell them. Secrets are kept sealed (inbox.secrets)."""

from typing import Self

from django.db import models

from inbox.models.base import LIVE, DeletableMixin, ExternallyNamed, TenantQuerySet, TenantRow
from inbox.models.events import SystemEvent
from inbox.models.inboxes import Inbox

#: Columns that hold ciphertext. No list, answer, admin page or log shows them, not even sealed.
SEALED = ("sealed_credentials", "sealed_signing_secret")


class WebhookQuerySet(TenantQuerySet["Webhook"]):
    """The only way other code reads webhooks."""

    def live(self) -> Self:
        return self.filter(LIVE)

    def without_secrets(self) -> Self:
        """For everything but signing, sending and rotating keys."""
        return self.defer(*SEALED)

    def sealed(self) -> Self:
        """Those that hold a secret: deleted ones hold none."""
        return self.exclude(sealed_signing_secret="")

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends; rows that refer to them may come."""
        return self.select_for_update(of=("self",), no_key=True)


class WebhookStatus(models.TextChoices):
    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Inactive: nothing is sent"


class WebhookAuth(models.TextChoices):
    """How our request proves itself to the target, besides its signature."""

    NONE = "none", "None"
    BASIC = "basic", "Basic: user and password"
    BEARER = "bearer", "Bearer token"
    HEADER = "header", "A header of its own"


class Webhook(TenantRow, ExternallyNamed, DeletableMixin):
    """A subscription: which events go to which address, and what the requests prove themselves with."""

    inbox = models.ForeignKey(Inbox, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)
    label = models.TextField()
    url = models.URLField(max_length=2048)
    status = models.CharField(max_length=10, choices=WebhookStatus, default=WebhookStatus.ACTIVE)
    auth = models.CharField(max_length=10, choices=WebhookAuth, default=WebhookAuth.NONE)
    subscribed_events = models.JSONField(default=list, blank=True)
    consecutive_failures = models.PositiveIntegerField(default=0)
    sealed_credentials = models.TextField(blank=True, editable=False)
    sealed_signing_secret = models.TextField(editable=False)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("workspace", "external_id"), condition=LIVE, name="inbox_webhook_external_id"
            ),
        )
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_webhook_newest"),
            models.Index(fields=("workspace", "status", "-created_at", "-id"), name="inbox_webhook_by_status"),
            models.Index(fields=("inbox", "-created_at", "-id"), name="inbox_webhook_by_inbox"),
        )

    def __str__(self) -> str:
        return self.label


class DeliveryQuerySet(TenantQuerySet["WebhookDelivery"]):
    """The only way other code reads deliveries."""

    def of_webhook(self, webhook: Webhook) -> Self:
        return self.filter(webhook=webhook)

    def of_event(self, event_id: object) -> Self:
        return self.filter(system_event=event_id)

    def pending(self) -> Self:
        return self.filter(status=DeliveryStatus.PENDING)

    def without_bodies(self) -> Self:
        """For lists: payloads and answers can be long."""
        return self.defer("request_body", "response_body")

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends."""
        return self.select_for_update(of=("self",), no_key=True)


class DeliveryStatus(models.TextChoices):
    PENDING = "pending", "Pending"
    SUCCESS = "success", "Success"
    FAILED = "failed", "Failed"


class WebhookDelivery(TenantRow):
    """One attempt to tell one webhook of one event. Its workspace is its webhook's."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="+", db_index=False)
    system_event = models.ForeignKey(SystemEvent, models.PROTECT, related_name="+", db_index=False)
    attempt = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=10, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    request_headers = models.JSONField(default=dict, blank=True)
    request_body = models.JSONField(default=dict, blank=True)
    response_status = models.PositiveIntegerField(null=True, blank=True)
    response_headers = models.JSONField(null=True, blank=True)
    response_body = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "no answer"
    error = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "none"
    duration_ms = models.PositiveBigIntegerField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    next_retry_at = models.DateTimeField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = (
            # What runs twice at once may not send an attempt twice.
            models.UniqueConstraint(fields=("system_event", "webhook", "attempt"), name="inbox_delivery_once"),
        )
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_delivery_newest"),
            models.Index(fields=("webhook", "-created_at", "-id"), name="inbox_delivery_by_webhook"),
            models.Index(fields=("webhook", "status", "-created_at", "-id"), name="inbox_delivery_by_status"),
        )

    def __str__(self) -> str:
        return f"Attempt {self.attempt}: {self.status}"
