"""Every tool against every role and scope: listed if and only if callable; and no tool leads into another tenant."""

import json
import uuid
from pathlib import Path

import pytest
from django.core import serializers

from inbox.api.urls import urlpatterns
from inbox.models import Agent, AgentRun, Email, Inbox, Role, SystemEvent, Webhook, WebhookDelivery, Workspace
from kobana_mcp import registry
from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.schemas import shape_of
from tests.inbox.operations import OPERATIONS
from tests.inbox.rows import make_rows

ROLES = (Role.VIEWER, Role.OPERATOR, Role.ADMIN, Role.OWNER)
TOOLS = list(registry.tools)
each = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
FAMILIES = (Workspace, Inbox, Agent, Email, SystemEvent, AgentRun, Webhook, WebhookDelivery)
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
PATHS = {
    f"inbox-api:{pattern.name}": str(pattern.pattern).replace("<str:", "{").replace(">", "}") for pattern in urlpatterns
}


def operation_of(tool):
    """The row of the REST matrix for the same operation."""
    (found,) = [row for row in OPERATIONS if (row.method, row.path) == (tool.method, PATHS[tool.route])]
    return found


def arguments_for(tool, rows):
    """Arguments that are right, as the REST matrix has them."""
    operation = operation_of(tool)
    row = rows.get(operation.kind)
    given = dict(operation.body()) if operation.body else {}
    if row is not None:
        given["id"] = str(row.external_id if operation.upserts else row.pk)
    if "{delivery_id}" in operation.path:
        given["delivery_id"] = str(rows["delivery"].pk)
    return given


def client_of(mcp_for, person, scope=None):
    client = mcp_for(person, scope, era=MODERN)
    client.capabilities = {"elicitation": {}}
    return client


def outcome(client, tool, arguments):
    """``ran``, ``asked``, the code of a refusal, or the HTTP status of one by the token's scope."""
    answer = client.send("tools/call", {"name": tool.name, "arguments": arguments})
    if answer.status_code != 200:
        return answer.status_code
    result = answer.json()["result"]
    if result["resultType"] == "input_required":
        return "asked"
    return json.loads(result["content"][0]["text"])["error"]["code"] if result.get("isError") else "ran"


def test_every_tool_is_an_operation_with_a_row():
    for tool in TOOLS:
        assert operation_of(tool).scope == tool.scope


@each
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_tool_is_listed_for_a_role_if_and_only_if_it_can_be_called(tool, role, made_rows, tenant, mcp_for):
    client = client_of(mcp_for, tenant.person(role.value))
    may = ROLES.index(role) >= ROLES.index(operation_of(tool).role)
    assert (tool.name in client.tools()) is may
    assert outcome(client, tool, arguments_for(tool, made_rows)) == (
        "forbidden" if not may else "asked" if tool.destructive else "ran"
    )


@each
def test_tool_is_listed_for_a_scope_if_and_only_if_it_can_be_called(tool, made_rows, tenant, mcp_for):
    with_it, without = client_of(mcp_for, tenant.owner, tool.scope), client_of(mcp_for, tenant.owner, "inbox.none:read")
    assert tool.name in with_it.tools()
    assert tool.name not in without.tools()
    assert outcome(without, tool, arguments_for(tool, made_rows)) == 403
    if tool.scope.endswith(":write"):
        reading = client_of(mcp_for, tenant.owner, tool.scope.replace(":write", ":read"))
        assert tool.name not in reading.tools()
        assert outcome(reading, tool, arguments_for(tool, made_rows)) == 403
    assert outcome(with_it, tool, arguments_for(tool, made_rows)) == ("asked" if tool.destructive else "ran")


@each
def test_nobody_is_sent_to_consent_for_what_his_role_refuses(tool, made_rows, tenant, mcp_for):
    if operation_of(tool).role is not Role.VIEWER:
        client = client_of(mcp_for, tenant.viewer, "inbox.none:read")
        assert outcome(client, tool, arguments_for(tool, made_rows)) == "forbidden"


@each
def test_refusal_for_scope_names_all_that_is_needed(tool, made_rows, tenant, mcp_for):
    client = client_of(mcp_for, tenant.owner, "inbox.none:read")
    answer = client.send("tools/call", {"name": tool.name, "arguments": arguments_for(tool, made_rows)})
    assert f'error="insufficient_scope", scope="{tool.scope}"' in answer.headers["WWW-Authenticate"]


