"""Every success of the host fits the schema that its tool announces: the documentation is held to its word."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from inbox.api.urls import urlpatterns
from kobana_mcp import registry, routes
from kobana_mcp.protocol.eras import ERAS
from kobana_mcp.routes import RouteError
from kobana_mcp.schemas import shape_of
from kobana_mcp.testing import MCPClient
from tests.inbox.operations import OPERATIONS
from tests.inbox.test_matrix import make_rows
from tests.kobana_mcp.conftest import make_tool

VERSIONS = [version for era in ERAS for version in era.versions]
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


def operation_of(tool):
    """The row of the operation that a tool points at."""
    path = plain_path(routes.of(tool).pattern).removeprefix("api/v1/")
    return next(each for each in OPERATIONS if (each.method, each.path) == (tool.method, path))


def arguments_of(tool, rows):
    operation = operation_of(tool)
    key = getattr(rows.get(operation.kind), "external_id" if operation.upserts else "pk", "")
    known = {"id": str(key), "delivery_id": str(rows["delivery"].pk)}
    path = {name: known[name] for name in routes.of(tool).parameters}
    return path | (operation.body() if operation.body else {})


def path_of(operation, rows):
    key = getattr(rows.get(operation.kind), "external_id" if operation.upserts else "pk", "")
    return f"/api/v1/{operation.path}".replace("{id}", str(key)).replace("{delivery_id}", str(rows["delivery"].pk))


def tool_of(operation):
    """A tool that points at an operation."""
    name = next(
        pattern.name
        for pattern in urlpatterns
        if plain_path(str(pattern.pattern)) == operation.path and operation.method.lower() in pattern.callback.actions
    )
    destroys = {"destructive": True, "question": "?"} if operation.method == "DELETE" else {}
    return make_tool("t", f"inbox-api:{name}", operation.method, **destroys)


def plain_path(pattern):
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", pattern)


@pytest.mark.proves("tools-output-schema")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", [tool.name for tool in registry.tools])
def test_success_of_every_tool_fits_its_output_schema(name, version, settings, client, token_for, tenant):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "STRUCTURED_RESULTS": True}
    mcp = MCPClient(client, token_for(tenant.owner), version, capabilities={"elicitation": {}})
    tool = registry.tools.get(name)
    arguments = arguments_of(tool, make_rows(tenant))
    result = mcp.call(name, arguments)
    if result.get("resultType") == "input_required":
        result = mcp.call(name, arguments, inputResponses=YES, requestState=result["requestState"])
    (described,) = (each for each in mcp.result("tools/list")["tools"] if each["name"] == name)
    if version == "2025-03-26" or result.get("isError"):
        assert tool.destructive or not result.get("isError"), result
        assert "structuredContent" not in result
        assert ("outputSchema" in described) == (version != "2025-03-26")
        return
    assert result["structuredContent"] == json.loads(result["content"][0]["text"])
    Draft202012Validator(described["outputSchema"]).validate(result["structuredContent"])


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_success_of_every_operation_fits_what_a_tool_of_it_would_announce(operation, tenant, rest_for):
    rows = make_rows(tenant)
    kind = {"content_type": "application/json"} if operation.body else {}
    body = json.dumps(operation.body()) if operation.body else ""
    answer = rest_for(tenant.owner).generic(operation.method, path_of(operation, rows), body, **kind)
    assert answer.status_code == operation.status
    try:
        output = shape_of(tool_of(operation)).output
    except RouteError as error:
        assert "message/rfc822" in str(error)
        return
    if answer.content:
        Draft202012Validator(output).validate(json.loads(answer.content))
    else:
        assert set(output["required"]) == {"status", "message"}
