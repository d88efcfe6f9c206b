"""Reading mail over REST."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from inbox.models import Agent, EmailStatus

READ = "inbox.emails:read"
EMAILS = "/api/v1/emails"


@pytest.fixture
def viewer(rest_for, tenant):
    return rest_for(tenant.viewer, READ)


def subjects(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["subject"] for row in answer.json()["data"]]


def test_list_is_newest_first_in_the_page_envelope(viewer, tenant, make_email):
    for age in (3, 1, 2):
        make_email(tenant.inbox, subject=f"{age} old", minutes_ago=age)
    answer = viewer.get(EMAILS)
    assert subjects(answer) == ["1 old", "2 old", "3 old"]
    assert set(answer.json()) == {"data", "meta"}
    assert answer.json()["meta"] == {"next_cursor": None}


def test_list_leaves_the_body_out_and_get_has_it(viewer, tenant, make_email):
    email = make_email(tenant.inbox, body_html="<p>Hi</p>")
    assert "body" not in viewer.get(EMAILS).json()["data"][0]
    shown = viewer.get(f"{EMAILS}/{email.pk}").json()["data"]
    assert shown["body"] == {"text": "Text of the body", "html": "<p>Hi</p>"}


def test_email_has_every_field_of_the_public_api(viewer, tenant, make_email):
    email = make_email(tenant.inbox)
    shown = viewer.get(f"{EMAILS}/{email.pk}").json()["data"]
    assert set(shown) == {
        *("id", "workspace_id", "inbox_id", "agent_id", "message_id", "raw_s3_key", "subject", "from", "to", "cc"),
        *("bcc", "header_to", "forwarded", "forwarded_for", "attachments", "status", "rejection_reason"),
        *("spam_verdict", "virus_verdict", "aws_ses_metadata", "custom_metadata", "agent_metadata", "metadata"),
        *("sent_at", "processed_at", "received_at", "created_at", "updated_at", "body"),
    }
    assert shown["from"] == "writer@example.com"
    assert shown["to"] == [tenant.inbox.email]
    assert shown["received_at"].endswith("Z")


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("", {"text": "0123456789", "html": "<p>abc</p>"}),
        ("body=both", {"text": "0123456789", "html": "<p>abc</p>"}),
        ("body=text", {"text": "0123456789", "html": None}),
        ("body=html", {"text": None, "html": "<p>abc</p>"}),
        ("body=none", None),
        ("body_offset=8", {"text": "89", "html": "/p>"[1:]}),
        ("body_limit=3", {"text": "012", "html": "<p>"}),
        ("body=text&body_offset=4&body_limit=3", {"text": "456", "html": None}),
        ("body=text&body_offset=1000", {"text": "", "html": None}),
    ],
)
def test_body_is_read_in_pieces(viewer, tenant, make_email, query, body):
    email = make_email(tenant.inbox, body_text="0123456789", body_html="<p>abc</p>")
    shown = viewer.get(f"{EMAILS}/{email.pk}?{query}").json()["data"]
    assert shown.get("body") == body
    assert ("body" in shown) == (body is not None)


def test_body_part_that_is_missing_is_null(viewer, tenant, make_email):
    email = make_email(tenant.inbox, body_text=None)
    assert viewer.get(f"{EMAILS}/{email.pk}").json()["data"]["body"] == {"text": None, "html": None}


def test_filters_narrow_the_list(viewer, tenant, second_inbox, make_email):
    agent = Agent.objects.create(workspace=tenant.workspace, label="a", llm_model="m")
    make_email(tenant.inbox, subject="Invoice of May", status=EmailStatus.PROCESSED, agent=agent, minutes_ago=60)
    make_email(tenant.inbox, subject="Order", status=EmailStatus.FAILED, sender="other@example.com", minutes_ago=30)
    make_email(second_inbox, subject="Greeting", minutes_ago=1)
    an_hour_ago = (timezone.now() - timedelta(minutes=45)).isoformat().replace("+00:00", "Z")
    for query, expected in {
        "": ["Greeting", "Order", "Invoice of May"],
        "status=failed": ["Order"],
        "status=failed&status=processed": ["Order", "Invoice of May"],
        f"inbox_id={second_inbox.pk}": ["Greeting"],
        f"inbox_id={second_inbox.external_id}": ["Greeting"],
        f"agent_id={agent.pk}": ["Invoice of May"],
        "from=OTHER@example.com": ["Order"],
        f"received_after={an_hour_ago}": ["Greeting", "Order"],
        f"received_before={an_hour_ago}": ["Invoice of May"],
        "q=invoice": ["Invoice of May"],
        "q=other@": ["Order"],
        "q=nothing": [],
        "status=failed&q=invoice": [],
    }.items():
        assert subjects(viewer.get(f"{EMAILS}?{query}")) == expected, query


def test_address_filter_finds_one_domain_in_both_its_forms(viewer, tenant, make_email):
    make_email(tenant.inbox, subject="Buch", sender="user@xn--bcher-kva.example")
    assert subjects(viewer.get(EMAILS, {"from": "user@bücher.example"})) == ["Buch"]
    assert subjects(viewer.get(EMAILS, {"from": "user@xn--bcher-kva.example"})) == ["Buch"]


def test_mail_of_a_deleted_inbox_stays_and_can_be_asked_for(viewer, tenant, make_email):
    make_email(tenant.inbox)
    tenant.inbox.deleted_at = timezone.now()
    tenant.inbox.save()
    assert subjects(viewer.get(EMAILS)) == ["Hello"]
    assert subjects(viewer.get(f"{EMAILS}?inbox_id={tenant.inbox.pk}")) == ["Hello"]


def test_filter_by_an_id_that_leads_nowhere_is_not_found(viewer, other_tenant):
    unknown = viewer.get(f"{EMAILS}?inbox_id={uuid.uuid4()}")
    foreign = viewer.get(f"{EMAILS}?inbox_id={other_tenant.inbox.pk}")
    assert unknown.status_code == foreign.status_code == 404
    assert unknown.content == foreign.content


@pytest.mark.parametrize("key", ["nope", "%00", "..%2Finboxes", "%20", "x" * 5000])
def test_id_that_is_no_uuid_is_not_found(viewer, key):
    answer = viewer.get(f"{EMAILS}/{key}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_list_costs_the_same_number_of_queries_for_one_row_and_for_many(
    viewer, tenant, make_email, django_assert_num_queries
):
    make_email(tenant.inbox)
    with django_assert_num_queries(3):
        viewer.get(EMAILS)
    for _ in range(30):
        make_email(tenant.inbox)
    with django_assert_num_queries(3):
        assert len(viewer.get(EMAILS).json()["data"]) == 31


def test_list_does_not_load_bodies(viewer, tenant, make_email, django_assert_num_queries):
    make_email(tenant.inbox)
    with django_assert_num_queries(3) as captured:
        viewer.get(EMAILS)
    assert "body_text" not in captured.captured_queries[-1]["sql"]
