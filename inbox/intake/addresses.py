"""Addresses as mail really has them (RFC 5322 with its section 4.4, and worse), in one canonical form.

The standard library's two readers differ between Python versions and refuse or misread common faults; this one goes
through the header once, character by character.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import idna

from inbox.intake.text import decode_words, one_line

MOST = 1000
LONGEST = 1000
AROUND_AT = re.compile(r"\s*@\s*")
# No alternative looks further than the next character of its own kind, so that no header takes quadratic time.
TOKEN = re.compile(
    r"=\?[^?\s]{1,120}\?[bBqQ]\?[^?]*\?="
    r"|\"[^\"]*\"|(?P<angle><[^<>]*>|<)|(?P<comment>\([^()]*\))|(?P<separator>[,;])|(?P<group>:)"
    r"|[^\s\"<(,;:=]+|\s+|.",
    re.DOTALL,
)
DOMAIN = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,253}[a-z0-9])?|\[[0-9a-f.:]{3,60}\]|\[ipv6:[0-9a-f.:]{2,60}\]")
LOCAL = re.compile(r"[^\s\x00-\x1f\x7f\"(),:;<>@\[\\\]]+|\"[^\"\\\x00-\x1f\x7f]+\"")


@dataclass(frozen=True)
class Mailbox:
    """One address of a header.

    Args:
        address: in canonical form.
        name: the display name; empty where there is none.
    """

    address: str
    name: str = ""


def canonical(text: str) -> str | None:
    """An address in the one form it is stored and compared in, or None: lower case, domain in ASCII (RFC 5891)."""
    local, _, domain = re.sub(r"\s*([@.])\s*", r"\1", one_line(text[:LONGEST])).rpartition("@")
    host = _ascii(domain.lower().rstrip("."))
    local = local.lower()
    if host is None or not LOCAL.fullmatch(local) or len(local) + len(host) > 253:
        return None
    return f"{local}@{host}"


def _ascii(domain: str) -> str | None:
    if not domain.isascii() and len(domain) <= 253:
        try:
            domain = idna.encode(domain, uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            return None
    return domain if DOMAIN.fullmatch(domain) and ".." not in domain else None


def parse(header: str) -> tuple[list[Mailbox], int]:
    """The mailboxes of an address header, in order and without repetition, and how many entries could not be read."""
    found: dict[str, Mailbox] = {}
    unread = 0
    for entry in filter(_Entry.is_anything, _split(header)):
        mailbox = entry.mailbox()
        if mailbox is not None:
            found.setdefault(mailbox.address, mailbox)
        else:
            unread += 1
        if len(found) >= MOST:
            break
    return list(found.values()), unread


@dataclass
class _Entry:
    """What stands between two commas: words, and what an angle bracket holds once one was opened."""

    words: list[str] = field(default_factory=list)
    angle: list[str] | None = None

    def add(self, text: str) -> None:
        (self.words if self.angle is None else self.angle).append(text)

    def is_anything(self) -> bool:
        return any(text.strip() for text in (*self.words, *(self.angle or ())))

    def mailbox(self) -> Mailbox | None:
        words = "".join(self.words)
        if self.angle is not None:
            # A source route ends in a colon (RFC 5322, section 4.4).
            address = canonical("".join(self.angle).rpartition(":")[2])
            return Mailbox(address, decode_words(words.replace('"', "").replace("\\", ""))) if address else None
        # No angle brackets: the address is all there is, or the last word of a sloppy entry.
        words = words[-LONGEST:]
        candidates = [words, words.strip(' "'), *reversed(AROUND_AT.sub("@", words).split())]
        return next((Mailbox(each) for each in map(canonical, candidates) if each), None)


def _split(header: str) -> Iterator[_Entry]:
    """The entries of a header. Comments and group names are dropped; quoted text and encoded words are kept whole."""
    entry = _Entry()
    for match in TOKEN.finditer(header):
        text = match.group()
        if match.lastgroup == "separator":
            yield entry
            entry = _Entry()
        elif match.lastgroup == "group" and entry.angle is None:
            entry = _Entry()
        elif match.lastgroup == "angle" and entry.angle is None:
            entry.angle = [text.strip("<>")]
        elif match.lastgroup != "comment":
            entry.add(text)
    yield entry
