"""What is read from raw messages, the broken and the hostile ones included (case book, e-mail rows)."""

import json
import time
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbox.intake.message import parse
from inbox.intake.parts import safe_name
from inbox.intake.text import decode_words


def mail(body: bytes, *headers: str) -> bytes:
    head = ("From: a@b.test", "Message-ID: <1@b.test>", "Date: Tue, 24 Nov 2026 09:00:00 -0300", *headers)
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    "charset", ["bogus", "uft-8", "iso-8859-8-i", "1", '""', "utf-8 euao6y69", "cp-850", "unknown-8bit", "idna", "hex"]
)
def test_unknown_charset_still_gives_text(charset):
    found = parse(mail(b"caf\xe9 and more", f"Content-Type: text/plain; charset={charset}"))
    assert found.text is not None
    assert found.text.startswith("caf")
    assert found.text.endswith("and more")


def test_mislabelled_utf8_is_read_as_utf8_and_noted():
    found = parse(mail("café".encode(), "Content-Type: text/plain; charset=bogus"))
    assert found.text == "café"
    assert any(fault.startswith("body: the charset 'bogus'") for fault in found.faults)


def test_unknown_charset_in_an_encoded_word_is_best_effort():
    assert parse(mail(b"", "Subject: =?bogus?Q?caf=E9?= =?utf-8?q?_=C3=A9?=")).subject == "café é"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("plain", "plain"),
        ("=?utf-8?Q?Ol=C3=A1_mundo?=", "Olá mundo"),
        ("=?utf-8?B?T2zDoQ==?= =?utf-8?B?IG11bmRv?=", "Olá mundo"),
        ("=?iso-8859-1*pt?Q?t=EDtulo?= 88", "título 88"),
        ("=?utf-8?B?T2zD?= =?utf-8?B?oQ==?=", "Olá"),
        ("=?utf-8?Q?a b?=", "a b"),
        ("=?utf-8?B?T2zDoQ?=", "Olá"),
        ("=?utf-8?X?zz?=", "=?utf-8?X?zz?="),
        ("=?utf-8?Q?a?=b=?utf-8?Q?c?=", "abc"),
        ("=?utf-8?Q?a=0D=0ABcc:_x@y.test=00?=", "a Bcc: x@y.test"),
        ("=?ISO-2022-JP?B?GyRCJDMkcyRLJEEkTxsoQg==?=", "こんにちは"),
    ],
)
def test_encoded_words_are_decoded(written, read):
    assert decode_words(written) == read


def test_raw_bytes_in_a_subject_are_read():
    assert parse(b"From: a@b.test\r\nSubject: m\xednimo\r\n\r\n").subject == "mínimo"
    assert parse("From: a@b.test\r\nSubject: mínimo\r\n\r\n".encode()).subject == "mínimo"


def test_quoted_printable_is_decoded_once():
    body = b'content=3D"IE=3Dedge"  https://example.test/?campaign_id=3D247164&sig=3Dv2'
    found = parse(mail(body, "Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable"))
    assert found.text == 'content="IE=edge"  https://example.test/?campaign_id=247164&sig=v2'


def test_base64_is_decoded_once():
    found = parse(mail(b"Y2FtcGFpZ25faWQ9M0QyNDc=", "Content-Transfer-Encoding: base64"))
    assert found.text == "campaign_id=3D247"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Outlook-Icon\n\nDesc.png", "Outlook-Icon Desc.png"),
        ("../../etc/x", "x"),
        ("C:\\Users\\me\\report.pdf", "report.pdf"),
        ("..", ""),
        (".hidden", "hidden"),
        ("a" * 300 + ".pdf", "a" * 196 + ".pdf"),
        ("", ""),
    ],
)
def test_file_names_are_names_and_nothing_else(given, kept):
    assert safe_name(given) == kept


def test_attachments_keep_a_safe_name_size_and_digest():
    names = (
        'Content-Type: image/png; name="=?utf-8?Q?Outlook-Icon=0A=0ADesc.png?="',
        "Content-Type: image/png\r\nContent-Disposition: attachment; filename*=utf-8''..%2F..%2Fetc%2Fx",
        "Content-Type: image/png\r\nContent-Disposition: attachment",
    )
    parts = "".join(f"--x\r\n{name}\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJj\r\n" for name in names)
    found = parse(mail(parts.encode() + b"--x--", "Content-Type: multipart/mixed; boundary=x"))
    assert [each["filename"] for each in found.attachments] == ["Outlook-Icon Desc.png", "x", "attachment-3"]
    assert {each["size"] for each in found.attachments} == {3}
    assert {each["sha256"][:8] for each in found.attachments} == {"ba7816bf"}


