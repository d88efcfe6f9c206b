"""The one door for mail: raw message into storage first, then one transaction with the rows and their events."""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from inbox import conf
from inbox.intake.addresses import canonical
from inbox.intake.message import ParsedMessage, parse
from inbox.models import Email, Inbox
from inbox.models.base import new_id
from inbox.services import events

logger = logging.getLogger(__name__)

#: Stands where a message does not say who wrote it: an address that can belong to nobody (RFC 2606).
NOBODY = "unknown@sender.invalid"


@dataclass(frozen=True)
class Envelope:
    """What the mail server was told.

    Args:
        mail_from: MAIL FROM; empty for a bounce.
        rcpt_to: every RCPT TO.
    """

    mail_from: str
    rcpt_to: tuple[str, ...]


@dataclass
class Receipt:
    """What became of one message.

    Args:
        stored: a row for each inbox it reached.
        duplicates: the rows of inboxes that had it already.
        unknown: recipients that are no inbox, as they were written.
    """

    stored: list[Email] = field(default_factory=list)
    duplicates: list[Email] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def receive(raw: bytes, envelope: Envelope, *, received_at: datetime | None = None) -> Receipt:
    """Takes in one message for every inbox among the envelope's recipients.

    Args:
        raw: the message as it came.
        envelope: who sent it to whom.
        received_at: time of arrival; now, if not given.

    Raises what storage and database raise; then nothing was accepted and it may be tried again.
    """
    known = {address: canonical(address) for address in envelope.rcpt_to}
    recipients = list(dict.fromkeys(filter(None, known.values())))
    inboxes = list(Inbox.objects.receiving(recipients).order_by("pk"))
    reached = {inbox.email for inbox in inboxes}
    receipt = Receipt(unknown=[written for written, address in known.items() if address not in reached])
    if not inboxes:
        return receipt
    message = parse(raw[: conf.parse_bytes()])
    if len(raw) > conf.parse_bytes():
        message.faults.append(f"message: only its first {conf.parse_bytes()} bytes were read")
    moment = received_at or timezone.now()
    key = default_storage.save(f"mail/{moment:%Y/%m/%d}/{new_id()}.eml", ContentFile(raw))
    arrival = _Arrival(message, envelope, recipients, key, moment)
    try:
        with transaction.atomic():
            for inbox in inboxes:
                arrival.store(inbox, receipt)
    except BaseException:
        _forget(key)
        raise
    if not receipt.stored:
        _forget(key)
    return receipt


@dataclass(frozen=True)
class _Arrival:
    """One message on its way into rows."""

    message: ParsedMessage
    envelope: Envelope
    recipients: list[str]
    raw_key: str
    moment: datetime

    def store(self, inbox: Inbox, receipt: Receipt) -> None:
        """Into one inbox, unless it has it already. Two deliveries at once wait for each other at the inbox's row."""
        held = Inbox.objects.live().locked().select_related("workspace").filter(pk=inbox.pk).first()
        if held is None:
            receipt.unknown.append(inbox.email)
            return
        since = self.moment - timedelta(days=conf.duplicate_days())
        known = Email.objects.of_message(held, self.message.message_id, since).without_body().first()
        if known is not None:
            receipt.duplicates.append(known)
            return
        email = Email.objects.create(inbox=held, workspace=held.workspace, **self._columns(held))
        told = {"id": str(email.pk), "message_id": email.message_id, "from": email.sender, "subject": email.subject}
        events.record("email.received", held.workspace, inbox=held, email=email, payload={"email": told})
        receipt.stored.append(email)

    def _columns(self, inbox: Inbox) -> dict[str, Any]:
        """What the message and its envelope say."""
        message = self.message
        forwarded = message.is_relayed or inbox.email not in message.to
        outside = (address for address in message.to if address not in self.recipients)
        return {
            "agent_id": inbox.agent_id,
            "message_id": message.message_id,
            "raw_s3_key": self.raw_key,
            "subject": message.subject,
            "sender": message.sender.address if message.sender else canonical(self.envelope.mail_from) or NOBODY,
            "to": self._shown_to(inbox),
            "cc": message.cc,
            "bcc": message.bcc,
            "header_to": message.to,
            "forwarded": forwarded,
            "forwarded_for": next(outside, None) if forwarded else None,
            "attachments": message.attachments,
            "body_text": message.text,
            "body_html": message.html,
            "spam_verdict": message.spam_verdict,
            "virus_verdict": message.virus_verdict,
            "metadata": self._notes(),
            "sent_at": message.sent_at or self.moment,
            "received_at": self.moment,
        }

    def _notes(self) -> dict[str, Any]:
        sender = self.message.sender
        notes: dict[str, Any] = {"from_name": sender.name[:200]} if sender and sender.name else {}
        return {**notes, "parse_faults": self.message.faults} if self.message.faults else notes

    def _shown_to(self, inbox: Inbox) -> list[str]:
        """The envelope's recipients as one tenant may see them: a blind copy to another tenant is not for its eyes."""
        own = Inbox.objects.within(inbox.workspace).receiving(self.recipients).values_list("email", flat=True)
        return [address for address in self.recipients if address in set(own)]


def _forget(key: str) -> None:
    """Removes a raw message that no row refers to. An orphan does no harm, so a failure here hides nothing else."""
    try:
        default_storage.delete(key)
    except OSError:
        logger.warning("The unused raw message %s could not be removed", key)