def dump(rows):
    """Everything that is stored of a tenant's rows, read anew."""
    found = [
        row for model in FAMILIES for row in model._base_manager.filter(pk__in=[each.pk for each in rows.values()])
    ]
    return serializers.serialize("json", sorted(found, key=lambda row: str(row.pk)))


def ids_of(rows):
    keys = {str(row.pk) for row in rows.values()}
    return keys | {str(row.external_id) for row in rows.values() if hasattr(row, "external_id")}


def run_whole(client, tool, arguments):
    """The answer of a call, confirmed where it asks."""
    answer = client.send("tools/call", {"name": tool.name, "arguments": arguments})
    state = answer.json().get("result", {}).get("requestState")
    if state is None:
        return answer
    again = {"name": tool.name, "arguments": arguments, "requestState": state, "inputResponses": YES}
    return client.send("tools/call", again)


def with_ids(tool, rows, key):
    """The tool's arguments with ``key(kind)`` in the place of each id, one place at a time and all at once."""
    right = arguments_for(tool, rows)
    properties = shape_of(tool).schema["properties"]
    places = {
        name: {"delivery_id": "delivery", "id": operation_of(tool).kind}.get(name, name.removesuffix("_id"))
        for name in properties
        if name == "id" or name.endswith("_id")
    }
    places.pop("external_id", None)
    if not places:
        return
    for name, kind in places.items():
        yield {**right, name: key(kind)}
    yield {**right, **{name: key(kind) for name, kind in places.items()}}

    return shape_of(tool).schema["properties"]


@each
@pytest.mark.parametrize("role", [Role.VIEWER, Role.OWNER], ids=lambda role: role.value)
def test_another_tenants_ids_lead_nowhere(tool, role, made_rows, tenant, other_tenant, mcp_for):
    foreign = make_rows(other_tenant)
    before = dump(foreign)
    client = client_of(mcp_for, tenant.person(role.value))
    upserts = operation_of(tool).upserts

    def theirs(kind):
        return str(getattr(foreign[kind], "external_id" if upserts and kind == operation_of(tool).kind else "pk"))

    nobodys = {kind: str(uuid.uuid4()) for kind in foreign}
    for strange, missing in zip(with_ids(tool, made_rows, theirs), with_ids(tool, made_rows, nobodys.get), strict=True):
        answer, control = run_whole(client, tool, strange), run_whole(client, tool, missing)
        assert answer.status_code == control.status_code
        sent = set(map(str, strange.values()))
        said = answer.content.decode()
        assert not [key for key in ids_of(foreign) - sent if key in said]
        assert "Globex" not in said and "globex" not in said
        if not upserts:
            assert neutral(said, sent) == neutral(control.content.decode(), set(map(str, missing.values())))
        assert dump(foreign) == before


def neutral(said, sent):
    for key in sorted(sent, key=len, reverse=True):
        if len(key) == 36:
            said = said.replace(key, "<id>")
    message = json.loads(said)
    return json.dumps(message.get("result", {}).get("content") or message.get("error"))


@each
def test_another_tenants_workspace_cannot_be_chosen(tool, made_rows, tenant, other_tenant, mcp_for):
    foreign = make_rows(other_tenant)
    before = dump(foreign)
    client = client_of(mcp_for, tenant.owner)
    client.headers = {"X-Workspace-Id": str(other_tenant.workspace.pk)}
    answer = run_whole(client, tool, arguments_for(tool, foreign))
    result = answer.json()["result"]
    if not operation_of(tool).needs_workspace and operation_of(tool).kind == "":
        assert other_tenant.workspace.label not in answer.content.decode()
    else:
        assert result["isError"] is True
    assert dump(foreign) == before


def test_page_of_the_tools_says_what_they_are():
    kinds = {True: "reads", False: "changes"}
    rows = [
        f"| `{tool.name}` | {tool.title} | `{tool.scope}` | {operation_of(tool).role.value} "
        f"| {'asks first' if tool.destructive else kinds[tool.read_only]} |"
        for tool in TOOLS
    ]
    page = Path("docs/tools.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith("| `")] == rows
