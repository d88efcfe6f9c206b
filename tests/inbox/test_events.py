"""System events: the catalogue, and what of them is shown over REST."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from inbox.events import CATALOGUE
from inbox.models import Role, SystemEvent
from inbox.services import events

EVENTS = "/api/v1/system-events"


@pytest.fixture
def viewer(rest_for, tenant):
    return rest_for(tenant.viewer, "inbox.system_events:read")


@pytest.fixture
def make_event(tenant):
    def make(slug: str = "email.received", *, minutes_ago: int = 0, **fields):
        moment = timezone.now() - timedelta(minutes=minutes_ago)
        return SystemEvent.objects.create(
            **{"workspace": tenant.workspace, "slug": slug, "created_at": moment, **fields}
        )

    return make


def slugs(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["slug"] for row in answer.json()["data"]]


def ago(minutes: int) -> str:
    return (timezone.now() - timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def test_event_has_every_field_of_the_public_api(viewer, tenant, make_event, make_email):
    event = make_event(inbox=tenant.inbox, email=make_email(tenant.inbox), payload={"email": {"subject": "Hi"}})
    shown = viewer.get(f"{EVENTS}/{event.pk}").json()["data"]
    assert shown == {
        "id": str(event.pk),
        "workspace_id": str(tenant.workspace.pk),
        "inbox_id": str(tenant.inbox.pk),
        "email_id": str(event.email_id),
        "slug": "email.received",
        "payload": {"email": {"subject": "Hi"}},
        "created_at": shown["created_at"],
        "updated_at": shown["updated_at"],
    }
    assert viewer.get(EVENTS).json() == {"data": [shown], "meta": {"next_cursor": None}}


def test_filters_narrow_the_list(viewer, tenant, second_inbox, make_event, make_email):
    email = make_email(tenant.inbox)
    make_event("email.received", inbox=tenant.inbox, email=email, minutes_ago=60)
    make_event("email.approved", inbox=tenant.inbox, email=email, minutes_ago=30)
    make_event("inbox.updated", inbox=second_inbox, minutes_ago=5)
    for query, expected in {
        "": ["inbox.updated", "email.approved", "email.received"],
        "slug=email.approved": ["email.approved"],
        "slug=email": [],
        "slug=EMAIL.APPROVED": [],
        f"email_id={email.pk}": ["email.approved", "email.received"],
        f"inbox_id={second_inbox.pk}": ["inbox.updated"],
        f"inbox_id={second_inbox.external_id}": ["inbox.updated"],
        f"created_after={ago(45)}": ["inbox.updated", "email.approved"],
        f"created_before={ago(45)}": ["email.received"],
        f"created_after={ago(45)}&created_before={ago(10)}": ["email.approved"],
        f"created_after={ago(45)}&slug=email.received": [],
    }.items():
        assert slugs(viewer.get(f"{EVENTS}?{query}")) == expected, query


def test_times_are_read_with_their_zone_and_the_border_is_outside(viewer, make_event):
    event = make_event(created_at=timezone.now().replace(microsecond=0))
    here = event.created_at.astimezone(timezone.get_fixed_timezone(-180)).isoformat()
    for name in ("created_after", "created_before"):
        assert slugs(viewer.get(EVENTS, {name: here})) == []


@pytest.mark.parametrize(
    "query",
    [
        *("slug=", "slug=%00", "email_id=x", "inbox_id=5", "created_after=yesterday", "created_before=", "q=abc"),
        *("slug=a&slug=b", "created_after=2026-13-01T00:00:00Z", "created_after=" + "9" * 5000, "limit=1e3"),
    ],
)
def test_bad_parameter_is_refused(viewer, query):
    answer = viewer.get(f"{EVENTS}?{query}")
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fieldErrors"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("slug", ["nope", "%ED%A0%80", "x" * 100_000, "' OR 1=1 --"])
def test_slug_that_nothing_has_finds_nothing(viewer, make_event, slug):
    make_event()
    assert slugs(viewer.get(f"{EVENTS}?slug={slug}")) == []


def test_rows_of_another_tenant_are_like_rows_that_do_not_exist(viewer, tenant, other_tenant, make_event, make_email):
    foreign = make_email(other_tenant.inbox)
    event = make_event(workspace=other_tenant.workspace, inbox=other_tenant.inbox, email=foreign)
    for query in (f"/{event.pk}", f"?email_id={foreign.pk}", f"?inbox_id={other_tenant.inbox.pk}"):
        answer = viewer.get(EVENTS + query)
        unknown = viewer.get(EVENTS + re.sub(r"[0-9a-f-]{36}", str(uuid.uuid4()), query))
        assert answer.status_code == 404
        assert answer.content == unknown.content
    assert slugs(viewer.get(EVENTS)) == []


def test_events_are_read_by_every_role_with_the_scope_and_changed_by_nobody(rest_for, tenant, make_event):
    event = make_event()
    for role in Role:
        rest = rest_for(tenant.person(role), "inbox.system_events")
        assert slugs(rest.get(EVENTS)) == [event.slug]
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert rest.generic(method, f"{EVENTS}/{event.pk}", "{}", "application/json").status_code == 405
    refused = rest_for(tenant.owner, "inbox.emails inbox.agents inbox.agent_runs").get(EVENTS)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "insufficient_scope")


def test_list_costs_the_same_for_one_row_and_for_many(
    viewer, tenant, make_event, make_email, django_assert_num_queries
):
    for count in (1, 20):
        for _ in range(count):
            make_event(inbox=tenant.inbox, email=make_email(tenant.inbox))
        with django_assert_num_queries(3):
            viewer.get(EVENTS)


def test_catalogue_holds_the_events_of_every_step_and_says_when_they_are_written():
    assert {
        *("email.received", "email.approved", "email.rejected", "email.processing", "email.processed", "email.failed"),
        *("email.reprocess_requested", "agent_run.started", "agent_run.succeeded", "agent_run.failed"),
        *("inbox.created", "inbox.updated", "inbox.deleted", "agent.created", "agent.updated", "agent.deleted"),
        *("webhook.created", "webhook.updated", "webhook.deleted", "webhook.test"),
    } <= set(CATALOGUE)
    for slug, kind in CATALOGUE.items():
        assert slug == kind.slug
        assert re.fullmatch(r"[a-z_]+\.[a-z_]+", slug)
        assert kind.told_when.endswith(".")
        assert slug.partition(".")[0] in kind.payload


@pytest.mark.parametrize(
    ("slug", "payload"),
    [("email.recieved", {"email": {}}), ("email.received", {"mail": {}}), ("inbox.deleted", {"x": 1})],
)
def test_event_that_the_catalogue_does_not_know_cannot_be_written(tenant, slug, payload):
    with pytest.raises(ValueError, match=re.escape(slug)):
        events.record(slug, tenant.workspace, payload=payload)
    assert not SystemEvent.objects.exists()
