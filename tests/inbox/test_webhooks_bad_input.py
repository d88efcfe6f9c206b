"""Every field of a webhook's bodies against everything a client may get wrong: told, never a crash, nothing written."""

import json
import uuid

import pytest

from inbox.models import SystemEvent, Webhook, WebhookDelivery

WEBHOOKS = "/api/v1/webhooks"
GOOD = {
    "label": "Orders",
    "url": "https://hooks.example.com/in",
    "subscribed_events": ["email.received"],
    "inbox_id": None,
    "auth": "none",
    "auth_basic_user": "u",
    "auth_basic_password": "p",
    "auth_bearer_token": "t",
    "auth_header_key": "X-Key",
    "auth_header_value": "v",
}
#: method -> fields of its body
FIELDS = {
    "POST": {*GOOD, "external_id"},
    "PUT": {*GOOD, "status"},
    "PATCH": {"label", "url", "subscribed_events", "inbox_id", "status"},
}
BAD = {
    "null": None,
    "an integer": 5,
    "a huge integer": 10**400,
    "a fraction": 1.5,
    "a boolean": True,
    "a list": [1],
    "a list of nulls": [None],
    "an object": {"a": 1},
    "empty": "",
    "blank": "   ",
    "NUL": "a\x00b",
    "a lone surrogate": "a\ud800b",
    "a megabyte": "x" * 1_000_000,
    "a line break": "a\r\nb",
    "no uuid": "nope",
    "a uuid without dashes": uuid.uuid4().hex,
}
#: (field, what) -> it is no fault there
FINE = {
    *[("inbox_id", "null"), ("label", "a line break"), ("label", "no uuid"), ("label", "a uuid without dashes")],
    *[("auth_basic_user", what) for what in ("blank", "no uuid", "a uuid without dashes")],
    *[("auth_basic_password", what) for what in ("blank", "no uuid", "a uuid without dashes")],
    *[(name, "no uuid") for name in ("auth_bearer_token", "auth_header_key", "auth_header_value")],
    *[(name, "a uuid without dashes") for name in ("auth_bearer_token", "auth_header_key", "auth_header_value")],
}


@pytest.fixture
def admin(rest_for, tenant):
    client = rest_for(tenant.admin, "inbox.webhooks:write")
    client.raise_request_exception = False
    return client


@pytest.fixture
def webhook(make_webhook):
    return make_webhook()


def rows() -> tuple:
    return (
        list(Webhook.objects.order_by("pk").values()),
        SystemEvent.objects.count(),
        WebhookDelivery.objects.count(),
    )


def send(client, method: str, webhook, body, content_type: str = "application/json"):
    path = {"POST": WEBHOOKS, "PUT": f"{WEBHOOKS}/{uuid.uuid4()}", "PATCH": f"{WEBHOOKS}/{webhook.pk}"}[method]
    return client.generic(method, path, body if isinstance(body, bytes) else json.dumps(body), content_type)


def named(answer) -> set[str]:
    return {name.partition(".")[0] for name in answer.json()["error"]["details"]["fieldErrors"]}


@pytest.mark.parametrize("method", FIELDS)
def test_bad_value_of_any_field_is_refused_by_name_and_nothing_is_written(admin, webhook, method):
    before = rows()
    good = GOOD if method != "PATCH" else {}
    for name in sorted(FIELDS[method]):
        for what, value in BAD.items():
            is_fine = (name, what) in FINE or (method == "PATCH" and (name, what) == ("label", "a megabyte"))
            if is_fine:
                continue
            answer = send(admin, method, webhook, {**good, name: value})
            assert answer.status_code == 400, (name, what, answer.content[:300])
            assert named(answer) == {name}, (name, what)
    assert rows() == before


@pytest.mark.parametrize("method", FIELDS)
def test_all_faults_of_a_body_are_told_at_once(admin, webhook, method):
    before = rows()
    bad = dict.fromkeys([*FIELDS[method], "nope", "deleted_at"], 1)
    assert named(send(admin, method, webhook, bad)) == set(bad)
    assert rows() == before


@pytest.mark.parametrize("method", FIELDS)
def test_name_that_nobody_can_write_is_told_as_well_as_it_can_be(admin, webhook, method):
    answer = send(admin, method, webhook, {"\ud800": 1, "x" * 100_000: 1, "\x00": 1})
    assert answer.status_code == 400
    assert len(answer.content) < 5000


@pytest.mark.parametrize("method", FIELDS)
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff", b'{"label": NaN}', b"[" * 100_000, b'{"a":1}{"b":2}']
)
def test_body_that_is_no_object_is_refused(admin, webhook, method, body):
    before = rows()
    answer = send(admin, method, webhook, body)
    # Nothing at all is a change of nothing.
    assert answer.status_code == (200 if (method, body) == ("PATCH", b"") else 400), answer.content
    assert rows() == before


@pytest.mark.parametrize("method", FIELDS)
@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_body_of_another_media_type_is_refused(admin, webhook, method, content_type):
    before = rows()
    answer = send(admin, method, webhook, b"label=x", content_type)
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media_type")
    assert rows() == before


@pytest.mark.parametrize("method", FIELDS)
def test_body_that_is_too_large_is_refused(admin, webhook, method):
    before = rows()
    answer = send(admin, method, webhook, b'{"label":"' + b"x" * 3_000_000 + b'"}')
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
    assert rows() == before


def test_more_events_than_there_can_be_are_refused(admin, webhook):
    body = {**GOOD, "subscribed_events": ["email.received"] * 101}
    assert named(send(admin, "POST", webhook, body)) == {"subscribed_events"}


@pytest.mark.parametrize("method", FIELDS)
def test_parameters_in_the_query_string_are_refused(admin, webhook, method):
    path = WEBHOOKS if method == "POST" else f"{WEBHOOKS}/{webhook.pk}"
    answer = admin.generic(method, f"{path}?label=x", json.dumps({"label": "y"}), "application/json")
    assert (answer.status_code, named(answer)) == (400, {"label"})
