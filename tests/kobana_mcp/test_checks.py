"""Mistakes that can be seen at start-up are seen there, each under an id of its own."""

import ast
import inspect
import re

import pytest
from django.core.checks import run_checks

from kobana_mcp import checks, registry
from tests.kobana_mcp.conftest import make_tool


def ids():
    return {message.id for message in run_checks(tags=["kobana_mcp"])}


def test_host_is_in_order(db):
    assert ids() == set()


@pytest.mark.parametrize(
    ("setting", "value", "id"),
    [
        ("NO_SUCH_SETTING", 1, "kobana_mcp.W001"),
        ("BASE_URL", "", "kobana_mcp.E001"),
        ("BASE_URL", "mcp.example.com", "kobana_mcp.E001"),
        ("BASE_URL", "https://example.com/path", "kobana_mcp.E001"),
        ("ALLOWED_ORIGINS", ["https://app.example", "https://*.example"], "kobana_mcp.E005"),
        ("ENDPOINT_PATH", "/elsewhere", "kobana_mcp.E006"),
        ("TENANT_KEY", "inbox.nowhere.at_all", "kobana_mcp.E008"),
        ("BASE_URL", "https://user@example.com", "kobana_mcp.E001"),
    ],
)
def test_wrong_setting_is_found(settings, setting, value, id):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, setting: value}
    assert ids() == {id}


def test_tool_with_a_scope_nobody_declared_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    with registry.tools.temporarily(make_tool("echo", "echo"), alone=True):
        assert ids() == {"kobana_mcp.E002"}


def test_tool_whose_route_or_subject_is_not_there_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scopes = [registry.Scope(name=name, description="-") for name in ("groups:read", "groups:write")]
    lost = make_tool("lost", "nowhere")
    blind = make_tool("blind", "group-detail", "DELETE", destructive=True, subject="nowhere", question="?")
    for tool in (lost, blind):
        read = make_tool("echo", "echo")
        with registry.tools.temporarily(read, tool, alone=True), registry.scopes.temporarily(*scopes, alone=True):
            assert ids() == {"kobana_mcp.E003"}


def test_first_tool_that_changes_something_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scope = registry.Scope(name="groups:write", description="-")
    changing = make_tool("groups_create", "group-list", "POST")
    with registry.tools.temporarily(changing, alone=True), registry.scopes.temporarily(scope, alone=True):
        assert ids() == {"kobana_mcp.W002"}


def test_no_id_is_used_twice():
    source = ast.unparse(ast.parse(inspect.getsource(checks)))
    used = re.findall(r"kobana_mcp\.[EW]\d{3}", source)
    assert len(used) == len(set(used)) > 5


def test_middleware_that_is_not_installed_is_found(settings):
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "Origin" not in name]
    assert ids() == {"kobana_mcp.E007"}


def test_scope_that_implies_an_undeclared_one_and_a_secret_that_is_no_argument_are_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scope = registry.Scope(name="groups:read", description="-", implies=("groups:nothing",))
    tool = make_tool("echo", "echo", secret_fields=("secrte",))
    with registry.tools.temporarily(tool, alone=True), registry.scopes.temporarily(scope, alone=True):
        assert ids() == {"kobana_mcp.E009", "kobana_mcp.E010"}
