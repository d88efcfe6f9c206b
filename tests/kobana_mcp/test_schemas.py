"""Input schemas are honest and plain: what the serializer says, in the form every client takes."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal

import pytest
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from jsonschema import Draft202012Validator
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.schemas.openapi import AutoSchema as OtherSchema
from rest_framework.views import APIView

from kobana_mcp import registry, schemas
from kobana_mcp.checks.declarations import tools as check_tools
from kobana_mcp.routes import RouteError
from kobana_mcp.schemas import shape_of
from tests.kobana_mcp.conftest import make_tool


class InnerSerializer(serializers.Serializer):
    deep = serializers.IntegerField(min_value=1, help_text="How deep.")
    made = serializers.CharField(read_only=True)


class EverythingSerializer(serializers.Serializer):
    id = serializers.IntegerField(read_only=True)
    text = serializers.CharField(max_length=5, help_text="Some text.")
    nothing = serializers.IntegerField(allow_null=True, required=False, min_value=0)
    choice = serializers.ChoiceField(choices=["a", "b"], allow_blank=True, allow_null=True, required=False)
    plain_choice = serializers.ChoiceField(choices=["a", "b"], default="b")
    words = serializers.ListField(child=serializers.CharField(max_length=3), required=False)
    inner = InnerSerializer(required=False, allow_null=True)
    many = InnerSerializer(many=True, required=False)
    free = serializers.DictField(required=False)
    money = serializers.DecimalField(max_digits=5, decimal_places=2, coerce_to_string=False, required=False)
    key = serializers.UUIDField(required=False)
    secret = serializers.CharField(write_only=True, required=False)


class Everything(APIView):
    """Its host documents the API with another generator."""

    schema = OtherSchema()
    authentication_classes = ()
    serializer_class = EverythingSerializer

    def post(self, request, name):
        return Response({})


class UntypedSerializer(serializers.Serializer):
    anything = serializers.JSONField()


class Untyped(Everything):
    serializer_class = UntypedSerializer


class ClashSerializer(serializers.Serializer):
    name = serializers.CharField()


class Clash(Everything):
    serializer_class = ClashSerializer


class NeedsAUser(Everything):
    def get_serializer_class(self):
        return {True: EverythingSerializer}[self.request.user.is_premium]


class NoView:
    pass


def no_drf(request):
    raise NotImplementedError


urlpatterns = [
    path("everything/<slug:name>", Everything.as_view(), name="everything"),
    path("untyped/<slug:name>", Untyped.as_view(), name="untyped"),
    path("clash/<slug:name>", Clash.as_view(), name="clash"),
    path("premium/<slug:name>", NeedsAUser.as_view(), name="premium"),
    path("plain", no_drf, name="plain"),
]


@pytest.fixture(autouse=True)
def urlconf(settings):
    settings.ROOT_URLCONF = __name__


@pytest.fixture
def schema():
    return shape_of(make_tool("everything", "everything", "POST")).schema


def nested(schema):
    yield schema
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from nested(part)
    if isinstance(schema.get("items"), dict):
        yield from nested(schema["items"])


@pytest.mark.proves("schema-dialect", "schema-valid", "tools-schema")
def test_schema_is_valid_and_holds_nothing_that_clients_choke_on(schema):
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object" and schema["additionalProperties"] is False
    assert not {"anyOf", "oneOf", "allOf", "not", "if", "$ref", "$schema"} & set(schema)
    for part in nested(schema):
        assert isinstance(part.get("type", "-"), str)
        assert not {"$ref", "nullable", "oneOf", "allOf", "readOnly", "writeOnly"} & set(part)
        assert part.get("type") or part.get("anyOf")
        assert not {None, ""} & set(part.get("enum", ()))
        assert part.get("type") != "array" or part["items"]["type"]
        assert all(inner["description"] for inner in part.get("properties", {}).values())


def test_arguments_stand_in_the_path_and_in_the_body(schema):
    shape = shape_of(make_tool("everything", "everything", "POST"))
    assert shape.places["name"] == "path" and shape.places["text"] == "body"
    assert schema["required"] == ["name", "text"]
    assert "id" not in schema["properties"] and "made" not in schema["properties"]["many"]["items"]["properties"]


def test_words_limits_and_defaults_are_the_serializers_own(schema):
    properties = schema["properties"]
    assert properties["text"] == {"type": "string", "minLength": 1, "maxLength": 5, "description": "Some text."}
    assert properties["plain_choice"]["default"] == "b" and properties["plain_choice"]["enum"] == ["a", "b"]
    assert properties["key"]["format"] == "uuid"
    assert properties["free"]["additionalProperties"] is True


def test_null_is_spelled_as_an_alternative(schema):
    nothing = schema["properties"]["nothing"]
    assert {"type": "null"} in nothing["anyOf"]
    assert nothing["anyOf"][0]["type"] == "integer" and nothing["anyOf"][0]["minimum"] == 0
    assert schema["properties"]["choice"]["anyOf"] == [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]
    assert schema["properties"]["inner"]["anyOf"][0]["properties"]["deep"]["minimum"] == 1


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("untyped", "has no type"),
        ("clash", "is both in the path and the body"),
        ("plain", "calls no view of Django REST Framework"),
        ("nowhere", "No URL pattern is named"),
        ("premium", "cannot be described"),
    ],
)
def test_schema_that_cannot_be_made_is_found_at_start_up(route, words):
    tool = make_tool("broken", route, "POST")
    with pytest.raises(RouteError, match=words):
        shape_of(tool)
    with registry.tools.temporarily(tool, alone=True):
        assert any(words in message.msg for message in check_tools(None))


def test_method_the_route_does_not_serve_is_found_at_start_up():
    with pytest.raises(RouteError, match="does not serve PUT"):
        shape_of(make_tool("broken", "everything", "PUT"))


def test_tool_that_cannot_be_described_does_not_take_the_list_with_it(mcp_for, tenant, settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    good, bad = make_tool("echo", "echo"), make_tool("bad", "nowhere")
    scope = registry.Scope(name="groups:read", description="-")
    with registry.tools.temporarily(bad, good, alone=True), registry.scopes.temporarily(scope, alone=True):
        assert mcp_for(tenant.owner).tools() == ["echo"]


class Annotated(Everything):
    """Says by annotation what its class does not."""

    @extend_schema(parameters=[OpenApiParameter("since", date, default=date(2026, 7, 28), description="From when.")])
    def get(self, request, name):
        return Response({})


class PriceSerializer(serializers.Serializer):
    price = serializers.DecimalField(6, 2, coerce_to_string=False, min_value=Decimal("0.01"), default=Decimal("1.50"))


class Price(Everything):
    serializer_class = PriceSerializer


urlpatterns += [
    path("annotated/<slug:name>", Annotated.as_view(), name="annotated"),
    path("price/<slug:name>", Price.as_view(), name="price"),
]


def test_what_an_annotation_says_is_kept_whichever_generator_the_host_uses():
    shape = shape_of(make_tool("annotated", "annotated"))
    assert shape.places == {"name": "path", "since": "query"}
    assert shape.schema["properties"]["since"]["default"] == "2026-07-28"


def test_every_schema_is_json_whatever_python_values_it_was_made_from():
    price = shape_of(make_tool("price", "price", "POST")).schema["properties"]["price"]
    assert json.loads(json.dumps(price)) == price
    assert (price["minimum"], price["default"]) == (0.01, 1.5)


def test_threads_that_ask_at_once_get_every_route_its_own_arguments(settings):
    """The inspector of a view class is shared by its instances; a cold process is asked by many threads."""
    settings.ROOT_URLCONF = "tests.site.urls"
    tools = [make_tool("a", "group-list"), make_tool("b", "group-detail"), make_tool("c", "group-list", "POST")] * 8
    schemas._MADE.clear()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(tools)) as pool:
            found = list(pool.map(lambda tool: set(shape_of(tool).places), tools))
    finally:
        sys.setswitchinterval(switch)
    assert found == [{"page"}, {"pk"}, {"name"}] * 8
