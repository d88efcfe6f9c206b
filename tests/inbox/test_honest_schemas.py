"""The tools' schemas say neither more nor less than the endpoints: what fits is not refused for its shape, what does
not fit is not taken. HONESTY_EXAMPLES sets how many values are tried for each tool."""

import json
import os
import re
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kobana_mcp import registry, routes
from kobana_mcp.arguments import read
from kobana_mcp.schemas import shape_of
from tests.inbox.schemas import failing, fitting

EXAMPLES = int(os.environ.get("HONESTY_EXAMPLES", "8"))
TOOLS = list(registry.tools)
each = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)

#: Refusals about what a value means here and now, or beside the others, not about what it looks like. (What is an
#: e-mail address is no matter of a pattern.)
MEANING = (
    r"cursor",
    r"There is no|does not exist|No such|not found",
    r"private|public|resolve|loopback",
    r"already|taken|in use",
    r"[Uu]nknown event",
    r"organization",
    r"Enter an e-mail address",
    r"Is no value for|Must be [a-z ]+ for (to|subject|size|has_attachment)\.",
    r'"auth_\w+": \["This field is required',
    r"[Oo]nly a new|fixed|[Cc]annot be changed|may only",
)


@pytest.fixture
def rest(rest_for, tenant):
    return rest_for(tenant.owner)


def send(rest, tool, arguments):
    """The arguments at the URL itself, each where the route takes it, as they are."""
    shape, route = shape_of(tool), routes.of(tool)
    placed = {place: {} for place in ("path", "query", "body")}
    for name, value in arguments.items():
        placed[shape.places.get(name, "body" if route.has_body else "query")][name] = value
    path, _ = route.locate(dict.fromkeys(route.parameters, "x") | placed["path"])
    query = urlencode({name: value for name, value in placed["query"].items() if value is not None}, doseq=True)
    body = json.dumps(placed["body"]) if route.has_body else ""
    return rest.generic(route.method, f"{path}?{query}", body, "application/json")


def path_arguments(tool, rows):
    """Rows that are there, for the path alone; an id of its own for what an upsert makes."""
    names = shape_of(tool).places
    kind = {"webhook_deliveries": "webhook"}.get(tool.name.rpartition("_")[0])
    kind = kind or routes.of(tool).name.removeprefix("inbox-api:").split("-")[0]
    kind = {"agent": "agent_run" if "agent-run" in tool.route else "agent", "system": "system_event"}.get(kind, kind)
    found = {"id": str(rows[kind].pk)} if names.get("id") == "path" else {}
    if tool.method == "PUT":
        found["id"] = str(rows[kind].external_id)
    if names.get("delivery_id") == "path":
        found |= {"id": str(rows["webhook"].pk), "delivery_id": str(rows["delivery"].pk)}
    return found


@each
def test_what_fits_the_schema_is_not_refused_for_its_shape(tool, rest, made_rows):
    shape = shape_of(tool)

    @given(st.data())
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def tried(data):
        arguments = data.draw(fitting(shape.schema)) | path_arguments(tool, made_rows)
        read(shape, arguments)
        answer = send(rest, tool, arguments)
        assert answer.status_code != 500
        if answer.status_code == 400:
            error = answer.json()["error"]
            words = json.dumps(error.get("details") or error["message"])
            assert re.search("|".join(MEANING), words), (arguments, words)

    tried()


def wrong_ones(tool):
    """Arguments with one thing wrong: the words that are broken, the argument, the value."""
    shape = shape_of(tool)
    for name, place in shape.places.items():
        for word, value in failing(shape.schema["properties"][name]):
            text_only = place == "query" and word in ("type", "items.type")
            if place != "path" and not text_only:
                yield word, name, value
    yield "additionalProperties", "no_such_argument", "x"


@each
def test_what_does_not_fit_the_schema_is_not_taken(tool, rest, made_rows):
    shape = shape_of(tool)
    right = path_arguments(tool, made_rows)
    for word, name, value in wrong_ones(tool):
        answer = send(rest, tool, {**right, name: value})
        assert answer.status_code in (400, 422), (word, name, value, answer.status_code, answer.content[:200])
    for name in shape.schema["required"]:
        if shape.places[name] == "body":
            answer = send(rest, tool, right)
            assert name in answer.json()["error"]["details"]["fieldErrors"], name
