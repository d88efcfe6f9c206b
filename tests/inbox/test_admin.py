"""Django admin: it opens for every table, the tenants' rows cannot be changed, and nothing secret is shown."""

import pytest
from django.contrib import admin
from django.urls import reverse

from inbox.models import SystemEvent, User

LOOK_ONLY = ("workspace", "agent", "inbox", "email", "systemevent")


@pytest.fixture
def staff(client, db):
    client.force_login(User.objects.create_superuser("root@example.com"))
    return client


@pytest.mark.parametrize("name", ["user", "organization", *LOOK_ONLY])
def test_list_and_search_open(staff, tenant, make_email, name):
    SystemEvent.objects.create(workspace=tenant.workspace, slug="x", email=make_email(tenant.inbox))
    assert staff.get(reverse(f"admin:inbox_{name}_changelist")).status_code == 200
    assert staff.get(reverse(f"admin:inbox_{name}_changelist"), {"q": "acme"}).status_code == 200


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
    assert {"user", "organization", *LOOK_ONLY} <= registered
