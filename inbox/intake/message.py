"""One raw message as the fields of an Email. Whatever the bytes, there is an answer; what is amiss is told in it."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from inbox.intake import mime, parts
from inbox.intake.addresses import Mailbox
from inbox.intake.addresses import parse as parse_addresses
from inbox.intake.text import decode_words, one_line

#: Headers that a forwarding mail server leaves.
FORWARDING = ("Delivered-To", "X-Forwarded-To", "X-Original-To", "Resent-To")
MOST_FAULTS = 20
SUBJECT_CHARACTERS = 2_000


@dataclass
class ParsedMessage:
    """What a message says of itself; every text is storable.

    Args:
        sender: the first address that says who wrote it; None where there is none.
        is_relayed: a forwarding mail server left its mark.
        delivered_to: the addresses those marks name, for a door that was not told the envelope.
        sent_at: the claimed date; None where there is none that can be read.
        faults: what could not be read, at most 20.
    """

    message_id: str
    subject: str | None
    sender: Mailbox | None
    to: list[str]
    cc: list[str]
    bcc: list[str]
    is_relayed: bool
    delivered_to: list[str]
    sent_at: datetime | None
    text: str | None
    html: str | None
    attachments: list[dict[str, Any]]
    spam_verdict: str | None
    virus_verdict: str | None
    faults: list[str] = field(default_factory=list)


def parse(raw: bytes) -> ParsedMessage:
    """Reads a raw message. Never raises over what it holds."""
    message, faults = mime.parse(raw)
    content = parts.read(message)
    head = _Head(message, faults)
    found = ParsedMessage(
        message_id=head.message_id(raw),
        subject=head.subject(),
        sender=head.sender(),
        to=head.addresses("To"),
        cc=head.addresses("Cc"),
        bcc=head.addresses("Bcc"),
        is_relayed=any(head.message.get(name) is not None for name in FORWARDING),
        delivered_to=[address for name in FORWARDING for address in head.addresses(name)],
        sent_at=head.sent_at(),
        text=content.text,
        html=content.html,
        attachments=content.attachments,
        spam_verdict=head.word("X-SES-Spam-Verdict"),
        virus_verdict=head.word("X-SES-Virus-Verdict"),
    )
    every = dict.fromkeys([*faults, *content.faults])
    found.faults = [fault[:200] for fault in every][:MOST_FAULTS]
    return found


class _Head:
    """Reads header fields of one message and notes what is wrong with them."""

    def __init__(self, message: Message, faults: list[str]) -> None:
        self.message = message
        self.faults = faults

    def text(self, name: str) -> str | None:
        """The first field of this name."""
        value = self.message.get(name)
        if value is None:
            return None
        if len(value) >= mime.HEADER_CHARACTERS:
            self.faults.append(f"{name.lower()}: too long, its beginning was read")
        return str(value)

    def word(self, name: str) -> str | None:
        value = self.text(name)
        return one_line(value)[:40] or None if value is not None else None

    def subject(self) -> str | None:
        value = self.text("Subject")
        return None if value is None else decode_words(value)[:SUBJECT_CHARACTERS]

    def message_id(self, raw: bytes) -> str:
        """The Message-ID; where there is none of use, one made from the message, so that a second try has the same."""
        value = one_line(self.text("Message-ID") or "")
        in_brackets = re.search(r"<[^<>]{1,400}>", value)
        wanted = in_brackets.group() if in_brackets else value
        if wanted and len(wanted) <= 402:
            return wanted
        self.faults.append("message-id: missing or too long, one was generated")
        return f"<{hashlib.sha256(raw).hexdigest()}@generated.invalid>"

    def mailboxes(self, name: str) -> list[Mailbox]:
        self.text(name)
        fields = [str(value) for value in self.message.get_all(name, [])]
        found, unread = parse_addresses(", ".join(fields)[: mime.HEADER_CHARACTERS])
        if unread:
            self.faults.append(f"{name.lower()}: {unread} address(es) could not be read")
        return found

    def addresses(self, name: str) -> list[str]:
        return [mailbox.address for mailbox in self.mailboxes(name)]

    def sender(self) -> Mailbox | None:
        for name in ("From", "Sender", "Reply-To", "Return-Path"):
            if found := self.mailboxes(name):
                return found[0]
        self.faults.append("from: missing")
        return None

    def sent_at(self) -> datetime | None:
        value = self.text("Date")
        try:
            claimed = parsedate_to_datetime(one_line(value or "")[:200])
            return (claimed if claimed.tzinfo else claimed.replace(tzinfo=UTC)).astimezone(UTC)
        except mime.FAULTS:
            self.faults.append("date: missing" if value is None else "date: could not be read")
            return None
