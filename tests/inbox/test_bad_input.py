"""Every field of the bodies of agents, inboxes and workspaces against everything a client may get wrong."""

import json
import uuid

import pytest

from inbox.models import Agent, Inbox, SystemEvent, Workspace

AGENT = {"label": "A", "llm_model": "m", "system_message": "s", "skills_repo": "https://git.example/x"}
INBOX = {
    "label": "I",
    "agent_id": None,
    "filters": [],
    "attachments_allow": True,
    "attachments_max_file_number": 1,
    "attachments_max_file_size": 1,
    "attachments_max_total_size": 1,
}
WORKSPACE = {
    "label": "W",
    "email_prefix": "w",
    "monthly_cost_limit": 1,
    "monthly_emails_limit": 1,
    "custom_metadata": {},
    "metadata": {},
}
NEW_INBOX = {**INBOX, "allowed_recipients": []}
#: method, path -> a body that is right
BODIES = {
    ("POST", "agents"): AGENT,
    ("PUT", "agents/{new}"): AGENT,
    ("PATCH", "agents/{agent}"): AGENT,
    ("POST", "inboxes"): {**NEW_INBOX, "external_id": str(uuid.uuid4())},
    ("PUT", "inboxes/{new}"): {**NEW_INBOX, "status": "active"},
    ("PATCH", "inboxes/{inbox}"): {**INBOX, "status": "active"},
    ("POST", "workspaces"): {**WORKSPACE, "source": "kobana_app", "external_id": str(uuid.uuid4())},
    ("PATCH", "workspaces/{workspace}"): WORKSPACE,
}
TEXTS = {"label", "llm_model", "system_message"}
BAD = {
    "an integer below": -1,
    "a huge integer": 10**400,
    "a fraction": 1.5,
    "a list of numbers": [1],
    "a list of nulls": [None],
    "a nested list": [[[]]],
    "NUL": "a\x00b",
    "a lone surrogate": "a\ud800b",
    "no uuid": "../nope",
    "a uuid without dashes": uuid.uuid4().hex,
    "a megabyte": "x" * 1_000_000,
}
NULLABLE = {"agent_id", "skills_repo", "monthly_cost_limit", "monthly_emails_limit"}
#: (field, what) -> it is no fault there
FINE = {
    *[(name, what) for name in TEXTS for what in ("no uuid", "a uuid without dashes")],
    *[(name, "a megabyte") for name in ("llm_model", "system_message")],
    ("email_prefix", "a uuid without dashes"),
    ("monthly_cost_limit", "a fraction"),
}


@pytest.fixture
def owner(rest_for, tenant):
    client = rest_for(tenant.owner)
    client.raise_request_exception = False
    return client


@pytest.fixture
def send(owner, tenant):
    agent = Agent.objects.create(workspace=tenant.workspace, label="A", llm_model="m")
    keys = {"agent": agent.pk, "inbox": tenant.inbox.pk, "workspace": tenant.workspace.pk}

    def to(method, path, body):
        text = body if isinstance(body, str) else json.dumps(body)
        return owner.generic(method, "/api/v1/" + path.format(new=uuid.uuid4(), **keys), text, "application/json")

    return to


def rows():
    tables = [list(model.objects.order_by("pk").values()) for model in (Agent, Inbox, Workspace)]
    return [*tables, SystemEvent.objects.count()]


def named(answer):
    return {name.partition(".")[0] for name in answer.json()["error"]["details"]["fieldErrors"]}


@pytest.mark.parametrize(("method", "path"), BODIES, ids=lambda value: str(value))
def test_bad_value_of_any_field_is_refused_by_name_and_nothing_is_written(send, method, path):
    good, before = BODIES[method, path], rows()
    for name in good:
        null = {} if name in NULLABLE else {"null": None}
        for what, value in {**BAD, **null}.items():
            has_no_maximum = "agents" in path and (name, what) == ("label", "a megabyte")
            if (name, what) in FINE or has_no_maximum:
                continue
            answer = send(method, path, {**good, name: value})
            assert answer.status_code == 400, (name, what, answer.content[:200])
            assert named(answer) == {name}, (name, what)
    assert rows() == before


@pytest.mark.parametrize(("method", "path"), BODIES, ids=lambda value: str(value))
def test_all_faults_are_told_at_once_unknown_keys_among_them(send, method, path):
    before = rows()
    bad = {name: [[1]] for name in (*BODIES[method, path], "nope", "deleted_at")}
    assert named(send(method, path, bad)) == set(bad)
    assert rows() == before


@pytest.mark.parametrize(("method", "path"), BODIES, ids=lambda value: str(value))
@pytest.mark.parametrize("body", ["", "{", "[]", "null", '"x"', '{"label": NaN}', "[" * 100_000, '{"a":1}{"b":2}'])
def test_body_that_is_no_object_is_refused(send, method, path, body):
    before = rows()
    answer = send(method, path, body)
    is_nothing_to_change = body == "" and method == "PATCH"
    assert answer.status_code == (200 if is_nothing_to_change else 400)
    assert rows() == before


@pytest.mark.parametrize(("method", "path"), BODIES, ids=lambda value: str(value))
def test_media_type_other_than_json_is_refused(owner, tenant, method, path):
    answer = owner.generic(method, "/api/v1/" + path.partition("/")[0], "label=x", "application/x-www-form-urlencoded")
    assert answer.status_code in (405, 415)
    assert answer.json()["error"]["code"] in ("method_not_allowed", "unsupported_media_type")
