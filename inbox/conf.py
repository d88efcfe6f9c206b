"""Every Django setting this app reads, with its default. Read live, so that a test can change one."""

from django.conf import settings

#: The REST API as a protected resource: tokens are issued for this path.
API_PATH = "/api/v1"


def mail_domain() -> str:
    """``INBOX_DOMAIN``: the domain of every inbox address."""
    return str(getattr(settings, "INBOX_DOMAIN", "inbox.example"))


def duplicate_days() -> int:
    """``INBOX_DUPLICATE_DAYS``: for how long a second message of the same Message-ID to one inbox is a duplicate."""
    return int(getattr(settings, "INBOX_DUPLICATE_DAYS", 7))


def parse_bytes() -> int:
    """``INBOX_PARSE_BYTES``: how much of a raw message is read for its text; the raw message is kept whole."""
    return int(getattr(settings, "INBOX_PARSE_BYTES", 40 * 1024 * 1024))


def encryption_keys() -> list[str]:
    """``INBOX_ENCRYPTION_KEYS``: seal what is secret in the database. The first seals, all open.

    Without it the keys that sign sessions stand in, for a host that serves this machine only.
    """
    chosen = list(getattr(settings, "INBOX_ENCRYPTION_KEYS", ()))
    return chosen or [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def webhooks_to_this_machine() -> bool:
    """``INBOX_WEBHOOKS_TO_THIS_MACHINE``: webhooks may go to loopback addresses and over http. For developing only."""
    return bool(getattr(settings, "INBOX_WEBHOOKS_TO_THIS_MACHINE", False))
