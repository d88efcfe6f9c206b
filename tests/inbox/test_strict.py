"""Bodies are strict about JSON types and unknown keys, and every fault is told at once."""

from io import BytesIO

import pytest
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError

from inbox.api import fields
from inbox.api.parsers import StrictJSONParser
from inbox.api.serializers import QuerySerializer, StrictModelSerializer, StrictSerializer
from inbox.models import Inbox


class Everything(StrictSerializer):
    id = fields.StrictUUIDField(read_only=True)
    text = fields.StrictCharField(max_length=5, required=False)
    email = fields.StrictEmailField(required=False)
    url = fields.StrictURLField(required=False)
    choice = fields.StrictChoiceField(["1", "b"], required=False)
    number = fields.StrictIntegerField(min_value=1, required=False)
    flag = fields.StrictBooleanField(required=False)
    key = fields.StrictUUIDField(required=False)
    cost = fields.NumberField(8, 2, required=False)
    free = fields.ObjectField(required=False)
    moment = fields.UTCDateTimeField(required=False)


GOOD = {
    "text": "abc",
    "email": "a@b.test",
    "url": "https://x.test/",
    "choice": "1",
    "number": 3,
    "flag": False,
    "key": "01a22fff-a322-7127-a231-cee7a73f8774",
    "cost": 1.5,
    "free": {"a": [1, None]},
    "moment": "2026-01-02T03:04:05Z",
}


def faults(body) -> set[str]:
    serializer = Everything(data=body)
    return set() if serializer.is_valid() else set(serializer.errors)


def test_right_types_are_taken():
    assert faults(GOOD) == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("text", value) for value in (1, 1.5, True, None, [], {}, "toolong", "a\x00", "\ud800")],
        *[("email", value) for value in (1, "nobody", None, ["a@b.test"])],
        *[("url", value) for value in (1, "nope", None)],
        *[("choice", value) for value in (1, True, "c", None, [], {})],
        *[("number", value) for value in ("10", 10.0, 1.5, True, None, 0, [])],
        *[("flag", value) for value in ("true", 1, 0, "yes", None, [])],
        *[
            ("key", value)
            for value in (1, "{01a22fff-a322-7127-a231-cee7a73f8774}", "01a22fffa3227127a231cee7a73f8774")
        ],
        *[("cost", value) for value in ("1.5", True, None, 1.555, [])],
        *[("free", value) for value in ([], "{}", 1, None)],
        *[("moment", value) for value in (1, "yesterday", None)],
    ],
)
def test_wrong_types_are_refused(name, value):
    assert faults({**GOOD, name: value}) == {name}


def test_unknown_and_read_only_keys_are_refused_together_with_other_faults():
    assert faults({"texd": "abc", "id": GOOD["key"], "number": "10"}) == {"texd", "id", "number"}


@pytest.mark.parametrize("body", [[], "text", 1, None, True])
def test_body_that_is_no_object_is_refused(body):
    assert faults(body) == {"non_field_errors"}


def test_fields_made_from_a_model_are_strict():
    class Made(StrictModelSerializer):
        class Meta:
            model = Inbox
            fields = ("label", "status", "attachments_allow", "attachments_max_file_number", "metadata")

    body = {"label": 5, "status": 1, "attachments_allow": "yes", "attachments_max_file_number": "10", "metadata": []}
    serializer = Made(data=body)
    assert not serializer.is_valid()
    assert set(serializer.errors) == set(body)


class Query(QuerySerializer):
    size = serializers.IntegerField(required=False, min_value=1)
    kind = serializers.ChoiceField(["a", "b"], default="a")


@pytest.mark.parametrize(
    ("query", "names"),
    [("size=0&kind=c&x=1", {"size", "kind", "x"}), ("size=&kind=a&kind=b", {"size", "kind"}), ("y=&z=1", {"y", "z"})],
)
def test_query_string_tells_every_fault_at_once(query, names):
    with pytest.raises(ValidationError) as caught:
        Query(data=QueryDict(query)).is_valid(raise_exception=True)
    assert set(caught.value.detail) == names


def test_query_string_is_read_as_its_types():
    query = Query(data=QueryDict("size=5"))
    query.is_valid(raise_exception=True)
    assert query.validated_data == {"size": 5, "kind": "a"}


@pytest.mark.parametrize(
    "body", [b"{", b"", b"NaN", b'{"a": Infinity}', b"\xff", b"[" * 100_000, b"9" * 5000, b'{"a":1}{"b":2}']
)
def test_body_that_is_no_json_is_a_parse_error(body):
    with pytest.raises(ParseError):
        StrictJSONParser().parse(BytesIO(body))
