"""Raw bytes into a tree of parts: Python's parser, kept from raising and from taking for ever over hostile mail."""

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import EmailPolicy
from typing import Any

from inbox.intake.text import raw_header

#: Whatever the email package is known to raise over bad input. Running out of memory is not among it.
FAULTS = (
    MessageError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    OverflowError,
)

HEADER_CHARACTERS = 262_144
#: Parameters are read in quadratic time by Python before 3.14.
PARAMETER_CHARACTERS = 8_192
MOST_PARTS = 10_000
MOST_LINES = 1_500_000
#: Python looks at each line once for every multipart around it: no more than boundaries declared, nor than its stack.
MOST_LOOKS = 15_000_000
MOST_LEVELS = 1_000
BOUNDARY = re.compile(rb"boundary(?:\*\d*\*?)?\s*=", re.IGNORECASE)
#: A delivery report can be a hundred thousand tiny messages.
MOST_INNER = 100


class TolerantPolicy(EmailPolicy):
    """The modern policy with headers of bounded length, handed over as plain text.

    The structured header objects of the modern policy raise over some malformed values, and do so in the middle of
    parsing; what this app needs of a header it reads itself.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, _, first = sourcelines[0].partition(":")
        most = PARAMETER_CHARACTERS if name.lower().startswith("content-") else HEADER_CHARACTERS
        kept, length = [], 0
        for line in (first, *sourcelines[1:]):
            kept.append(line[: most - length])
            length += len(kept[-1])
            if length >= most:
                break
        return name, "".join(kept).lstrip(" \t").rstrip("\r\n")

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return raw_header(value.replace("\r", "").replace("\n", ""))


POLICY = TolerantPolicy(raise_on_defect=False, refold_source="none")


def parse(raw: bytes) -> tuple[Message, list[str]]:
    """The message, and what is wrong with it as a whole. Whatever the bytes, there is a message."""
    faults = []
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    levels = min(MOST_LEVELS, max(1, len(BOUNDARY.findall(raw))))
    most = min(MOST_LINES, MOST_LOOKS // levels)
    beginning = raw
    if raw.count(b"\n") > most:
        beginning = b"\n".join(raw.split(b"\n", most)[:most])
        faults.append(f"message: only its first {most} lines were read")
    try:
        return BytesParser(policy=POLICY).parsebytes(beginning), faults
    except FAULTS as fault:
        faults.append(f"message: parts could not be told apart ({type(fault).__name__})")
    try:
        return BytesHeaderParser(policy=POLICY).parsebytes(raw), faults
    except FAULTS as fault:
        faults.append(f"message: headers could not be read ({type(fault).__name__})")
    bare = EmailMessage(policy=POLICY)
    bare.set_payload(raw.decode("ascii", "surrogateescape"))
    return bare, faults


def leaves(message: Message) -> Iterator[Message]:
    """The parts that hold content, in order. A message inside the message is one part: it is not opened."""
    waiting, given = [message], 0
    while waiting and given < MOST_PARTS:
        part = waiting.pop()
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            inner: Any = part.get_payload()
            waiting.extend(reversed(inner))
        else:
            given += 1
            yield part


def content(part: Message) -> bytes:
    """The decoded bytes of one part; those of a message inside the message as they would be sent."""
    if part.is_multipart():
        inner: Any = part.get_payload()
        return b"\n".join(each.as_bytes(policy=POLICY) for each in inner[:MOST_INNER])
    decoded = part.get_payload(decode=True)
    return decoded if isinstance(decoded, bytes) else b""
