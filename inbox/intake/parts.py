"""What the parts of a message hold: one text, one HTML text, and files."""

import hashlib
import re
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from inbox.intake import mime
from inbox.intake.text import decode, decode_words, one_line

MOST_LISTED = 200
CONTENT_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,60}")


@dataclass
class Parts:
    """The content of a message.

    Args:
        text: decoded plain text, or None; html: likewise, as received.
        attachments: filename, content_type, size and sha256 of each file, at most 200.
        faults: what could not be read.
    """

    text: str | None = None
    html: str | None = None
    attachments: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read(message: Message) -> Parts:
    """The content of a parsed message."""
    found = Parts()
    bodies: dict[str, list[str]] = {"plain": [], "html": []}
    number = 0
    for part in mime.leaves(message):
        kind = _body_kind(part, is_whole=part is message)
        data = _content(part, found.faults)
        if kind:
            text, is_good = decode(data, _charset(part))
            bodies[kind].append(text.replace("\r\n", "\n"))
            if not is_good:
                found.faults.append(f"body: the charset {one_line(_charset(part) or 'utf-8')[:40]!r} does not fit")
        else:
            number += 1
            if number <= MOST_LISTED:
                found.attachments.append(_attachment(part, data, number))
        found.faults.extend(f"part: {type(defect).__name__}" for defect in part.defects[:3])
    if number > MOST_LISTED:
        found.faults.append(f"attachments: {number} files, the first {MOST_LISTED} are listed")
    found.text = "\n".join(bodies["plain"]) if bodies["plain"] else None
    found.html = "\n".join(bodies["html"]) if bodies["html"] else None
    return found


def _body_kind(part: Message, *, is_whole: bool) -> str:
    """``plain`` or ``html`` for a part that is to be read, nothing for a file."""
    if part.get_content_disposition() == "attachment" or (_filename(part) and not is_whole):
        return ""
    kind = part.get_content_type()
    if kind == "text/html":
        return "html"
    # A multipart that has no parts is one whose boundary is missing: its text is all there is.
    is_text = kind == "text/plain" or part.get_content_maintype() == "multipart"
    return "plain" if is_text or (is_whole and part.get_content_maintype() == "text") else ""


def _content(part: Message, faults: list[str]) -> bytes:
    try:
        return mime.content(part)
    except mime.FAULTS as fault:
        faults.append(f"part: its content could not be decoded ({type(fault).__name__})")
        return b""


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except mime.FAULTS:
        return "unreadable"


def _filename(part: Message) -> str:
    """The name the sender gave, decoded, or nothing."""
    try:
        return decode_words(part.get_filename() or "")
    except mime.FAULTS:
        return "unreadable"


def _attachment(part: Message, data: bytes, number: int) -> dict[str, Any]:
    claimed = part.get_content_type()
    kind = claimed if CONTENT_TYPE.fullmatch(claimed) else "application/octet-stream"
    return {
        "filename": safe_name(_filename(part)) or f"attachment-{number}",
        "content_type": kind,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def safe_name(given: str) -> str:
    """A file name that is a name and nothing else: no path, no control characters, at most 200 characters."""
    name = one_line(re.split(r"[/\\]", given)[-1]).strip("\"' ").lstrip(".")
    stem, dot, extension = name.rpartition(".")
    if len(name) > 200 and dot and len(extension) <= 20:
        return f"{stem[: 199 - len(extension)]}.{extension}"
    return name[:200]
