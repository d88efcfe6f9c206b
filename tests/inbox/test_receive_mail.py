"""The command a mail server pipes messages into: what it prints, and its exit codes."""

import io
import os
import sys

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from inbox.management.commands import receive_mail
from inbox.models import Email

RAW = b"From: a@b.test\r\nTo: Acme <acme-mail@inbox.example>\r\nMessage-ID: <1@b.test>\r\nSubject: Hi\r\n\r\nHello"


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("receive_mail", *arguments, stdout=out, stderr=err)
    except CommandError as refused:
        return refused.returncode, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def mail(tmp_path):
    file = tmp_path / "hi.eml"
    file.write_bytes(RAW)
    return str(file)


@pytest.fixture
def piped(monkeypatch):
    def put(raw: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))

    return put


def test_file_is_received_by_the_inbox_it_names(tenant, mail):
    code, out, err = run(mail)
    email = Email.objects.get()
    assert (code, err) == (0, "")
    assert out == f"{mail}: received {email.pk} from a@b.test to acme-mail@inbox.example: 'Hi' (1 fault noted)\n"


def test_standard_input_is_read_where_no_file_is_named(tenant, piped):
    piped(RAW)
    code, out, _ = run()
    assert (code, Email.objects.count()) == (0, 1)
    assert out.startswith("standard input: received ")


def test_envelope_comes_from_the_options(tenant, other_tenant, piped):
    piped(b"\r\nno headers at all")
    code, _, _ = run("-", "--to", tenant.inbox.email, other_tenant.inbox.email, "--from", "w@x.test")
    assert code == 0
    assert set(Email.objects.values_list("sender", "inbox__email")) == {
        ("w@x.test", tenant.inbox.email),
        ("w@x.test", other_tenant.inbox.email),
    }


def test_marks_of_delivery_go_before_the_to_header(tenant, second_inbox, piped):
    piped(b"Delivered-To: second@inbox.example\r\n" + RAW)
    run()
    assert Email.objects.get().inbox == second_inbox


def test_second_time_says_so(tenant, mail):
    run(mail)
    code, out, _ = run(mail)
    assert code == 0
    assert "already there" in out


def test_recipient_that_is_no_inbox_bounces(tenant, mail):
    code, _, err = run(mail, "--to", "nobody@inbox.example")
    assert code == os.EX_NOUSER
    assert err == f"{mail}: no inbox has the address 'nobody@inbox.example'.\n"


def test_message_that_names_no_inbox_bounces(tenant, piped):
    piped(b"To: someone@example.com\r\n\r\n")
    code, _, err = run()
    assert code == os.EX_NOUSER
    assert "names no inbox" in err


def test_missing_file_is_told_and_the_others_are_received(tenant, mail, tmp_path):
    code, out, err = run(str(tmp_path / "none.eml"), str(tmp_path), mail)
    assert code == os.EX_NOINPUT
    assert err.count("cannot be read") == 2
    assert "No such file" in err
    assert "received" in out
    assert Email.objects.count() == 1


def test_failing_database_asks_for_another_try(tenant, mail, monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise OperationalError("gone")

    monkeypatch.setattr(receive_mail, "receive", fail)
    code, _, err = run(mail, "--to", tenant.inbox.email)
    assert code == os.EX_TEMPFAIL
    assert err == f"{mail}: not received, try again later.\n"
    assert "OperationalError" in caplog.text


def test_trying_again_wins_over_bouncing(tenant, mail, monkeypatch, tmp_path):
    other = tmp_path / "other.eml"
    other.write_bytes(b"To: someone@example.com\r\n\r\n")
    real = receive_mail.receive

    def fail_on_one(raw, envelope):
        if raw == RAW:
            raise OSError("disk full")
        return real(raw, envelope)

    monkeypatch.setattr(receive_mail, "receive", fail_on_one)
    assert run(str(other), mail)[0] == os.EX_TEMPFAIL
