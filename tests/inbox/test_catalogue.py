"""The tools as clients are told about them: they change on purpose only, and the strictest of clients takes them.

After a change that is meant: WRITE_GOLDEN=1 python -m pytest tests/inbox/test_catalogue.py, and read the difference.
"""

import json
import os
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from inbox.api.urls import urlpatterns
from kobana_mcp import registry, routes
from kobana_mcp.protocol.eras import MODERN

GOLDEN = Path(__file__).with_name("catalogue.json")
TOOLS = list(registry.tools)
each = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
#: Clients put a prefix of their own before a name, and stop at 64 characters.
LONGEST_NAME = 40
MOST_BYTES = 60_000
RESOURCES = [
    "workspaces",
    "inboxes",
    "agents",
    "webhooks",
    "webhook_deliveries",
    "emails",
    "agent_runs",
    "system_events",
]
VERBS = (
    "list get create update upsert delete usage add_recipient remove_recipient test regenerate_secret replay reprocess"
)
#: As the seed of the product has it: they run only after the server has asked a person.
ASKING = {
    *("workspaces_delete", "inboxes_delete", "agents_delete", "webhooks_delete", "webhooks_test"),
    *("webhook_deliveries_replay", "emails_reprocess", "webhooks_regenerate_secret"),
    *("inboxes_add_recipient", "inboxes_remove_recipient"),
}


@pytest.fixture
def listed(mcp_for, tenant):
    """Name -> description of every tool, as the owner gets them."""
    return {tool["name"]: tool for tool in mcp_for(tenant.owner, era=MODERN).result("tools/list")["tools"]}


def test_catalogue_is_the_golden_one(listed):
    if os.environ.get("WRITE_GOLDEN"):
        GOLDEN.write_text(json.dumps(list(listed.values()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert list(listed) == [tool["name"] for tool in golden], __doc__
    for tool in golden:
        assert listed[tool["name"]] == tool, __doc__


def test_owner_with_every_scope_sees_every_tool(listed):
    assert list(listed) == [tool.name for tool in TOOLS]


def operations():
    """Route and method of every operation of the API but the one that is a file."""
    for pattern in urlpatterns:
        for method in getattr(pattern.callback, "actions", {}):
            if method != "head" and not pattern.name.endswith("-eml"):
                yield f"inbox-api:{pattern.name}", method.upper()


def test_every_operation_of_the_api_is_one_tool_and_every_tool_an_operation():
    assert sorted((tool.route, tool.method) for tool in TOOLS) == sorted(operations())


@each
def test_name_is_resource_and_verb(tool):
    resource = max((each for each in RESOURCES if tool.name.startswith(each + "_")), key=len)
    assert tool.name.removeprefix(resource + "_") in VERBS.split()
    assert len(tool.name) <= LONGEST_NAME


@each
def test_annotations_say_what_the_tool_does(tool, listed):
    annotations = listed[tool.name]["annotations"]
    assert annotations["destructiveHint"] is (tool.name in ASKING)
    assert annotations["readOnlyHint"] is (tool.method == "GET")
    assert annotations["openWorldHint"] is False
    repeatable = tool.method in ("GET", "PUT", "PATCH", "DELETE") or tool.name == "inboxes_add_recipient"
    assert annotations["idempotentHint"] is repeatable


@each
def test_description_is_short_and_names_tools_that_exist_only(tool):
    assert 60 <= len(tool.description) <= 640
    mentioned = set(re.findall(rf"\b(?:{'|'.join(RESOURCES)})_[a-z_]+\b", tool.description))
    assert mentioned <= {each.name for each in TOOLS}


@each
def test_tool_that_asks_names_a_thing_that_can_be_read_and_fields_that_it_has(tool, rest_for, tenant, made_rows):
    if not tool.destructive:
        return
    route = routes.find(tool.subject, "GET")
    kind = route.name.removeprefix("inbox-api:").removesuffix("-detail")
    path, _ = route.locate({"id": str(made_rows[kind].pk)})
    fields = rest_for(tenant.owner).get(path).json()["data"]
    wanted = {name for source, name in registry.PLACEHOLDER.findall(tool.question) if not source}
    assert wanted and wanted <= set(fields)


def subschemas(schema):
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from subschemas(inner)
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from subschemas(schema[word])


@each
def test_strictest_client_takes_the_schema(tool, listed):
    schema = listed[tool.name]["inputSchema"]
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object" and schema["additionalProperties"] is False
    assert not {"anyOf", "oneOf", "allOf", "not", "if"} & set(schema)
    text = json.dumps(schema)
    assert not re.search(r'"(\$ref|\$defs|\$schema|\$id|definitions|nullable|oneOf|allOf|not|if)":', text)
    assert "null" not in re.sub(r'"type": "null"', "", text).split('"description"')[0]
    for part in subschemas(schema):
        assert part and ("anyOf" in part) != ("type" in part)
        assert not isinstance(part.get("type"), list)
        if part.get("type") == "array":
            assert part["items"]
        assert not {None, ""} & set(part.get("enum", ()))
        assert all(inner.get("description") for inner in part.get("properties", {}).values())
        assert None not in part.values()


def test_whole_list_stays_small(listed):
    """What a model reads before it does anything."""
    assert len(json.dumps(list(listed.values()), ensure_ascii=False).encode()) < MOST_BYTES


def test_credentials_are_secret_fields():
    for tool in TOOLS:
        given = listed_arguments(tool)
        credentials = {name for name in given if re.search(r"password|token|secret|_value|_user$", name)}
        assert credentials == set(tool.secret_fields), tool.name


def listed_arguments(tool):
    golden = {each["name"]: each for each in json.loads(GOLDEN.read_text(encoding="utf-8"))}
    return golden[tool.name]["inputSchema"]["properties"]