def test_a_message_within_the_message_is_one_file():
    inner = b"From: c@d.test\r\nSubject: inner\r\n\r\ninner text"
    body = b"--x\r\n\r\nouter text\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n" + inner + b"\r\n--x--"
    found = parse(mail(body, "Content-Type: multipart/mixed; boundary=x"))
    assert found.text == "outer text"
    assert [each["content_type"] for each in found.attachments] == ["message/rfc822"]


@pytest.mark.parametrize("date", [None, "Tue, 99 Foo 2026", "", "1 Jan 99999 00:00:00 +0000", "\x00", "9" * 5000])
def test_bad_date_is_no_date_and_noted(date):
    found = parse(b"From: a@b.test\r\n" + (f"Date: {date}\r\n".encode() if date is not None else b"") + b"\r\n")
    assert found.sent_at is None
    assert any(fault.startswith("date: ") for fault in found.faults)


def test_no_headers_at_all_is_all_text():
    found = parse(b"just some words\nand more\n")
    assert (found.subject, found.sender, found.text) == (None, None, "just some words\nand more\n")
    assert found.message_id == parse(b"just some words\nand more\n").message_id


def test_nul_and_half_characters_do_not_come_through():
    found = parse(mail(b"a\x00b", "Subject: a\x00b =?utf-8?b?7aCA?=", "To: x\x00@y.test"))
    text = json.dumps(asdict(found), default=str, ensure_ascii=False)
    assert "\\u0000" not in text
    assert text.encode("utf-8")
    assert found.text == "ab"


def nested(depth: int) -> bytes:
    levels = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return b"From: a@b.test\r\nSubject: deep\r\n" + levels + b"Content-Type: text/plain\r\n\r\nat the bottom\r\n"


def test_nesting_sixty_deep_is_read_to_the_bottom():
    assert str(parse(nested(60)).text).strip() == "at the bottom"


def test_nesting_beyond_reason_is_kept_as_text():
    found = parse(nested(5000))
    assert found.subject == "deep"
    assert "at the bottom" in str(found.text)
    assert "message: parts could not be told apart (RecursionError)" in found.faults


HUGE = 1_000_000
HOSTILE = {
    "five thousand parts": b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\nA: b\r\n\r\nz\r\n" * 5000,
    "a subject of one megabyte": b"Subject: " + b"x" * HUGE + b"\r\n\r\nhi",
    "a recipient header of one megabyte": b"To: " + b'"\\' * (HUGE // 2) + b"\r\n\r\nhi",
    "a content type of one megabyte": b"Content-Type: multipart/mixed; " + b'";' * (HUGE // 2) + b"\r\n\r\nhi",
    "a parameter with a number of 5000 digits": b"Content-Type: a/b; boundary*" + b"9" * 5000 + b"=x\r\n\r\nhi",
    "a hundred thousand headers": b"".join(b"X-%d: y\r\n" % n for n in range(100_000)) + b"\r\nhi",
    "many lines deep down": nested(60) + b"a\r\n" * 300_000,
    "base64 that is none": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=\r\n" * 200_000,
    "a delivery report of many blocks": b"Content-Type: message/delivery-status\r\n\r\n" + b"A: b\r\n\r\n" * 20_000,
    "nothing": b"",
    "only NUL": b"\x00" * HUGE,
    "only line ends": b"\r\n" * 500_000,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_mail_is_read_in_bounded_time(raw):
    began = time.perf_counter()
    found = parse(raw)
    assert time.perf_counter() - began < 20
    assert len(json.dumps(asdict(found), default=str)) < 3 * len(raw) + 100_000


PIECES = st.sampled_from(
    (
        *(b"\r\n", b"\r\n\r\n", b"From: ", b"To: ", b"Subject: ", b"Content-Type: ", b"multipart/mixed; boundary=x"),
        *(b"--x", b"text/plain; charset=", b"utf-8", b"Content-Transfer-Encoding: ", b"base64", b"=?utf-8?b?", b"?="),
        *(b'"', b";", b"*0*=utf-8''%", b"<a@b.test>", b"message/rfc822", b"Date: ", b"\x00", b"\xff", b"\xed\xa0\x80"),
        *(b"(", b","),
    )
)


@given(st.lists(PIECES | st.binary(max_size=20), max_size=40))
def test_whatever_the_bytes_there_is_an_answer_that_can_be_stored(pieces):
    text = json.dumps(asdict(parse(b"".join(pieces))), default=str, ensure_ascii=False)
    assert "\\u0000" not in text
    assert text.encode("utf-8")
