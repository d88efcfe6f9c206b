"""Case RL: who calls too often is told so, and for how long to wait."""

import re

import pytest
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import exception_handler

from kobana_mcp import registry, routes
from tests.cases.speech import call, post, refusal

LISTED = "https://app.example.test"


@pytest.fixture
def two_calls(settings):
    own = {"CALLS_PER_MINUTE": 2, "ALLOWED_ORIGINS": [LISTED]}
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, **own}


def list_workspaces(mcp, id=1):
    return post(mcp, call(mcp, "workspaces_list", {}, id), "tools/call", "workspaces_list", Origin=LISTED)


@pytest.mark.proves("tools-rate")
def test_rl_01_a_spent_budget_is_a_429_in_json_with_the_seconds_to_wait(mcp, two_calls):
    answers = [list_workspaces(mcp, id) for id in ("a", "b", "c")]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert refusal(answers[2]) == (429, 429, "c")
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 61
    assert answers[2].headers["Access-Control-Allow-Origin"] == LISTED
    assert "Retry-After" in answers[2].headers["Access-Control-Expose-Headers"]


def test_rl_01_the_budget_of_calls_is_not_the_budget_of_everything_else(mcp, two_calls):
    assert [list_workspaces(mcp).status_code for _ in range(3)][-1] == 429
    assert mcp.tools()


def test_rl_01_a_new_token_buys_no_new_budget(mcp_for, tenant, era, two_calls):
    statuses = [list_workspaces(mcp_for(tenant.owner, era=era)).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert list_workspaces(mcp_for(tenant.viewer, era=era)).status_code == 200


@pytest.fixture
def throttled_view(monkeypatch):
    """The view behind the tool takes one call a day."""

    class Once(UserRateThrottle):
        rate = "1/day"

    view = routes.of(registry.tools.get("workspaces_list")).callback.cls
    monkeypatch.setattr(view, "throttle_classes", [Once])
    return view


def test_rl_01_a_throttle_of_the_endpoint_itself_is_told_in_the_result(mcp, throttled_view):
    assert "isError" not in mcp.call("workspaces_list")
    assert mcp.refusal("workspaces_list")["code"] == "rate_limited"


def test_rl_01_the_seconds_an_endpoint_names_are_told(mcp, monkeypatch, throttled_view):
    """Seen with DRF's own exception handler, whose words name them."""
    monkeypatch.setattr(throttled_view, "get_exception_handler", lambda view: exception_handler)
    mcp.call("workspaces_list")
    assert re.search(r"\d+ seconds", mcp.refusal("workspaces_list")["message"])
