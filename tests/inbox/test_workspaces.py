"""Workspaces over REST, what they used of their limits, and reprocessing and originals of their mail."""

import uuid
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from inbox.models import AgentRun, DeliveryStatus, Email, Membership, Organization, Role, SystemEvent, Workspace

WORKSPACES = "/api/v1/workspaces"
BODY = {"source": "kobana_app", "label": "São Paulo & Rio"}


@pytest.fixture
def owner(rest_for, tenant):
    return rest_for(tenant.owner)


def faults(answer, status=400):
    assert answer.status_code == status, answer.content
    return answer.json()["error"]["details"]["fieldErrors"]


def test_workspace_that_is_made_belongs_to_the_only_organization_and_is_reached_at_once(owner, tenant):
    answer = owner.post(WORKSPACES, BODY, "application/json")
    made = answer.json()["data"]
    assert answer.status_code == 201
    assert (made["email_prefix"], made["external_id"]) == ("sao-paulo-rio", made["id"])
    assert (made["monthly_cost_limit"], made["monthly_emails_used"]) == (None, 0)
    assert Workspace.objects.get(pk=made["id"]).organization == tenant.organization
    assert owner.get(f"{WORKSPACES}/{made['id']}").json()["data"] == made


def test_owner_of_several_organizations_names_one_that_he_owns(owner, tenant, other_tenant):
    second = Organization.objects.create(name="Second", slug="second")
    Membership.objects.create(user=tenant.owner, organization=second, role=Role.OWNER)
    assert set(faults(owner.post(WORKSPACES, BODY, "application/json"))) == {"organization"}
    named = owner.post(WORKSPACES, {**BODY, "organization": str(second.pk)}, "application/json")
    assert named.status_code == 201
    for key in (other_tenant.organization.pk, uuid.uuid4()):
        foreign = owner.post(WORKSPACES, {**BODY, "organization": str(key)}, "application/json")
        assert set(faults(foreign, 422)) == {"organization"}


def test_owner_of_one_organization_cannot_change_the_workspace_of_another_where_he_only_reads(
    owner, tenant, other_tenant
):
    Membership.objects.create(user=tenant.owner, organization=other_tenant.organization, role=Role.VIEWER)
    path = f"{WORKSPACES}/{other_tenant.workspace.pk}"
    assert owner.get(path).status_code == 200
    assert owner.patch(path, {"label": "Mine"}, "application/json").status_code == 403
    assert owner.delete(path).status_code == 403


def test_external_id_is_unique_over_all_tenants(owner, other_tenant):
    taken = {**BODY, "external_id": str(other_tenant.workspace.external_id)}
    assert owner.post(WORKSPACES, taken, "application/json").status_code == 409


@pytest.mark.parametrize(
    "bad",
    [
        {"monthly_cost_limit": 0},
        {"monthly_cost_limit": -1},
        {"monthly_cost_limit": "5"},
        {"monthly_cost_limit": 10**400},
        {"monthly_emails_limit": 0},
        {"monthly_emails_limit": 1.5},
        {"monthly_emails_limit": 10**30},
        {"email_prefix": "Not-Small"},
        {"email_prefix": "a--b"},
        {"email_prefix": "x" * 61},
        {"label": ""},
        {"label": "x" * 121},
        {"label": "a\0b"},
        {"label": "\ud800"},
        {"custom_metadata": []},
        {"metadata": "x"},
        {"source": "kobana_app"},
        {"external_id": None},
        {"deleted_at": None},
    ],
    ids=str,
)
def test_bad_change_is_explained_and_nothing_is_written(owner, tenant, bad):
    before = Workspace.objects.filter(pk=tenant.workspace.pk).values().get()
    path = f"{WORKSPACES}/{tenant.workspace.pk}"
    assert set(faults(owner.patch(path, {"label": "New", **bad}, "application/json"))) == set(bad)
    assert Workspace.objects.filter(pk=tenant.workspace.pk).values().get() == before


def test_limits_are_set_and_lifted(owner, tenant):
    path = f"{WORKSPACES}/{tenant.workspace.pk}"
    limits = {"monthly_cost_limit": 12.5, "monthly_emails_limit": 1000}
    assert limits.items() <= owner.patch(path, limits, "application/json").json()["data"].items()
    lifted = dict.fromkeys(limits)
    assert lifted.items() <= owner.patch(path, lifted, "application/json").json()["data"].items()


