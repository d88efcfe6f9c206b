"""Bytes and encoded words of mail into text that any database can hold. Pure; never raises over bad input."""

import binascii
import codecs
import re
from collections.abc import Iterator

#: Labels that mail is mislabelled with, and what is meant (WHATWG Encoding, section 4.2): supersets, mostly.
MEANT = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso2022_jp": "iso2022_jp_ext",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "ks_c_5601-1987": "cp949",
    "x-sjis": "cp932",
    "cp-850": "cp850",
}
#: Codecs of Python's that no mail is written in; some of them take quadratic time.
NOT_MAIL = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem"})

ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([bBqQ])\?([^?]*)\?=")
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
SURROGATES = re.compile(r"[\ud800-\udfff]")


def codec_of(label: str) -> str | None:
    """The Python codec for a charset label, or None for a label that names none."""
    wanted = label.strip().strip("\"'").lower()
    for name in (MEANT.get(wanted, wanted), wanted.split()[0] if wanted.split() else ""):
        try:
            found = codecs.lookup(name)
        except (LookupError, ValueError):
            continue
        is_text = getattr(found, "_is_text_encoding", True)
        if is_text and found.name not in NOT_MAIL:
            return MEANT.get(found.name, found.name)
    return None


def decode(data: bytes, label: str | None = None) -> tuple[str, bool]:
    """Text of ``data``, and whether ``label`` was good for it. Where it is not, UTF-8 is tried, then Windows-1252."""
    codec = codec_of(label[:60]) if label else None
    for attempt in filter(None, (codec, "utf-8")):
        try:
            return storable(data.decode(attempt)), attempt == codec or not label
        except ValueError:
            continue
    # Under a label that means something, single bad bytes are damage; ASCII is what labels say that mean nothing.
    fallback = codec if codec not in (None, "ascii") else "cp1252"
    return storable(data.decode(str(fallback), errors="replace")), False


def storable(text: str) -> str:
    """Without what PostgreSQL and JSON cannot hold: NUL goes, half a surrogate pair becomes U+FFFD."""
    return SURROGATES.sub("\ufffd", text.replace("\x00", ""))


def one_line(text: str) -> str:
    """A header's text: control characters and line breaks become one space."""
    return storable(CONTROLS.sub(" ", text)).strip()


def raw_header(value: str) -> str:
    """A header as the parser hands it over, 8-bit bytes being surrogates, into text."""
    if not SURROGATES.search(value):
        return value
    return decode(value.encode("utf-8", "surrogateescape"))[0]


def decode_words(value: str) -> str:
    """RFC 2047. Neighbours in one charset are joined before decoding: senders cut characters in half."""
    return one_line("".join(_pieces(value)))


def _pieces(value: str) -> Iterator[str]:
    position, charset, data = 0, "", b""
    for match in ENCODED_WORD.finditer(value):
        between = value[position : match.start()]
        position = match.end()
        decoded = _word(match.group(2), match.group(3))
        if data and (between.strip() or match.group(1).lower() != charset or decoded is None):
            yield decode(data, charset)[0]
            data = b""
        # White space between two encoded words is not part of the text (RFC 2047, section 6.2).
        if between.strip() or match.start() == len(between):
            yield between
        if decoded is None:
            yield match.group(0)
        else:
            charset, data = match.group(1).lower(), data + decoded
    if data:
        yield decode(data, charset)[0]
    yield value[position:]


def _word(encoding: str, text: str) -> bytes | None:
    """The bytes of one encoded word, or None where it is none after all."""
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(raw, header=True)
    try:
        return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))
    except binascii.Error:
        return None
