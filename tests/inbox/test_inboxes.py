"""Inboxes over REST: made, read, changed, upserted; and who may write to them."""

import re
import uuid

import pytest

from inbox.models import Agent, Inbox, SystemEvent

INBOXES = "/api/v1/inboxes"


@pytest.fixture
def admin(rest_for, tenant):
    return rest_for(tenant.admin, "inbox.inboxes")


@pytest.fixture
def agent(tenant):
    return Agent.objects.create(workspace=tenant.workspace, label="A", llm_model="m", external_id=uuid.uuid4())


def made(admin, **fields):
    answer = admin.post(INBOXES, {"label": "Orders & more", **fields}, "application/json")
    assert answer.status_code == 201, answer.content
    return answer.json()["data"]


def faults(answer, status=400):
    assert answer.status_code == status, answer.content
    found = answer.json()["error"]["details"]["fieldErrors"]
    return {name.partition(".")[0]: words for name, words in found.items()}


def test_inbox_without_an_address_gets_one_of_prefix_label_and_token(admin, tenant):
    inbox = made(admin)
    prefix = re.escape(tenant.workspace.email_prefix)
    assert re.fullmatch(rf"{prefix}-orders-more-[a-z2-7]{{7}}@inbox\.example", inbox["email"])
    assert (inbox["status"], inbox["external_id"]) == ("active", inbox["id"])
    assert (inbox["attachments_allow"], inbox["attachments_max_file_number"]) == (True, 10)


@pytest.mark.parametrize("label", ["x" * 120, "日本語の受信箱", "---", "É" * 100])
def test_made_address_is_one_whatever_the_label(admin, label):
    local, _, domain = made(admin, label=label)["email"].partition("@")
    assert len(local) <= 64 and domain == "inbox.example"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", local)


def test_given_address_is_taken_in_small_letters(admin):
    assert made(admin, email="Orders@Inbox.Example")["email"] == "orders@inbox.example"


def test_address_of_another_domain_is_unprocessable(admin):
    answer = admin.post(INBOXES, {"label": "x", "email": "a@elsewhere.example"}, "application/json")
    assert "inbox.example" in faults(answer, 422)["email"][0]


def test_address_in_use_is_a_conflict_also_in_another_tenant(admin, other_tenant):
    answer = admin.post(INBOXES, {"label": "x", "email": other_tenant.inbox.email}, "application/json")
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        409,
        "There is already an inbox of this address.",
    )


def test_agent_is_named_by_either_id_and_null_takes_it_away(admin, agent):
    inbox = made(admin, agent_id=str(agent.external_id))
    assert inbox["agent_id"] == str(agent.pk)
    assert admin.get(f"{INBOXES}?agent_id={agent.external_id}").json()["data"] == [inbox]
    answer = admin.patch(f"{INBOXES}/{inbox['id']}", {"agent_id": None}, "application/json")
    assert answer.json()["data"]["agent_id"] is None


def test_agent_that_there_is_not_or_of_another_tenant_is_unprocessable(admin, other_tenant):
    foreign = Agent.objects.create(workspace=other_tenant.workspace, label="A", llm_model="m")
    for key in (foreign.pk, uuid.uuid4()):
        answer = admin.post(INBOXES, {"label": "x", "agent_id": str(key)}, "application/json")
        assert faults(answer, 422) == {"agent_id": ["There is no such agent."]}


@pytest.mark.parametrize("field", ["email", "external_id", "allowed_recipients", "metadata", "workspace_id"])
def test_what_is_fixed_cannot_be_patched(admin, tenant, field):
    answer = admin.patch(f"{INBOXES}/{tenant.inbox.pk}", {field: None}, "application/json")
    assert faults(answer) == {field: ["There is no such field."]}


GOOD_RULES = [
    {"field": "to", "op": "contains", "value": "spam"},
    {"field": "subject", "op": "equals", "value": "Out of office"},
    {"field": "has_attachment", "op": "equals", "value": True},
    {"field": "size", "op": "over", "value": 1_000_000},
]


def test_rules_are_kept_as_given_and_replaced_as_a_whole(admin):
    inbox = made(admin, filters=GOOD_RULES)
    assert inbox["filters"] == GOOD_RULES
    answer = admin.patch(f"{INBOXES}/{inbox['id']}", {"filters": []}, "application/json")
    assert answer.json()["data"]["filters"] == []