def test_deleted_workspace_is_out_of_reach_with_all_it_holds_and_nothing_more_is_sent(
    owner, tenant, second_workspace, make_webhook, make_delivery
):
    delivery = make_delivery(make_webhook())
    assert owner.delete(f"{WORKSPACES}/{tenant.workspace.pk}").status_code == 204
    owner.defaults["HTTP_X_WORKSPACE_ID"] = str(tenant.workspace.pk)
    assert owner.get("/api/v1/inboxes").json()["error"]["code"] == "workspace_not_found"
    assert owner.get(f"{WORKSPACES}/{tenant.workspace.pk}").status_code == 404
    delivery.refresh_from_db()
    assert delivery.status == DeliveryStatus.FAILED


def test_usage_adds_up_the_month_by_day_and_by_inbox(owner, tenant, second_inbox, make_email, make_run):
    days = {10: tenant.inbox, 11: second_inbox}
    for day, inbox in days.items():
        moment = datetime(2026, 2, day, 23, 59, tzinfo=UTC)
        run = make_run(inbox, email=make_email(inbox, received_at=moment), total_cost=Decimal("0.25"))
        AgentRun.objects.filter(pk=run.pk).update(created_at=moment)
    make_email(tenant.inbox, received_at=datetime(2026, 3, 1, tzinfo=UTC))
    usage = owner.get(f"{WORKSPACES}/{tenant.workspace.pk}/usage?month=2026-02").json()["data"]
    assert (usage["month"], usage["emails_used"], usage["cost_used"]) == ("2026-02", 2, 0.5)
    assert usage["by_day"] == [
        {"date": "2026-02-10", "emails": 1, "cost": 0.25},
        {"date": "2026-02-11", "emails": 1, "cost": 0.25},
    ]
    assert {row["email"]: row["emails"] for row in usage["by_inbox"]} == {tenant.inbox.email: 1, second_inbox.email: 1}


@pytest.mark.parametrize("month", ["2026-13", "2026", "0000-01", "2026-1", "x"])
def test_usage_of_no_month_is_refused(owner, tenant, month):
    assert "month" in faults(owner.get(f"{WORKSPACES}/{tenant.workspace.pk}/usage?month={month}"))


@pytest.mark.parametrize("month", ["2026-12", "0001-01"])
def test_usage_of_any_real_month_is_answered(owner, tenant, month):
    usage = owner.get(f"{WORKSPACES}/{tenant.workspace.pk}/usage?month={month}").json()["data"]
    assert (usage["emails_used"], usage["by_day"], usage["by_inbox"]) == (0, [], [])


def test_usage_costs_the_same_number_of_queries_however_much_there_was(
    owner, tenant, make_email, django_assert_num_queries
):
    path = f"{WORKSPACES}/{tenant.workspace.pk}/usage"
    make_email(tenant.inbox)
    with django_assert_num_queries(8):
        owner.get(path)
    for _ in range(5):
        make_email(tenant.inbox)
    with django_assert_num_queries(8):
        assert owner.get(path).json()["data"]["emails_used"] == 6


def test_original_is_the_message_byte_for_byte(owner, tenant, make_email):
    raw = b"Subject: caf\xe9\r\n\r\n\x00\xff raw"
    key = default_storage.save("mail/x.eml", ContentFile(raw))
    email = make_email(tenant.inbox, raw_s3_key=key)
    answer = owner.get(f"/api/v1/emails/{email.pk}/eml")
    assert (answer.content, answer.headers["Content-Type"]) == (raw, "message/rfc822")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{email.pk}.eml"'


def test_original_that_is_gone_from_storage_is_a_404(owner, tenant, make_email):
    email = make_email(tenant.inbox, raw_s3_key="mail/lost.eml")
    assert owner.get(f"/api/v1/emails/{email.pk}/eml").json()["error"]["code"] == "not_found"


@pytest.mark.parametrize("status", ["received", "approved", "rejected", "processing", "processed", "failed"])
def test_mail_is_reprocessed_whatever_its_status(
    rest_for, settings, tenant, make_email, status, django_capture_on_commit_callbacks
):
    backend = settings.TASKS["default"]["BACKEND"]
    assert backend == "django_tasks_db.DatabaseBackend"
    email = make_email(tenant.inbox, status=status, rejection_reason="spam")
    with django_capture_on_commit_callbacks() as callbacks:
        answer = rest_for(tenant.operator).generic("POST", f"/api/v1/emails/{email.pk}/reprocess")
    assert (answer.status_code, answer.json()["data"]["id"], len(callbacks)) == (202, str(email.pk), 1)
    event = SystemEvent.objects.get(slug="email.reprocess_requested")
    assert (event.email, event.payload["email"]["status"]) == (email, status)
    assert Email.objects.get(pk=email.pk).status == status
