"""Agents over REST: made, read, changed, upserted, deleted."""

import uuid

import pytest

from inbox.models import Agent, Inbox, SystemEvent

AGENTS = "/api/v1/agents"
BODY = {"label": "Reader", "llm_model": "small", "system_message": "Read the mail."}


@pytest.fixture
def admin(rest_for, tenant):
    return rest_for(tenant.admin, "inbox.agents inbox.inboxes")


def made(admin, **fields):
    answer = admin.post(AGENTS, {**BODY, **fields}, "application/json")
    assert answer.status_code == 201, answer.content
    return answer.json()["data"]


def test_agent_that_is_made_is_read_back_by_either_id(admin, tenant):
    external_id = str(uuid.uuid4())
    agent = made(admin, external_id=external_id, skills_repo="https://git.example/skills")
    assert agent["workspace_id"] == str(tenant.workspace.pk)
    for key in (agent["id"], external_id):
        assert admin.get(f"{AGENTS}/{key}").json()["data"] == agent
    assert admin.get(AGENTS).json()["data"] == [agent]


def test_external_id_is_the_id_where_none_was_given(admin):
    agent = made(admin)
    assert agent["external_id"] == agent["id"]


def test_external_id_in_use_is_a_conflict_and_free_again_after_the_deletion(admin):
    agent = made(admin, external_id=str(uuid.uuid4()))
    taken = {**BODY, "external_id": agent["external_id"]}
    assert admin.post(AGENTS, taken, "application/json").status_code == 409
    assert admin.delete(f"{AGENTS}/{agent['id']}").status_code == 204
    assert admin.post(AGENTS, taken, "application/json").status_code == 201


def test_change_touches_what_is_named_and_nothing_else(admin):
    agent = made(admin, skills_repo="https://git.example/skills")
    answer = admin.patch(f"{AGENTS}/{agent['id']}", {"system_message": "", "skills_repo": None}, "application/json")
    changed = answer.json()["data"]
    assert (changed["system_message"], changed["skills_repo"]) == ("", None)
    assert {**agent, "system_message": "", "skills_repo": None, "updated_at": changed["updated_at"]} == changed


def test_external_id_is_fixed_once_made(admin):
    agent = made(admin)
    answer = admin.patch(f"{AGENTS}/{agent['id']}", {"external_id": str(uuid.uuid4())}, "application/json")
    assert answer.json()["error"]["details"]["fieldErrors"] == {"external_id": ["There is no such field."]}


def test_upsert_makes_then_changes_and_keeps_what_is_left_out(admin):
    path = f"{AGENTS}/{uuid.uuid4()}"
    first = admin.put(path, BODY, "application/json")
    second = admin.put(path, {"label": "Renamed"}, "application/json")
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["data"]["id"] == first.json()["data"]["id"]
    assert second.json()["data"]["llm_model"] == BODY["llm_model"]


def test_upsert_of_a_new_one_needs_what_an_agent_cannot_be_without(admin):
    answer = admin.put(f"{AGENTS}/{uuid.uuid4()}", {"label": "x"}, "application/json")
    assert answer.status_code == 400
    assert set(answer.json()["error"]["details"]["fieldErrors"]) == {"llm_model", "system_message"}
    assert not Agent.objects.exists()


def test_upsert_under_the_id_of_another_agent_is_a_conflict(admin):
    agent = made(admin, external_id=str(uuid.uuid4()))
    assert admin.put(f"{AGENTS}/{agent['id']}", BODY, "application/json").status_code == 409


def test_upsert_of_a_deleted_one_makes_a_new_row(admin):
    path = f"{AGENTS}/{uuid.uuid4()}"
    first = admin.put(path, BODY, "application/json").json()["data"]
    admin.delete(path)
    again = admin.put(path, BODY, "application/json")
    assert again.status_code == 201 and again.json()["data"]["id"] != first["id"]


def test_deleted_agent_leaves_its_inboxes_running_without_one(admin, tenant):
    agent = made(admin)
    Inbox.objects.filter(pk=tenant.inbox.pk).update(agent=agent["id"])
    assert admin.delete(f"{AGENTS}/{agent['id']}").status_code == 204
    tenant.inbox.refresh_from_db()
    assert (tenant.inbox.agent, tenant.inbox.deleted_at) == (None, None)
    assert admin.get(f"{AGENTS}/{agent['id']}").status_code == 404
    assert admin.get(AGENTS).json()["data"] == []


def test_list_is_filtered_by_text_of_the_label(admin):
    made(admin, label="Invoice reader")
    made(admin, label="Other")
    assert [agent["label"] for agent in admin.get(f"{AGENTS}?q=VOICE").json()["data"]] == ["Invoice reader"]


def test_each_change_leaves_its_event_and_an_idle_one_none(admin, tenant):
    agent = made(admin)
    admin.patch(f"{AGENTS}/{agent['id']}", {"label": "Reader"}, "application/json")
    admin.patch(f"{AGENTS}/{agent['id']}", {"label": "New"}, "application/json")
    admin.delete(f"{AGENTS}/{agent['id']}")
    events = list(SystemEvent.objects.order_by("id").values_list("slug", "payload__changed"))
    assert events == [("agent.created", None), ("agent.updated", ["label"]), ("agent.deleted", None)]
    assert SystemEvent.objects.latest("id").payload["by"]["email"] == tenant.admin.email


def test_list_costs_the_same_number_of_queries_however_many_rows_there_are(admin, django_assert_num_queries):
    made(admin)
    with django_assert_num_queries(3):
        admin.get(AGENTS)
    for _ in range(10):
        made(admin)
    with django_assert_num_queries(3):
        assert len(admin.get(AGENTS).json()["data"]) == 11


def test_text_to_look_for_is_of_a_length_that_can_be_looked_for(admin):
    for text in ("ab", "x" * 201, "x" * 1_000_000):
        assert set(admin.get(AGENTS, {"q": text}).json()["error"]["details"]["fieldErrors"]) == {"q"}
