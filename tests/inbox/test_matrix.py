"""Every operation against every kind of caller and of id: the exact status, generated from the table of operations."""

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from inbox.api.urls import urlpatterns
from inbox.models import Role
from tests.inbox.operations import OPERATIONS, Operation
from tests.inbox.rows import make_rows

#: Pages for people, not operations of the API.
PAGES = {"schema", "docs"}
ROLES = (Role.VIEWER, Role.OPERATOR, Role.ADMIN, Role.OWNER)
WITH_ID = [operation for operation in OPERATIONS if operation.kind]
DELETABLE = ("workspace", "inbox", "agent", "webhook")
each = pytest.mark.parametrize("operation", OPERATIONS, ids=str)
each_with_id = pytest.mark.parametrize("operation", WITH_ID, ids=str)


def served() -> set[str]:
    """Method and path of every operation that the URLconf has."""
    found = set()
    for pattern in urlpatterns:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        if path not in PAGES:
            found |= {f"{method.upper()} {path}" for method in pattern.callback.actions if method != "head"}
    return found


def test_every_operation_of_the_urlconf_has_a_row_and_every_row_is_served():
    assert served() == {str(operation) for operation in OPERATIONS}


def send(client: Client, operation: Operation, made_rows: dict[str, Any], key: str | None = None) -> int:
    found = key or (str(made_rows[operation.kind].pk) if operation.kind else "")
    if operation.upserts and key is None:
        found = str(made_rows[operation.kind].external_id)
    path = operation.path.replace("{id}", found).replace("{delivery_id}", str(made_rows["delivery"].pk))
    body = operation.body() if operation.body else None
    kind = {"content_type": "application/json"} if body is not None else {}
    answer = client.generic(operation.method, f"/api/v1/{path}", encode(body), **kind)
    return answer.status_code


def encode(body: dict[str, Any] | None) -> str:
    return "" if body is None else json.dumps(body)


@each
def test_without_a_token_nothing_is_answered_but_a_401(operation, made_rows):
    assert send(Client(), operation, made_rows) == 401


@each
def test_token_for_the_mcp_endpoint_is_none_here(operation, made_rows, tenant, token_for):
    client = Client(headers={"Authorization": f"Bearer {token_for(tenant.owner, resource='/mcp')}"})
    assert send(client, operation, made_rows) == 401


@each
def test_token_without_the_scope_is_a_403_and_with_just_that_scope_it_is_served(operation, made_rows, tenant, rest_for):
    assert send(rest_for(tenant.owner, "inbox.unrelated:read"), operation, made_rows) == 403
    if operation.scope.endswith(":write"):
        assert send(rest_for(tenant.owner, operation.scope.replace(":write", ":read")), operation, made_rows) == 403
    assert send(rest_for(tenant.owner, operation.scope), operation, made_rows) == operation.status


@each
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_role_decides(operation, role, made_rows, tenant, rest_for):
    may = ROLES.index(role) >= ROLES.index(operation.role)
    assert send(rest_for(tenant.person(role.value)), operation, made_rows) == (operation.status if may else 403)


@each_with_id
def test_row_of_another_tenant_is_answered_like_one_that_does_not_exist(
    operation, made_rows, tenant, other_tenant, rest_for
):
    client = rest_for(tenant.owner)
    foreign = make_rows(other_tenant)
    missing = send(client, operation, made_rows, str(uuid.uuid4()))
    assert missing == (201 if operation.upserts else 404)
    assert send(client, operation, {**made_rows, operation.kind: foreign[operation.kind]}) == missing
    assert send(client, operation, made_rows, "no-uuid") == 404


@pytest.mark.parametrize("operation", [each for each in WITH_ID if each.kind in DELETABLE], ids=str)
def test_deleted_row_is_gone(operation, made_rows, tenant, rest_for, second_workspace):
    client = rest_for(tenant.owner)
    client.defaults["HTTP_X_WORKSPACE_ID"] = str(tenant.workspace.pk)
    gone = made_rows[operation.kind] if operation.kind != "workspace" else second_workspace
    type(gone).objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    key = str(gone.external_id if operation.upserts else gone.pk)
    assert send(client, operation, made_rows, key) == (201 if operation.upserts else 404)


@each
def test_person_with_several_workspaces_has_to_name_one_where_one_is_acted_on(
    operation, made_rows, tenant, second_workspace, rest_for
):
    if operation.method == "POST" and operation.path == "workspaces":
        return
    expected = 400 if operation.needs_workspace else operation.status
    assert send(rest_for(tenant.owner), operation, made_rows) == expected
