"""One shape for every error, whatever went wrong and wherever."""

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, RawPostDataException
from django.test import Client
from rest_framework import exceptions

from inbox.api.errors import exception_handler
from inbox.api.families.emails import EmailViewSet
from inbox.errors import Conflict, Unprocessable

READ = "inbox.emails:read inbox.inboxes:read"


@pytest.fixture
def viewer(rest_for, tenant):
    client = rest_for(tenant.viewer, READ)
    client.raise_request_exception = False
    return client


def shape(answer) -> tuple[int, str]:
    """Status and code, once the shape has been looked at."""
    assert answer["Content-Type"].startswith("application/json")
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) <= {"code", "message", "details"}
    assert body["error"]["message"].endswith(".")
    return answer.status_code, body["error"]["code"]


def test_every_fault_of_a_query_string_is_told_at_once(viewer):
    query = "limit=0&cursor=zz&status=nope&nope=1&received_after=u&inbox_id=8&q=a&from=zz&agent_id=&format=json"
    answer = viewer.get(f"/api/v1/emails?{query}")
    assert shape(answer) == (400, "validation_failed")
    details = answer.json()["error"]["details"]
    assert details["formErrors"] == []
    assert set(details["fieldErrors"]) == {
        *("limit", "cursor", "status", "nope", "received_after", "inbox_id", "q", "from", "agent_id", "format")
    }
    assert all(isinstance(text, str) for faults in details["fieldErrors"].values() for text in faults)


@pytest.mark.parametrize("path", ["emails", "inboxes", "workspaces"])
def test_unknown_parameter_is_refused_on_lists(viewer, path, rest_for, tenant):
    answer = rest_for(tenant.viewer, None).get(f"/api/v1/{path}?statsu=received")
    assert answer.json()["error"]["details"]["fieldErrors"] == {"statsu": ["There is no such parameter."]}


@pytest.mark.parametrize("query", ["x=1", "limit=1", "body=nope", "body_offset=-1", "body_limit=0", "body_limit=1e9"])
def test_bad_parameter_is_refused_on_one_row(viewer, tenant, make_email, query):
    answer = viewer.get(f"/api/v1/emails/{make_email(tenant.inbox).pk}?{query}")
    assert shape(answer) == (400, "validation_failed")
    assert list(answer.json()["error"]["details"]["fieldErrors"]) == [query.partition("=")[0]]


def test_parameter_given_twice_is_refused_where_it_is_not_a_list(viewer, tenant, make_email):
    assert shape(viewer.get("/api/v1/emails?q=abc&q=def")) == (400, "validation_failed")
    assert shape(viewer.get("/api/v1/emails?limit=1&limit=2")) == (400, "validation_failed")
    email = make_email(tenant.inbox)
    assert shape(viewer.get(f"/api/v1/emails/{email.pk}?body=text&body=html")) == (400, "validation_failed")


@pytest.mark.parametrize("value", ["%00", "a%00b", "%ED%A0%80", "%FF", "x" * 100_000])
@pytest.mark.parametrize("name", ["q", "from", "status", "inbox_id", "received_after", "cursor"])
def test_odd_characters_in_a_filter_are_no_crash(viewer, name, value):
    assert viewer.get(f"/api/v1/emails?{name}={value}").status_code in (200, 400)


@pytest.mark.parametrize("path", ["/api/", "/api/v1", "/api/v1/", "/api/v1/nope", "/api/v2/emails", "/api/v1/emails/"])
def test_unknown_url_has_the_shape(client, path, db):
    assert shape(client.get(path)) == (404, "not_found")


def test_unknown_url_outside_is_left_alone(client, db):
    assert not client.get("/nope")["Content-Type"].startswith("application/json")


@pytest.mark.parametrize("debug", [True, False])
def test_unknown_url_has_the_shape_while_developing_too(client, db, settings, debug):
    settings.DEBUG = debug
    assert shape(client.get("/api/v1/nope")) == (404, "not_found")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
def test_wrong_method_has_the_shape_and_says_what_is_allowed(viewer, method):
    answer = getattr(viewer, method)("/api/v1/emails")
    assert shape(answer) == (405, "method_not_allowed")
    assert answer["Allow"] == "GET, HEAD"


def test_wrong_method_without_a_token_asks_for_the_token(client, db):
    assert shape(client.post("/api/v1/emails")) == (401, "unauthorized")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "nonsense", "", "application/json; version=9"])
def test_accept_header_changes_nothing(viewer, accept):
    answer = viewer.get("/api/v1/emails", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"


def test_wrong_host_has_the_shape(db):
    assert shape(Client(headers={"Host": "evil.example"}).get("/api/v1/emails")) == (400, "validation_failed")


@pytest.mark.parametrize("debug", [True, False])
def test_crash_says_nothing_and_is_logged(viewer, monkeypatch, caplog, settings, debug):
    settings.DEBUG = debug
    monkeypatch.setattr(EmailViewSet, "get_queryset", lambda self: 1 / 0)
    answer = viewer.get("/api/v1/emails")
    assert shape(answer) == (500, "internal_error")
    assert "division" not in answer.content.decode()
    assert "ZeroDivisionError" in caplog.text


def test_crash_is_seen_by_a_caller_in_process(rest_for, tenant, monkeypatch):
    monkeypatch.setattr(EmailViewSet, "get_queryset", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rest_for(tenant.viewer, READ).get("/api/v1/emails")


def test_failing_database_is_worth_another_try(viewer, monkeypatch):
    def locked(self):
        raise OperationalError("database is locked")

    monkeypatch.setattr(EmailViewSet, "get_queryset", locked)
    answer = viewer.get("/api/v1/emails")
    assert shape(answer) == (503, "unavailable")
    assert int(answer["Retry-After"]) >= 1
    assert "locked" not in answer.content.decode()


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "forbidden"),
        (RequestDataTooBig("Request body exceeded"), 413, "payload_too_large"),
        (SuspiciousOperation("secret"), 400, "validation_failed"),
        (exceptions.ParseError("Bad JSON."), 400, "validation_failed"),
        (exceptions.UnsupportedMediaType("text/plain"), 415, "unsupported_media_type"),
        (exceptions.Throttled(3), 429, "rate_limited"),
        (exceptions.APIException(), 500, "internal_error"),
        (Conflict(), 409, "conflict"),
        (Unprocessable("No such domain."), 422, "unprocessable"),
    ],
)
def test_known_exceptions_become_their_code(raised, status, code):
    answer = exception_handler(raised, {})
    assert answer is not None
    assert (answer.status_code, answer.data["error"]["code"]) == (status, code)
    assert "secret" not in str(answer.data)


def test_unknown_exceptions_are_left_alone():
    assert exception_handler(RawPostDataException(), {}) is None
    assert exception_handler(KeyError("x"), {}) is None


def test_throttled_says_when_to_come_back():
    answer = exception_handler(exceptions.Throttled(3), {})
    assert answer is not None
    assert answer.headers["Retry-After"] == "3"


def test_nested_faults_are_named_by_their_path():
    fault = exceptions.ValidationError(
        {"label": ["Too long."], "filters": [{}, {"op": ["Unknown."]}], "non_field_errors": ["Odd."], "a": {"b": ["c"]}}
    )
    answer = exception_handler(fault, {})
    assert answer is not None
    assert answer.data["error"]["details"] == {
        "formErrors": ["Odd."],
        "fieldErrors": {"label": ["Too long."], "filters.1.op": ["Unknown."], "a.b": ["c"]},
    }
