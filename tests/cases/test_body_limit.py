"""Case BL: a body over the limit, at a real gunicorn and whatever Django's own limit is."""

import json

import pytest

from tests.cases.speech import ABSENT, call, post, refusal
from tests.door.raw import request_of

LIMIT = 1_048_576
TOO_LARGE = (413, -32600, ABSENT)


def padded(mcp, size):
    """A good call of a tool, of exactly ``size`` octets."""
    empty = json.dumps(call(mcp, "workspaces_list", {"cursor": ""}))
    return json.dumps(call(mcp, "workspaces_list", {"cursor": "x" * (size - len(empty))})).encode()


@pytest.mark.parametrize("size", [LIMIT + 1, 5_000_000])
def test_bl_01_a_body_over_the_limit_is_a_413_that_names_the_limit(served, size):
    answer = post(served, padded(served, size), "tools/call", "workspaces_list")
    assert refusal(answer) == TOO_LARGE
    assert str(LIMIT) in answer.json()["error"]["message"]


def test_bl_01_a_body_of_exactly_the_limit_is_read(served):
    answer = post(served, padded(served, LIMIT), "tools/call", "workspaces_list")
    assert answer.json()["result"]["isError"]


def test_bl_01_a_declared_length_is_enough_to_refuse(served, door):
    headers = [*served.headers_for("tools/list").items(), ("Content-Type", "application/json")]
    for length in (LIMIT + 1, 10**12):
        head = request_of("POST", "/mcp", [*headers, ("Content-Length", str(length))], None)
        assert refusal(door.send(head)) == TOO_LARGE


def test_bl_01_the_next_request_is_served(served, door):
    post(served, padded(served, LIMIT + 1), "tools/call", "workspaces_list")
    assert served.tools()


@pytest.mark.parametrize("django_limit", [100, 10 * LIMIT, None])
@pytest.mark.parametrize(("size", "status"), [(LIMIT, 200), (LIMIT + 1, 413)])
def test_bl_01_django_s_own_limit_changes_nothing(mcp, settings, django_limit, size, status):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = django_limit
    assert post(mcp, padded(mcp, size), "tools/call", "workspaces_list").status_code == status
