"""Agent runs over REST: looked at only."""

import uuid
from decimal import Decimal

import pytest

from inbox.models import Agent, Role

RUNS = "/api/v1/agent-runs"


@pytest.fixture
def viewer(rest_for, tenant):
    return rest_for(tenant.viewer, "inbox.agent_runs:read")


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["data"]]


def test_run_has_every_field_of_the_public_api_with_numbers_as_numbers(viewer, tenant, make_run):
    run = make_run(
        tenant.inbox, cost_per_token=Decimal("0.000000012345"), total_cost=Decimal("1.5"), input_tokens=2**40
    )
    shown = viewer.get(f"{RUNS}/{run.pk}").json()["data"]
    assert shown == {
        "id": str(run.pk),
        "workspace_id": str(tenant.workspace.pk),
        "inbox_id": str(tenant.inbox.pk),
        "agent_id": str(run.agent_id),
        "email_id": str(run.email_id),
        "llm_model": "local",
        "status": "running",
        "error": None,
        "input_tokens": 2**40,
        "output_tokens": 0,
        "cache_read": 0,
        "cache_write": 0,
        "cost_per_token": 1.2345e-08,
        "total_cost": 1.5,
        "duration_ms": None,
        "started_at": None,
        "finished_at": None,
        "created_at": shown["created_at"],
        "updated_at": shown["updated_at"],
    }
    assert shown["created_at"].endswith("Z")
    assert viewer.get(RUNS).json() == {"data": [shown], "meta": {"next_cursor": None}}


def test_filters_narrow_the_list(viewer, tenant, second_inbox, make_run):
    first = make_run(tenant.inbox, status="success")
    second = make_run(second_inbox, status="failed", agent=first.agent)
    third = make_run(second_inbox, email=second.email)
    Agent.objects.filter(pk=third.agent_id).update(external_id=(external := uuid.uuid4()))
    for query, expected in {
        "": [third, second, first],
        f"agent_id={first.agent_id}": [second, first],
        f"agent_id={external}": [third],
        f"email_id={second.email_id}": [third, second],
        f"inbox_id={second_inbox.pk}": [third, second],
        f"inbox_id={second_inbox.external_id}&status=failed": [second],
        "status=running": [third],
        f"agent_id={first.agent_id}&email_id={first.email_id}&inbox_id={tenant.inbox.pk}&status=success": [first],
        f"email_id={first.email_id}&status=failed": [],
    }.items():
        assert ids(viewer.get(f"{RUNS}?{query}")) == [str(run.pk) for run in expected], query


def test_runs_of_a_deleted_agent_stay(viewer, tenant, make_run):
    run = make_run(tenant.inbox)
    Agent.objects.update(deleted_at=run.created_at)
    assert ids(viewer.get(f"{RUNS}?agent_id={run.agent_id}")) == [str(run.pk)]


@pytest.mark.parametrize("name", ["agent_id", "email_id", "inbox_id"])
def test_filter_by_an_id_of_another_tenant_is_like_one_that_leads_nowhere(viewer, tenant, other_tenant, make_run, name):
    theirs = make_run(other_tenant.inbox)
    unknown = viewer.get(f"{RUNS}?{name}={uuid.uuid4()}")
    foreign = viewer.get(f"{RUNS}?{name}={getattr(theirs, name)}")
    assert unknown.status_code == foreign.status_code == 404
    assert unknown.content == foreign.content


@pytest.mark.parametrize(
    "query", ["agent_id=x", "email_id=", "inbox_id=1", "status=done", "limit=0", "agent=x", "q=abc"]
)
def test_bad_parameter_is_refused(viewer, query):
    answer = viewer.get(f"{RUNS}?{query}")
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fieldErrors"]) == [query.partition("=")[0]]


def test_run_of_another_tenant_is_like_one_that_does_not_exist(viewer, other_tenant, make_run):
    foreign, unknown = viewer.get(f"{RUNS}/{make_run(other_tenant.inbox).pk}"), viewer.get(f"{RUNS}/{uuid.uuid4()}")
    assert foreign.status_code == unknown.status_code == viewer.get(f"{RUNS}/nope").status_code == 404
    assert foreign.content == unknown.content
    assert ids(viewer.get(RUNS)) == []


def test_runs_are_read_by_every_role_with_the_scope_and_changed_by_nobody(rest_for, tenant, make_run):
    run = make_run(tenant.inbox)
    for role in Role:
        for scope in ("inbox.agent_runs:read", "inbox.agent_runs"):
            rest = rest_for(tenant.person(role), scope)
            assert ids(rest.get(RUNS)) == [str(run.pk)]
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert rest.generic(method, RUNS, "{}", "application/json").status_code == 405
            assert rest.generic(method, f"{RUNS}/{run.pk}", "{}", "application/json").status_code == 405
    refused = rest_for(tenant.owner, "inbox.emails inbox.agents inbox.system_events").get(RUNS)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "insufficient_scope")


def test_list_costs_the_same_for_one_row_and_for_many(viewer, tenant, make_run, django_assert_num_queries):
    for count in (1, 20):
        for _ in range(count):
            make_run(tenant.inbox)
        with django_assert_num_queries(3):
            viewer.get(RUNS)
