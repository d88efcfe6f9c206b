"""How a message becomes rows: envelope, duplicates, events, and what happens when something fails on the way."""

import hashlib
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError
from django.utils import timezone

from inbox.intake import receive as door
from inbox.intake.receive import Envelope, receive
from inbox.models import Email, EmailStatus, Inbox, SystemEvent


def mail(*headers: str, body: str = "Hello") -> bytes:
    return "\r\n".join((*headers, "", body)).encode()


PLAIN = ("From: Writer <writer@example.com>", "Message-ID: <1@example.com>", "Subject: Hi")


def stored_files() -> list[str]:
    """Every raw message in storage."""
    found, folders = [], [""]
    while folders:
        folder = folders.pop()
        inner, files = default_storage.listdir(folder)
        folders += [f"{folder}/{name}".strip("/") for name in inner]
        found += [f"{folder}/{name}" for name in files]
    return found


def test_message_is_stored_whole_with_row_and_event(deliver_one, tenant):
    raw = mail(*PLAIN, f"To: {tenant.inbox.email}", "Date: Tue, 24 Nov 2026 09:00:00 -0300")
    email = deliver_one(raw)
    assert default_storage.open(email.raw_s3_key).read() == raw
    assert (email.workspace, email.inbox, email.status) == (tenant.workspace, tenant.inbox, EmailStatus.RECEIVED)
    assert (email.message_id, email.subject, email.sender) == ("<1@example.com>", "Hi", "writer@example.com")
    assert (email.body_text, email.body_html) == ("Hello", None)
    assert email.metadata == {"from_name": "Writer"}
    assert email.sent_at.isoformat() == "2026-11-24T12:00:00+00:00"
    event = SystemEvent.objects.get()
    assert (event.slug, event.workspace, event.inbox, event.email) == (
        *("email.received", tenant.workspace, tenant.inbox),
        email,
    )
    assert event.payload["email"]["id"] == str(email.pk)


@pytest.mark.parametrize(
    ("headers", "header_to", "forwarded", "forwarded_for"),
    [
        (["To: acme-mail@inbox.example"], ["acme-mail@inbox.example"], False, None),
        (["To: Acme <ACME-mail@Inbox.Example>"], ["acme-mail@inbox.example"], False, None),
        (["To: acme-mail@inbox.example, x@acme.example"], ["acme-mail@inbox.example", "x@acme.example"], False, None),
        (["To: contact@acme.example"], ["contact@acme.example"], True, "contact@acme.example"),
        (
            ["To: acme-mail@inbox.example", "Delivered-To: acme-mail@inbox.example"],
            ["acme-mail@inbox.example"],
            True,
            None,
        ),
        (["To: x@acme.example", "X-Forwarded-To: acme-mail@inbox.example"], ["x@acme.example"], True, "x@acme.example"),
        (["To: acme-mail@inbox.example", "X-Original-To: y@z.example"], ["acme-mail@inbox.example"], True, None),
        (["To: acme-mail@inbox.example", "Resent-To: y@z.example"], ["acme-mail@inbox.example"], True, None),
        (["Delivered-To: acme-mail@inbox.example"], [], True, None),
        ([], [], True, None),
    ],
)
def test_forwarding_is_told_from_envelope_and_headers(deliver_one, headers, header_to, forwarded, forwarded_for):
    email = deliver_one(mail(*PLAIN, *headers))
    assert email.to == ["acme-mail@inbox.example"]
    assert (email.header_to, email.forwarded, email.forwarded_for) == (header_to, forwarded, forwarded_for)


def test_same_message_again_is_stored_once(deliver, tenant):
    first = deliver(mail(*PLAIN))
    again = deliver(mail(*PLAIN, "Received: by another hop"))
    assert [email.pk for email in again.duplicates] == [email.pk for email in first.stored]
    assert (again.stored, Email.objects.count(), SystemEvent.objects.count(), len(stored_files())) == ([], 1, 1, 1)


def test_same_message_is_new_after_seven_days_and_at_another_inbox(deliver, tenant, second_inbox):
    deliver(mail(*PLAIN))
    Email.objects.update(received_at=timezone.now() - timedelta(days=7, minutes=1))
    assert len(deliver(mail(*PLAIN)).stored) == 1
    assert len(deliver(mail(*PLAIN), second_inbox.email).stored) == 1


def test_message_without_id_is_known_again_by_its_bytes(deliver, tenant):
    raw = mail("From: a@b.test")
    (email,) = deliver(raw).stored
    assert email.message_id == f"<{hashlib.sha256(raw).hexdigest()}@generated.invalid>"
    assert len(deliver(raw).duplicates) == 1
    assert len(deliver(raw + b"!").stored) == 1


