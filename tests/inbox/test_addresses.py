"""Address headers as mail really has them (case book, EM-06)."""

import time

import pytest

from inbox.intake.addresses import Mailbox, canonical, parse


@pytest.mark.parametrize(
    ("header", "address", "name"),
    [
        ("user@example.test", "user@example.test", ""),
        ("<user@example.test>", "user@example.test", ""),
        ("Name< user@example.test >", "user@example.test", "Name"),
        ("=?utf-8?Q?=D0=9D?=<support@example.test>", "support@example.test", "Н"),
        ('"a@b.test" <real@example.test>', "real@example.test", "a@b.test"),
        ('"Comma, Inc." <user@example.test>', "user@example.test", "Comma, Inc."),
        ("=?utf-8?Q?Comma,_Inc=3B?= <user@example.test>", "user@example.test", "Comma, Inc;"),
        ("USER@Example.TEST", "user@example.test", ""),
        ("user @ example.test", "user@example.test", ""),
        ("user@example.test (a comment)", "user@example.test", ""),
        ("Name <@relay.test,@other.test:user@example.test>", "user@example.test", "Name"),
        ("mailto:user@example.test", "user@example.test", ""),
        ("user@example.test.", "user@example.test", ""),
        ("Some Name user@example.test", "user@example.test", ""),
        ('Say "Hi \\"there\\"" <user@example.test>', "user@example.test", "Say Hi there"),
        ("Unclosed <user@example.test", "user@example.test", "Unclosed"),
        ("user@bücher.example", "user@xn--bcher-kva.example", ""),
        ("user@xn--bcher-kva.example", "user@xn--bcher-kva.example", ""),
        ("user@BÜCHER.example", "user@xn--bcher-kva.example", ""),
        ("josé@example.test", "josé@example.test", ""),
        ("user@[192.0.2.1]", "user@[192.0.2.1]", ""),
        ('"john doe"@example.test', '"john doe"@example.test', ""),
    ],
)
def test_one_address_is_read_with_its_name_apart(header, address, name):
    assert parse(header) == ([Mailbox(address, name)], 0)


@pytest.mark.parametrize(
    ("header", "addresses", "unread"),
    [
        ("", [], 0),
        ("undisclosed-recipients:;", [], 0),
        ("Team: a@x.test, b@x.test;, c@x.test", ["a@x.test", "b@x.test", "c@x.test"], 0),
        ("a@x.test; b@x.test", ["a@x.test", "b@x.test"], 0),
        ("a@x.test,,  , b@x.test,", ["a@x.test", "b@x.test"], 0),
        ("a@x.test, A@X.TEST", ["a@x.test"], 0),
        ("nobody, a@x.test", ["a@x.test"], 1),
        ("Broken <a@x.test, Other <b@x.test>", ["a@x.test", "b@x.test"], 0),
    ],
)
def test_lists_keep_order_and_drop_repetition(header, addresses, unread):
    found, not_read = parse(header)
    assert ([mailbox.address for mailbox in found], not_read) == (addresses, unread)


@pytest.mark.parametrize("text", ["", "@", "a@", "@x.test", "a b@x.test", "a@x..test", "a@-", "a@x.test\nb", "a" * 400])
def test_what_is_no_address_has_no_canonical_form(text):
    assert canonical(text) is None


@pytest.mark.parametrize("unit", ['"', '"\\', "<", "(", "@", " @", ",", " ", "=?", "=?a?q?", ":", "a", "ü", "<a@b"])
def test_no_header_takes_more_than_its_length_in_time(unit):
    header = "a@b.test" + unit * (200_000 // len(unit))
    began = time.perf_counter()
    parse(header)
    assert time.perf_counter() - began < 5
