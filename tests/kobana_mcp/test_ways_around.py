"""Ways around what the endpoint promises, tried by one who has read its source."""

import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import _lru_cache_wrapper

import pytest
from django.core.exceptions import ValidationError as ModelFault
from django.db import DatabaseError, connections

from inbox.models import Role
from kobana_mcp import permissions, registry, routes, schemas
from kobana_mcp.protocol.eras import LEGACY, MODERN
from tests.inbox.rows import make_rows
from tests.kobana_mcp.conftest import make_tool
from tests.site import habits

TOOLS = list(registry.tools)
each = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


@pytest.fixture(autouse=True)
def unlimited(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "RATE_LIMIT_STORAGE": ""}


@pytest.fixture
def owner(mcp_for, tenant):
    client = mcp_for(tenant.owner, era=MODERN)
    client.capabilities = {"elicitation": {}}
    return client


# --- What a call may say ----------------------------------------------------------------------------------------------

HOSTILE = [
    ["a", {"b": 1}],
    {"a": [1], "__class__": "x", "$ref": "#"},
    1.5,
    1e308,
    -(10**300),
    True,
    None,
    "",
    "\ud800",
    "x\0",
    "x" * 70_000,
    "9" * 4_000,
    "../../x",
    "'; DROP TABLE inbox_email; --",
]


@each
def test_no_value_breaks_a_tool(tool, owner, tenant):
    """Whatever stands in one argument, the answer is a result or a refusal, and no crash."""
    shape, rows = schemas.shape_of(tool), make_rows(tenant)
    right = {name: str(rows["inbox"].pk) for name, place in shape.places.items() if place == "path"}
    for name in shape.places:
        for value in HOSTILE:
            answer = owner.send("tools/call", {"name": tool.name, "arguments": {**right, name: value}})
            assert answer.status_code == 200, (name, value)
            assert "result" in answer.json(), (name, value, answer.content)


def test_whole_number_deep_in_an_argument_is_taken_as_the_schema_says(owner, tenant):
    rule = {"field": "size", "op": "over", "value": 5.0}
    assert owner.data("inboxes_update", {"id": str(tenant.inbox.pk), "filters": [rule]})


SMUGGLED = (
    *("request", "self", "args", "kwargs", "format", "_method", "__class__", "page_size", "workspace_id", "workspace"),
    *("X-Workspace-Id", "access_token", "csrfmiddlewaretoken", "ID", "id ", "\u0131d", "constructor", "data", "url"),
)


@each
def test_argument_that_is_not_in_the_schema_is_refused_whatever_its_name(tool, owner):
    known = schemas.shape_of(tool).places
    strange = {name: "x" for name in SMUGGLED if name not in known}
    faults = owner.refusal(tool.name, strange)["details"]["fieldErrors"]
    assert {name.strip() for name in strange} <= {name.strip() for name in faults}


# --- What comes out when something breaks -----------------------------------------------------------------------------

WAYS = {
    "zero": ZeroDivisionError,
    "key": KeyError,
    "os": OSError,
    "memory": MemoryError,
    "recursion": RecursionError,
    "database": DatabaseError,
    "model": ModelFault,
    "assertion": AssertionError,
    "unicode": lambda words: UnicodeDecodeError("utf-8", words.encode(), 0, 1, words),
    "stop": StopIteration,
    "generator": type("Odd", (Exception,), {"__str__": lambda self: 1 / 0}),
}


@pytest.mark.parametrize("way", WAYS)
def test_crash_of_any_kind_says_nothing_of_the_server(site, settings, mcp_for, tenant, era, way, monkeypatch):
    settings.ROOT_URLCONF = "tests.site.habits"
    settings.DEBUG = True
    monkeypatch.setattr(habits.Breaks, "errors", WAYS)
    with registry.tools.temporarily(make_tool("breaks", "breaks"), alone=True):
        answer = mcp_for(tenant.owner, era=era).send("tools/call", {"name": "breaks", "arguments": {"way": way}})
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32603)
    said = answer.content.decode()
    assert not [word for word in ("secret", "Traceback", "Error(", "tests/", ".py") if word in said]


# --- Many at once, and many after one another -------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_people_who_call_at_once_are_never_taken_for_one_another(site, settings, mcp_for, tenant):
    settings.ROOT_URLCONF = "tests.site.habits"
    people = [tenant.person(role.value) for role in Role]
    with registry.tools.temporarily(make_tool("who", "who"), alone=True):
        clients = [mcp_for(person, era=era) for person in people for era in (MODERN, LEGACY)]
        names = [person.get_username() for person in people for _ in range(2)]

        def ask(number):
            try:
                index = number % len(clients)
                said = clients[index].data("who", {"word": f"w{number}"})
                return said == {"word": f"w{number}", "people": [names[index]] * 3}
            finally:
                connections.close_all()

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            with ThreadPoolExecutor(4) as pool:
                assert all(pool.map(ask, range(48)))
        finally:
            sys.setswitchinterval(before)


def sizes():
    """How much every cache of kobana_mcp holds."""
    gc.collect()
    caches = [each for each in gc.get_objects() if type(each) is _lru_cache_wrapper]
    ours = [cache for cache in caches if cache.__module__.startswith("kobana_mcp")]
    return {f"{c.__module__}.{c.__qualname__}": c.cache_info().currsize for c in ours} | {"made": len(schemas._MADE)}


def test_nothing_that_a_caller_sends_fills_a_cache(owner, tenant):
    def speak(word):
        owner.headers = {"Accept-Language": word, "X-Workspace-Id": word, "X-Request-Id": word, "Mcp-Param-X": word}
        owner.send("tools/call", {"name": f"no_such_{word}", "arguments": {}})
        owner.send("tools/list", {"cursor": word})
        owner.send(word)
        for tool in TOOLS[:6]:
            owner.send("tools/call", {"name": tool.name, "arguments": {"id": word, word: word}})
        owner.headers = {}
        owner.send("tools/call", {"name": "inboxes_get", "arguments": {"id": word}})
        owner.call("emails_list", {"q": f"word {word}"})
        owner.tools()

    speak("warm")
    before = sizes()
    for number in range(10):
        speak(f"word{number}")
    assert sizes() == before


def test_shapes_do_not_outlive_their_routes(site):
    tool = make_tool("groups_list", "group-list")
    for _ in range(20):
        routes._find.cache_clear()
        schemas.shape_of(tool)
    permissions._address.cache_clear()
    gc.collect()
    alive = [route for route in schemas._MADE if route.name == "group-list"]
    assert len(alive) < 5
