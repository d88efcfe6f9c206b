"""``manage.py receive_mail``: takes in raw messages from files or from a pipe, as Postfix's pipe transport wants it."""

import logging
import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from inbox.intake.message import parse
from inbox.intake.receive import Envelope, Receipt, receive
from inbox.models import Email, Inbox

logger = logging.getLogger(__name__)

# sysexits.h, which mail servers read: over EX_TEMPFAIL they try again later, over EX_NOUSER they bounce.
NO_INPUT, NO_USER, TRY_AGAIN = os.EX_NOINPUT, os.EX_NOUSER, os.EX_TEMPFAIL


class Command(BaseCommand):
    help = "Receive raw e-mail messages (RFC 5322) from files, or from standard input with '-'."
    requires_system_checks: Any = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help="Files; '-' is standard input.")
        parser.add_argument(
            "--to",
            nargs="+",
            action="extend",
            default=[],
            metavar="ADDRESS",
            help="Envelope recipients. Default: those inboxes that the message's own headers name.",
        )
        parser.add_argument("--from", dest="sender", default="", metavar="ADDRESS", help="Envelope sender.")

    def handle(self, *args: Any, **options: Any) -> None:
        outcomes = {self._one(name, options["to"], options["sender"]) for name in options["files"]}
        # The most urgent one: what can be tried again must be.
        for code in (TRY_AGAIN, NO_INPUT, NO_USER):
            if code in outcomes:
                raise CommandError("Not every message was received.", returncode=code)

    def _one(self, name: str, to: list[str], sender: str) -> int:
        """Receives one message and says what became of it. Returns an exit code; the other files still come."""
        label = "standard input" if name == "-" else name
        try:
            raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as fault:
            self.stderr.write(f"{label}: cannot be read ({fault.strerror or fault}).")
            return NO_INPUT
        try:
            receipt = receive(raw, Envelope(sender, tuple(to) or _named_by(raw)))
        except Exception:
            # Whatever it is, the sender's server still has the message: better late than lost.
            logger.exception("A message could not be received")
            self.stderr.write(f"{label}: not received, try again later.")
            return TRY_AGAIN
        return self._report(label, receipt)

    def _report(self, label: str, receipt: Receipt) -> int:
        for email in receipt.stored:
            self.stdout.write(f"{label}: received {_told(email)}")
        for email in receipt.duplicates:
            self.stdout.write(f"{label}: already there {_told(email)}")
        for address in receipt.unknown:
            self.stderr.write(f"{label}: no inbox has the address {address!r}.")
        if not receipt.stored and not receipt.duplicates and not receipt.unknown:
            self.stderr.write(f"{label}: names no inbox; say which with --to.")
        return 0 if not receipt.unknown and (receipt.stored or receipt.duplicates) else NO_USER


def _told(email: Email) -> str:
    faults = len(email.metadata.get("parse_faults", ()))
    noted = f" ({faults} fault{'s' if faults > 1 else ''} noted)" if faults else ""
    return f"{email.pk} from {email.sender} to {', '.join(email.to)}: {email.subject or 'no subject'!r}{noted}"


def _named_by(raw: bytes) -> tuple[str, ...]:
    """Where no envelope was given: the inboxes that the marks of delivery name, else those of ``To``."""
    message = parse(raw)
    for addresses in (message.delivered_to, message.to):
        found = tuple(Inbox.objects.receiving(addresses).values_list("email", flat=True))
        if found:
            return found
    return ()