def test_one_message_reaches_every_inbox_of_the_envelope(deliver, tenant, other_tenant, second_inbox):
    receipt = deliver(
        mail(*PLAIN), tenant.inbox.email, second_inbox.email, other_tenant.inbox.email, "no@inbox.example"
    )
    assert len(receipt.stored) == 3
    assert receipt.unknown == ["no@inbox.example"]
    shown = {email.inbox.email: email.to for email in Email.objects.select_related("inbox")}
    assert shown == {
        tenant.inbox.email: [tenant.inbox.email, second_inbox.email],
        second_inbox.email: [tenant.inbox.email, second_inbox.email],
        other_tenant.inbox.email: [other_tenant.inbox.email],
    }


@pytest.mark.parametrize("address", ["nobody@inbox.example", "no address", "", "\x00", "a@" + "x" * 5000])
def test_recipient_that_is_no_inbox_is_reported_and_nothing_is_kept(deliver, address):
    assert deliver(mail(*PLAIN), address).unknown == [address]
    assert stored_files() == []


def test_deleted_inbox_and_workspace_and_organization_receive_nothing(deliver, tenant):
    for row, change in (
        (tenant.inbox, {"deleted_at": timezone.now()}),
        (tenant.workspace, {"deleted_at": timezone.now()}),
        (tenant.organization, {"is_active": False}),
    ):
        before = {name: getattr(row, name) for name in change}
        type(row).objects.filter(pk=row.pk).update(**change)
        assert deliver(mail(*PLAIN)).unknown == [tenant.inbox.email]
        type(row).objects.filter(pk=row.pk).update(**before)


def test_inactive_inbox_still_takes_its_mail_in(deliver, tenant):
    Inbox.objects.update(status="inactive")
    assert len(deliver(mail(*PLAIN)).stored) == 1


@pytest.mark.parametrize(
    ("headers", "mail_from", "sender"),
    [
        (["From: a@b.test", "Sender: c@d.test"], "e@f.test", "a@b.test"),
        (["Sender: c@d.test"], "e@f.test", "c@d.test"),
        (["From: nobody at all"], "e@f.test", "e@f.test"),
        ([], "e@f.test", "e@f.test"),
        ([], "", "unknown@sender.invalid"),
        (["From: user@bücher.example"], "", "user@xn--bcher-kva.example"),
    ],
)
def test_sender_is_the_first_that_can_be_read(deliver_one, headers, mail_from, sender):
    assert deliver_one(mail(*headers), mail_from=mail_from).sender == sender


@pytest.mark.parametrize("date", [[], ["Date: Tue, 99 Foo 2026"], ["Date: 31 Dec 9999 23:59:00 -2359"]])
def test_time_of_arrival_stands_in_for_a_bad_date(deliver_one, date):
    email = deliver_one(mail("From: a@b.test", *date))
    assert email.sent_at == email.received_at
    assert any(fault.startswith("date: ") for fault in email.metadata["parse_faults"])


def test_agent_of_the_inbox_and_verdicts_of_the_mail_server_are_noted(deliver_one, tenant):
    email = deliver_one(mail(*PLAIN, "X-SES-Spam-Verdict: PASS", "X-SES-Virus-Verdict: FAIL"))
    assert (email.agent_id, email.spam_verdict, email.virus_verdict) == (tenant.inbox.agent_id, "PASS", "FAIL")


def test_message_over_the_reading_limit_is_kept_whole(deliver_one, settings):
    settings.INBOX_PARSE_BYTES = 100
    raw = mail(*PLAIN, body="x" * 1000)
    email = deliver_one(raw)
    assert default_storage.size(email.raw_s3_key) == len(raw)
    assert len(email.body_text) < 100
    assert "message: only its first 100 bytes were read" in email.metadata["parse_faults"]


def test_failing_database_accepts_nothing_and_leaves_no_file(deliver, tenant, second_inbox, monkeypatch):
    real, calls = door.events.record, []

    def fail_the_second_time(*args, **kwargs):
        calls.append(args)
        if len(calls) == 2:
            raise OperationalError("gone")
        return real(*args, **kwargs)

    monkeypatch.setattr(door.events, "record", fail_the_second_time)
    with pytest.raises(OperationalError):
        deliver(mail(*PLAIN), tenant.inbox.email, second_inbox.email)
    assert (Email.objects.count(), SystemEvent.objects.count(), stored_files()) == (0, 0, [])


def test_failing_storage_accepts_nothing(deliver, monkeypatch):
    class Full:
        def save(self, *args):
            raise OSError("disk full")

    monkeypatch.setattr(door, "default_storage", Full())
    with pytest.raises(OSError, match="disk full"):
        deliver(mail(*PLAIN))
    assert Email.objects.count() == 0


def test_inbox_deleted_meanwhile_takes_nothing(tenant, monkeypatch):
    real = door.parse

    def delete_then_parse(raw):
        Inbox.objects.filter(pk=tenant.inbox.pk).update(deleted_at=timezone.now())
        return real(raw)

    monkeypatch.setattr(door, "parse", delete_then_parse)
    receipt = receive(mail(*PLAIN), Envelope("", (tenant.inbox.email,)))
    assert (receipt.stored, receipt.unknown, stored_files()) == ([], [tenant.inbox.email], [])
