"""For the tests of kobana_mcp: another host than the inbox, and tools of it."""

import pytest

from kobana_mcp import registry
from kobana_mcp.registry import Scope, Tool


def make_tool(name, route, method="GET", **kwargs):
    """A tool of the other host, harmless unless said otherwise."""
    facts = {
        "title": name.title(),
        "description": f"Calls {route}.",
        "scope": "groups:read" if method == "GET" else "groups:write",
        "read_only": method == "GET",
        "destructive": False,
        "idempotent": method in ("GET", "PUT", "DELETE"),
    }
    return Tool(name=name, route=route, method=method, **{**facts, **kwargs})


SITE_TOOLS = (
    make_tool("groups_list", "group-list"),
    make_tool("groups_get", "group-detail"),
    make_tool("groups_create", "group-list", "POST"),
    make_tool("groups_replace", "group-detail", "PUT"),
    make_tool("groups_empty", "group-empty", "POST"),
    make_tool(
        "groups_delete",
        "group-detail",
        "DELETE",
        destructive=True,
        subject="group-detail",
        question="Delete the group “{name}”?",
    ),
    make_tool("echo", "echo"),
    make_tool("echo_old", "echo-old"),
    make_tool("echo_decorated", "echo-decorated"),
    make_tool("slow", "slow"),
)


@pytest.fixture
def site(settings, db):
    """The other host, serving its own tools and scopes only."""
    settings.ROOT_URLCONF = "tests.site.urls"
    settings.REST_FRAMEWORK = {}
    scopes = (
        Scope(name="groups:read", description="See groups"),
        Scope(name="groups:write", description="Change groups", implies=("groups:read",)),
    )
    with registry.tools.temporarily(*SITE_TOOLS, alone=True), registry.scopes.temporarily(*scopes, alone=True):
        yield
