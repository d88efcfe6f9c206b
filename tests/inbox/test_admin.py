"""Django admin: it opens for every table, the tenants' rows cannot be changed, and nothing secret is shown."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inbox.models import Membership, Role, SystemEvent, User

LOOK_ONLY = (*("workspace", "agent", "inbox", "email", "agentrun", "webhook", "webhookdelivery", "systemevent"),)


@pytest.fixture
def staff(client, db):
    client.force_login(User.objects.create_superuser("root@example.com"))
    return client


@pytest.fixture
def fill(make_run, make_webhook, make_delivery):
    """Writes a row of every family into a tenant: ``fill(tenant)``."""

    def write(tenant):
        workspace = tenant.workspace
        run = make_run(tenant.inbox)
        make_delivery(make_webhook(workspace, inbox_id=tenant.inbox.pk))
        SystemEvent.objects.create(workspace=workspace, slug="x", inbox=tenant.inbox, email=run.email)

    return write


@pytest.mark.parametrize("name", ["user", "organization", "membership", *LOOK_ONLY])
def test_list_search_and_every_row_open(staff, tenant, fill, name):
    fill(tenant)
    page = reverse(f"admin:inbox_{name}_changelist")
    assert staff.get(page).status_code == 200
    assert staff.get(page, {"q": "acme"}).status_code == 200
    model = next(each for each in admin.site._registry if each._meta.label_lower == f"inbox.{name}")
    row = model._default_manager.first()
    assert staff.get(reverse(f"admin:inbox_{name}_change", args=[row.pk])).status_code == 200


@pytest.mark.parametrize("name", ["membership", *LOOK_ONLY])
def test_list_costs_the_same_for_one_row_and_for_many(staff, tenant, other_tenant, fill, name):
    page, counts = reverse(f"admin:inbox_{name}_changelist"), []
    fill(tenant)
    for rows in (1, 6):
        for _ in range(rows):
            fill(tenant)
        with CaptureQueriesContext(connection) as captured:
            assert staff.get(page).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", [name for name in LOOK_ONLY if name != "workspace"])
def test_rows_of_one_tenant_are_picked_out(staff, tenant, other_tenant, fill, name):
    fill(tenant)
    fill(other_tenant)
    page = reverse(f"admin:inbox_{name}_changelist")
    shown = staff.get(page, {"workspace__id__exact": str(tenant.workspace.pk)}).context["cl"].result_list
    assert {row.workspace for row in shown} == {tenant.workspace}
    assert {row.workspace for row in staff.get(page).context["cl"].result_list} == {
        tenant.workspace,
        other_tenant.workspace,
    }


@pytest.mark.parametrize("name", LOOK_ONLY)
def test_nothing_can_be_done_to_the_rows_of_tenants(staff, tenant, fill, name):
    fill(tenant)
    page = staff.get(reverse(f"admin:inbox_{name}_changelist"))
    assert page.context["action_form"] is None
    assert not page.context["has_add_permission"]


def test_every_action_there_is_asks_for_a_permission():
    """Django offers an action without one to whoever may look."""
    for model, page in admin.site._registry.items():
        if model._meta.app_label == "inbox":
            for action in page.actions:
                assert getattr(page, str(action), action).allowed_permissions, (model, action)
    assert all(action.allowed_permissions for _, action in admin.site.actions)


def test_person_without_the_permission_sees_no_family(client, tenant, fill):
    fill(tenant)
    client.force_login(User.objects.create_user("staff@example.com", is_staff=True))
    for name in LOOK_ONLY:
        assert client.get(reverse(f"admin:inbox_{name}_changelist")).status_code == 403


def test_secrets_of_a_webhook_are_not_even_read(staff, make_webhook, make_delivery):
    webhook = make_webhook(auth="bearer", auth_bearer_token="seekret")
    delivery = make_delivery(webhook, request_headers={"A": "sent"}, response_body="came back")
    for name, row in (("webhook", webhook), ("webhookdelivery", delivery)):
        for page in (reverse(f"admin:inbox_{name}_changelist"), reverse(f"admin:inbox_{name}_change", args=[row.pk])):
            with CaptureQueriesContext(connection) as captured:
                shown = staff.get(page).content.decode()
            assert not [word for word in ("sealed", "seekret", "came back", "whsec") if word in shown]
            if name == "webhook" or page.endswith("/webhookdelivery/"):
                assert not [query for query in captured.captured_queries if "sealed" in query["sql"]], page


def test_role_of_a_member_is_changed_here(staff, tenant):
    membership = Membership.objects.get(user=tenant.viewer)
    form = {"user": tenant.viewer.pk, "organization": tenant.organization.pk, "role": Role.OPERATOR}
    staff.post(reverse("admin:inbox_membership_change", args=[membership.pk]), form)
    assert Membership.objects.get(pk=membership.pk).role == Role.OPERATOR


@pytest.mark.parametrize("name", LOOK_ONLY)
def test_rows_of_tenants_cannot_be_added(staff, name):
    assert staff.get(reverse(f"admin:inbox_{name}_add")).status_code == 403


def test_row_of_a_tenant_can_be_looked_at_only(staff, tenant):
    page = reverse("admin:inbox_inbox_change", args=[tenant.inbox.pk])
    assert staff.get(page).status_code == 200
    assert staff.post(page, {"label": "changed"}).status_code == 403
    assert staff.post(reverse("admin:inbox_inbox_delete", args=[tenant.inbox.pk]), {"post": "yes"}).status_code == 403


def test_text_of_a_mail_stays_out(staff, tenant, make_email):
    email = make_email(tenant.inbox, body_text="between the two of us")
    answer = staff.get(reverse("admin:inbox_email_change", args=[email.pk]))
    assert answer.status_code == 200
    assert b"between the two of us" not in answer.content


def test_person_is_added_by_address(staff):
    form = {"email": "New@Example.com", "usable_password": "false"}
    inline = {f"memberships-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    staff.post(reverse("admin:inbox_user_add"), {**form, **inline})
    assert User.objects.get(email="new@example.com").has_usable_password() is False


def test_every_table_of_the_host_is_registered():
    registered = {model._meta.model_name for model in admin.site._registry}
    assert {"user", "organization", "membership", *LOOK_ONLY} <= registered