@pytest.mark.parametrize(
    "rule",
    [
        {"field": "body", "op": "contains", "value": "x"},
        {"field": "size", "op": "contains", "value": 5},
        {"field": "size", "op": "over", "value": "5"},
        {"field": "size", "op": "over", "value": True},
        {"field": "size", "op": "over", "value": 10**400},
        {"field": "has_attachment", "op": "equals", "value": 1},
        {"field": "to", "op": "equals", "value": ""},
        {"field": "to", "op": "equals", "value": "a\0b"},
        {"field": "to", "op": "equals", "value": "x" * 201},
        {"field": "to", "op": "equals"},
        {"field": "to", "op": "equals", "value": "x", "more": 1},
        {"field": "to", "op": "equals", "value": None},
        "to",
        None,
    ],
)
def test_rule_that_is_none_is_explained_and_nothing_is_written(admin, rule):
    assert faults(admin.post(INBOXES, {"label": "x", "filters": [rule]}, "application/json"))["filters"]
    assert Inbox.objects.count() == 1


def test_senders_are_lower_cased_once_each_and_in_order(admin):
    inbox = made(admin, allowed_recipients=["B@x.Example", "@Partner.Example", "b@X.example", "a@x.example"])
    assert inbox["allowed_recipients"] == ["b@x.example", "@partner.example", "a@x.example"]


@pytest.mark.parametrize(
    "entry", ["nope", "@", "@@x.example", "a@", "", " ", 5, None, "a b@c", "x" * 300 + "@x.example"]
)
def test_sender_that_is_neither_address_nor_domain_is_refused(admin, tenant, entry):
    assert "allowed_recipients" in faults(
        admin.post(INBOXES, {"label": "x", "allowed_recipients": [entry]}, "application/json")
    )
    path = f"{INBOXES}/{tenant.inbox.pk}/recipients"
    assert "email" in faults(admin.post(path, {"email": entry}, "application/json"))


def test_recipient_is_added_once_and_removed_by_body_or_query(admin, tenant):
    path = f"{INBOXES}/{tenant.inbox.pk}/recipients"
    first = admin.post(path, {"email": "A@w.example"}, "application/json")
    again = admin.post(path, {"email": "a@w.example"}, "application/json")
    admin.post(path, {"email": "@w.example"}, "application/json")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() == {"data": {"allowed_recipients": ["a@w.example"]}}
    answer = admin.delete(f"{path}?email=a@w.example", {"email": "@W.example"}, "application/json")
    assert answer.json() == {"data": {"allowed_recipients": ["a@w.example"]}}
    assert admin.delete(f"{path}?email=missing@w.example").json() == {"data": {"allowed_recipients": ["a@w.example"]}}
    assert admin.delete(f"{path}?email=a@w.example").json() == {"data": {"allowed_recipients": []}}
    assert SystemEvent.objects.filter(payload__changed=["allowed_recipients"]).count() == 4


def test_recipient_that_is_not_named_is_asked_for(admin, tenant):
    assert "email" in faults(admin.delete(f"{INBOXES}/{tenant.inbox.pk}/recipients"))


def test_upsert_makes_then_changes_and_may_repeat_what_is_fixed(admin):
    path = f"{INBOXES}/{uuid.uuid4()}"
    body = {"label": "Orders", "email": "orders@inbox.example", "allowed_recipients": ["a@x.example"]}
    first, second = (admin.put(path, body, "application/json") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["data"] == second.json()["data"]
    renamed = admin.put(path, {"label": "New", "status": "inactive"}, "application/json").json()["data"]
    assert (renamed["label"], renamed["status"], renamed["email"]) == ("New", "inactive", "orders@inbox.example")


@pytest.mark.parametrize("change", [{"email": "new@inbox.example"}, {"allowed_recipients": []}])
def test_upsert_of_an_existing_one_cannot_change_its_address_or_senders(admin, change):
    path = f"{INBOXES}/{uuid.uuid4()}"
    admin.put(path, {"label": "Orders", "allowed_recipients": ["a@x.example"]}, "application/json")
    assert set(faults(admin.put(path, change, "application/json"))) == set(change)


def test_upsert_never_touches_the_row_of_another_tenant(admin, other_tenant):
    answer = admin.put(f"{INBOXES}/{other_tenant.inbox.external_id}", {"label": "Mine"}, "application/json")
    assert answer.status_code == 201
    other_tenant.inbox.refresh_from_db()
    assert other_tenant.inbox.label != "Mine"


def test_list_is_filtered_by_status_and_text(admin, tenant):
    made(admin, label="Invoices")
    Inbox.objects.filter(pk=tenant.inbox.pk).update(status="inactive")
    assert [inbox["id"] for inbox in admin.get(f"{INBOXES}?status=inactive").json()["data"]] == [str(tenant.inbox.pk)]
    assert [inbox["label"] for inbox in admin.get(f"{INBOXES}?q=voice").json()["data"]] == ["Invoices"]


def test_list_costs_the_same_number_of_queries_however_many_rows_there_are(admin, django_assert_num_queries):
    with django_assert_num_queries(3):
        admin.get(INBOXES)
    for _ in range(10):
        made(admin)
    with django_assert_num_queries(3):
        assert len(admin.get(INBOXES).json()["data"]) == 11
