"""Emails: what arrived at an inbox, as far as it could be read. The raw message lies in storage."""

from datetime import datetime
from typing import Self

from django.db import models
from django.utils import timezone

from inbox.models.agents import Agent
from inbox.models.base import TenantQuerySet, TenantRow
from inbox.models.inboxes import Inbox


class EmailQuerySet(TenantQuerySet["Email"]):
    """The only way other code reads emails."""

    def without_body(self) -> Self:
        """For lists: bodies can be megabytes long."""
        return self.defer("body_text", "body_html")

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends; rows that refer to them may come."""
        return self.select_for_update(of=("self",), no_key=True)

    def of_message(self, inbox: Inbox, message_id: str, since: datetime) -> Self:
        """What this inbox received under this Message-ID since then."""
        return self.filter(inbox=inbox, message_id=message_id, received_at__gte=since)


class EmailStatus(models.TextChoices):
    RECEIVED = "received", "Received"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    PROCESSING = "processing", "Processing"
    PROCESSED = "processed", "Processed"
    FAILED = "failed", "Failed"


class Email(TenantRow):
    """One message at one inbox. Addresses are lower case, domains in their ASCII form, without display names."""

    inbox = models.ForeignKey(Inbox, models.PROTECT, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    message_id = models.CharField(max_length=500)
    raw_s3_key = models.CharField(max_length=300)
    subject = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "no subject line" in the API
    sender = models.CharField(max_length=320)
    to = models.JSONField(default=list, blank=True)
    cc = models.JSONField(default=list, blank=True)
    bcc = models.JSONField(default=list, blank=True)
    header_to = models.JSONField(default=list, blank=True)
    forwarded = models.BooleanField(default=False)
    forwarded_for = models.CharField(max_length=320, null=True, blank=True)  # noqa: DJ001
    attachments = models.JSONField(default=list, blank=True)
    body_text = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "no such part"
    body_html = models.TextField(null=True, blank=True)  # noqa: DJ001
    status = models.CharField(max_length=10, choices=EmailStatus, default=EmailStatus.RECEIVED)
    rejection_reason = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001
    spam_verdict = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    virus_verdict = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    aws_ses_metadata = models.JSONField(default=dict, blank=True)
    custom_metadata = models.JSONField(default=dict, blank=True)
    agent_metadata = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    processed_at = models.DateTimeField(null=True, blank=True)

    objects = EmailQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_email_newest"),
            models.Index(fields=("workspace", "status", "-created_at", "-id"), name="inbox_email_by_status"),
            models.Index(fields=("workspace", "sender", "-created_at", "-id"), name="inbox_email_by_sender"),
            models.Index(fields=("workspace", "-received_at"), name="inbox_email_by_arrival"),
            models.Index(fields=("inbox", "-created_at", "-id"), name="inbox_email_by_inbox"),
            models.Index(fields=("agent", "-created_at", "-id"), name="inbox_email_by_agent"),
            models.Index(fields=("inbox", "message_id"), name="inbox_email_by_message_id"),
        )

    def __str__(self) -> str:
        return self.subject or self.message_id
