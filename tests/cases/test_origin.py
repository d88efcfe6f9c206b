"""Cases OR: which pages of a browser are served, at a real gunicorn."""

import json

import pytest

from tests.cases.settings import ORIGINS
from tests.cases.speech import ABSENT, refusal
from tests.door.raw import request_of

LISTED = ORIGINS[0]
ASKED = "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"
REFUSED = (403, 403, ABSENT)


def ask(door, mcp, *headers, method="POST", body=None):
    message = json.dumps(mcp.message("tools/list")).encode() if body is None else body
    own = [*mcp.headers_for("tools/list").items(), ("Content-Type", "application/json")]
    return door.send(request_of(method, "/mcp", [*own, *headers], message))


def preflight(door, origin, asked=ASKED):
    headers = [("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", asked)]
    return door.send(request_of("OPTIONS", "/mcp", [("Origin", origin), *headers], None))


def names(value):
    return {name.strip().lower() for name in value.split(",")}


def test_or_01_a_listed_page_and_who_is_no_page_are_served(served, door):
    listed, plain = ask(door, served, ("Origin", LISTED)), ask(door, served)
    assert [listed.status_code, plain.status_code] == [200, 200]
    assert listed.headers["Access-Control-Allow-Origin"] == LISTED
    assert "Access-Control-Allow-Origin" not in plain.headers
    assert "Origin" in listed.headers["Vary"] and "Origin" in plain.headers["Vary"]


@pytest.mark.parametrize("origin", ["https://evil.test", "", "null"])
@pytest.mark.parametrize("method", ["POST", "GET", "OPTIONS", "DELETE"])
@pytest.mark.proves("origin", "origin-403")
def test_or_01_another_page_is_refused_before_its_token_and_its_body_are_looked_at(served, door, origin, method):
    answers = [
        ask(door, served, ("Origin", origin), method=method),
        ask(door, served, ("Origin", origin), method=method, body=b"{ not json"),
        door.send(request_of(method, "/mcp", [("Origin", origin)], None)),
    ]
    for answer in answers:
        assert refusal(answer) == REFUSED
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_or_01_a_refusal_further_on_is_told_to_a_listed_page_too(served, door):
    answers = [ask(door, served, ("Origin", LISTED), body=b"{"), door.send(unauthenticated())]
    assert [answer.status_code for answer in answers] == [400, 401]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == LISTED
        assert {"www-authenticate", "retry-after"} <= names(answer.headers["Access-Control-Expose-Headers"])


def unauthenticated():
    return request_of("POST", "/mcp", [("Origin", LISTED), ("Content-Type", "application/json")], b"{}")


def test_or_02_a_page_is_not_listed_by_naming_its_own_host(served, door):
    answer = ask(door, served, ("Host", "evil.test"), ("Origin", "http://evil.test"))
    assert refusal(answer) == REFUSED


ACCEPTED = ["HTTPS://APP.EXAMPLE.TEST", "https://app.example.test:443", "http://[::1]:3000", "http://localhost:5173"]
OTHERS = [
    "http://[0:0:0:0:0:0:0:1]:3000",
    "https://app.example.test.",
    "https://app.example.test.evil.test",
    "https://app.example.test@evil.test",
    "https://app.example.test/",
    "http://app.example.test",
    "http://localhost:5174",
    f"{LISTED}, {LISTED}",
]


@pytest.mark.parametrize("origin", ACCEPTED)
def test_or_03_scheme_and_host_have_no_case_and_the_default_port_is_none(served, door, origin):
    answer = ask(door, served, ("Origin", origin))
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, origin)
    assert "Origin" in answer.headers["Vary"]


@pytest.mark.parametrize("origin", OTHERS)
def test_or_03_what_only_looks_like_a_listed_origin_is_refused(served, door, origin):
    assert refusal(ask(door, served, ("Origin", origin))) == REFUSED


def test_or_03_two_origins_are_none(served, door):
    assert refusal(ask(door, served, ("Origin", LISTED), ("Origin", LISTED))) == REFUSED


def test_or_05_a_preflight_is_answered_without_a_token(door):
    answer = preflight(door, LISTED, f"{ASKED}, mcp-param-region")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == LISTED
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = names(answer.headers["Access-Control-Allow-Headers"])
    assert allowed >= names(ASKED) | {"accept", "mcp-session-id", "last-event-id", "mcp-param-region", "x-workspace-id"}
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert "Origin" in answer.headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_or_05_a_preflight_of_another_page_is_refused(door):
    assert refusal(preflight(door, "https://evil.test")) == REFUSED
