"""Pruning: what nobody needs any more goes, in small steps; what a signature could still lean on stays."""

import io
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from inbox.models import Inbox
from kobana_mcp import confirmation
from kobana_mcp.management.commands import mcp_prune
from kobana_mcp.models import SpentConfirmation, ToolCall

YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
DAY = timedelta(days=1)


def prune(**options):
    out = io.StringIO()
    call_command("mcp_prune", stdout=out, **options)
    return out.getvalue().splitlines()


def spent(age):
    return SpentConfirmation.objects.create(nonce=uuid.uuid4(), expires_at=timezone.now() - age)


def called(age):
    row = ToolCall.objects.create(username="u", client_id="c", tool="t", outcome="succeeded", duration_ms=1)
    ToolCall.objects.filter(pk=row.pk).update(created_at=timezone.now() - age)
    return row


@pytest.fixture
def rows(db):
    """Three confirmations and three calls, of which one each is old."""
    kept = [spent(-DAY), spent(DAY - timedelta(minutes=1))], [called(timedelta(0)), called(364 * DAY)]
    return *kept, spent(DAY + timedelta(minutes=1)), called(366 * DAY)


def left():
    return set(SpentConfirmation.objects.all()), set(ToolCall.objects.all())


def test_it_deletes_what_is_over_and_says_how_much(rows):
    assert prune() == ["spent confirmations: 1 deleted", "audit rows: 1 deleted"]
    assert left() == (set(rows[0]), set(rows[1]))


def test_second_run_finds_nothing(rows):
    prune()
    assert prune() == ["spent confirmations: 0 deleted", "audit rows: 0 deleted"]


def test_dry_run_counts_and_deletes_nothing(rows):
    assert prune(dry_run=True) == ["spent confirmations: 1 would be deleted", "audit rows: 1 would be deleted"]
    assert left() == ({*rows[0], rows[2]}, {*rows[1], rows[3]})


@pytest.mark.parametrize(("days", "words"), [(0, "kept for ever"), (300, "2 deleted"), (366, "1 deleted")])
def test_setting_says_how_long_audit_rows_stay(rows, settings, days, words):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "AUDIT_RETENTION_DAYS": days}
    assert prune()[1] == f"audit rows: {words}"


def test_it_works_in_small_transactions(db, monkeypatch, django_assert_num_queries):
    for _ in range(5):
        spent(2 * DAY)
    monkeypatch.setattr(mcp_prune, "BATCH", 2)
    # Three of a savepoint, a choice, a deletion and the end of the savepoint; and the choice of audit rows.
    with django_assert_num_queries(3 * 4 + 3):
        assert prune()[0] == "spent confirmations: 5 deleted"


def test_run_that_meets_another_one_ends_as_well(db, monkeypatch):
    """Whatever it has chosen, the other deletes first."""
    for _ in range(5):
        spent(2 * DAY)
    monkeypatch.setattr(mcp_prune, "BATCH", 2)
    other = []

    def meet(execute, sql, params, many, context):
        if sql.startswith("DELETE") and not other:
            other.append("begun")
            other[0] = prune()[0]
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meet):
        mine = prune()[0]
    assert (mine, other) == ("spent confirmations: 0 deleted", ["spent confirmations: 5 deleted"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time: run on PostgreSQL")
def test_four_runs_at_once_share_the_work(transactional_db, monkeypatch):
    SpentConfirmation.objects.bulk_create(
        SpentConfirmation(nonce=uuid.uuid4(), expires_at=timezone.now() - 2 * DAY) for _ in range(500)
    )
    monkeypatch.setattr(mcp_prune, "BATCH", 7)

    def run(_):
        try:
            return int(prune()[0].split()[2])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(run, range(4))) == 500
    assert not SpentConfirmation.objects.exists()


def shift(monkeypatch, seconds):
    """What the clock of this process says from now on, to the signature as well."""
    before = confirmation.time
    monkeypatch.setattr("time.time", lambda: before() + seconds)
    monkeypatch.setattr(confirmation, "time", lambda: before() + seconds)


def test_yes_whose_row_is_deleted_counts_no_more_whatever_the_settings_say_then(mcp_for, tenant, settings, monkeypatch):
    client = mcp_for(tenant.owner)
    client.capabilities = {"elicitation": {}}
    arguments = {"id": str(tenant.inbox.pk)}
    state = client.call("inboxes_delete", arguments)["requestState"]
    client.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)
    Inbox.objects.filter(pk=tenant.inbox.pk).update(deleted_at=None)
    SpentConfirmation.objects.all().delete()
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "CONFIRMATION_SECONDS": 10 * 86_400}
    shift(monkeypatch, 301)
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}
    assert client.error("tools/call", params)["code"] == -32602
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()


def test_row_lasts_as_long_as_its_seal_however_the_setting_was_changed_between(mcp_for, tenant, settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "CONFIRMATION_SECONDS": 3_600}
    client = mcp_for(tenant.owner)
    client.capabilities = {"elicitation": {}}
    arguments = {"id": str(tenant.inbox.pk)}
    state = client.call("inboxes_delete", arguments)["requestState"]
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "CONFIRMATION_SECONDS": 60}
    client.call("inboxes_delete", arguments, requestState=state, inputResponses=YES)
    lasts = SpentConfirmation.objects.get().expires_at - timezone.now()
    assert timedelta(seconds=3_590) < lasts <= timedelta(seconds=3_600)
