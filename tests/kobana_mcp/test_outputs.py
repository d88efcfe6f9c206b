"""Output schemas: what the API documents of its answers, and nothing that an answer could break."""

import json
from typing import Optional

import pytest
from django.urls import include, path
from drf_spectacular.utils import extend_schema, extend_schema_field
from jsonschema import Draft202012Validator
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from kobana_mcp import registry
from kobana_mcp.outputs import DONE, output_schema
from kobana_mcp.protocol.eras import ERAS
from kobana_mcp.registry import Scope, Tool
from kobana_mcp.schemas import shape_of
from kobana_mcp.testing import MCPClient
from tests.kobana_mcp.conftest import make_tool

VERSIONS = [version for era in ERAS for version in era.versions]


class InnerSerializer(serializers.Serializer):
    made = serializers.CharField(read_only=True)
    told = serializers.CharField(write_only=True)


class WideSerializer(serializers.Serializer):
    id = serializers.IntegerField(read_only=True)
    secret = serializers.CharField(write_only=True)
    short = serializers.CharField(max_length=3, help_text="Short.")
    address = serializers.EmailField()
    key = serializers.UUIDField(allow_null=True)
    choice = serializers.ChoiceField(choices=["a", "b"], allow_blank=True, allow_null=True)
    number = serializers.ChoiceField(choices=[1, 2])
    anything = serializers.JSONField()
    free = serializers.DictField()
    named = serializers.DictField(child=serializers.IntegerField(allow_null=True))
    many = InnerSerializer(many=True)
    maybe = InnerSerializer(allow_null=True)
    made = serializers.SerializerMethodField()
    parent = serializers.SerializerMethodField()

    def get_made(self, obj) -> Optional[int]:  # noqa: UP045 - as hosts write it
        return None

    @extend_schema_field({"allOf": [{"type": "object"}, {"type": "object", "properties": {}}]})
    def get_parent(self, obj):
        return None


WIDE = {
    "id": 1,
    "short": "far too long",
    "address": "müller@localhost",
    "key": None,
    "choice": "",
    "number": 2,
    "anything": [1, None],
    "free": {"x": [None]},
    "named": {"x": None},
    "many": [{"made": ""}],
    "maybe": None,
    "made": None,
    "parent": {"parent": {}},
    "beyond": "what nobody documented",
}


class Wide(APIView):
    authentication_classes = permission_classes = ()
    serializer_class = WideSerializer

    def get(self, request):
        return Response(WIDE)


class Silent(APIView):
    """Documents nothing, and answers something."""

    authentication_classes = permission_classes = ()

    def get(self, request):
        return Response({"count": 5})


class Listing(Wide):
    @extend_schema(responses=WideSerializer(many=True))
    def get(self, request):
        return Response([WIDE])


class Broken(Wide):
    @extend_schema(responses={200: {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Lost"}}}})
    def get(self, request):
        return Response({"x": 1})


class NoJSON(Wide):
    def get(self, request):
        return Response(WIDE)

    def finalize_response(self, *args, **kwargs):
        response = super().finalize_response(*args, **kwargs).render()
        response.content = b"{"
        return response


urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("wide", Wide.as_view(), name="wide"),
    path("silent", Silent.as_view(), name="silent"),
    path("listing", Listing.as_view(), name="listing"),
    path("broken", Broken.as_view(), name="broken"),
    path("no-json", NoJSON.as_view(), name="no-json"),
]


def output_of(route):
    return shape_of(make_tool(route.replace("-", "_"), route)).output


def nested(schema):
    yield schema
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from nested(part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from nested(schema[key])


@pytest.fixture
def here(settings):
    settings.ROOT_URLCONF = __name__


def test_output_schema_has_the_form_that_all_clients_take(here):
    schema = output_of("wide")
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object" and not {"anyOf", "oneOf", "allOf", "$ref"} & set(schema)
    for part in nested(schema):
        assert part and isinstance(part.get("type", "-"), str)
        assert not {"$ref", "nullable", "oneOf", "allOf", "readOnly", "writeOnly", "default"} & set(part)
        assert not {None, ""} & set(part.get("enum", ()))
        assert part.get("type") != "array" or part["items"]
        assert all(inner["description"] for inner in part.get("properties", {}).values())


def test_what_is_read_is_in_it_and_what_is_only_written_is_not(here):
    schema = output_of("wide")
    assert set(WIDE) - {"beyond"} == set(schema["properties"]) == {*schema["required"], "parent"} | {"parent"}
    assert set(schema["properties"]["many"]["items"]["properties"]) == {"made"}
    assert schema["properties"]["short"]["description"] == "Short."


def test_what_the_api_may_answer_fits_however_odd_it_is(here):
    """Bounds bind what is sent in; old rows and other people's addresses do not keep to them."""
    validator = Draft202012Validator(output_of("wide"), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert not [error.message for error in validator.iter_errors(WIDE)]


@pytest.mark.parametrize(
    "change", [{"id": "1"}, {"choice": "c"}, {"key": 5}, {"many": None}, {"named": {"x": "y"}}, {"number": "2"}]
)
def test_what_it_never_answers_does_not_fit(here, change):
    assert not Draft202012Validator(output_of("wide")).is_valid({**WIDE, **change})


@pytest.mark.parametrize("route", ["silent", "listing", "broken"])
def test_answer_that_is_not_known_or_is_no_object_has_no_schema(here, route):
    assert output_of(route) is None


def test_component_inside_of_itself_is_any_value_there():
    node = {"type": "object", "properties": {"child": {"$ref": "#/c/Node"}, "all": {"items": {"$ref": "#/c/Node"}}}}
    schema = output_schema({"200": {"$ref": "#/c/Node"}}, {"Node": node})
    assert schema["properties"]["child"] == {"description": "Any value."}


def test_two_kinds_of_success_have_one_schema_that_both_fit():
    kept = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    made = {"type": "object", "properties": {"id": {"type": "string"}, "key": {}}, "required": ["id", "key"]}
    schema = output_schema({"200": kept, "201": made, "202": None}, {})
    assert schema["type"] == "object" and schema["required"] == []
    assert schema["properties"]["id"]["anyOf"] == [{"type": "integer"}, {"type": "string"}]
    for said in ({"id": 1}, {"id": "1", "key": 5}, {"status": 202, "message": "Accepted."}):
        assert Draft202012Validator(schema).is_valid(said)
    assert output_schema({"204": None}, {}) == DONE
    assert output_schema({"200": kept, "201": None}, {}) is None


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"enum": [None, "a", ""]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}, {"maxLength": 0}]}),
        ({"enum": [1, "a"]}, {"description": "Any value."}),
        ({"type": ["string", "null"], "format": "email"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        ({"oneOf": [{"enum": [None]}, {"enum": [""]}, {"enum": ["a"]}]}, {"anyOf": [{}, {"maxLength": 0}, {}]}),
        ({"anyOf": [{"type": "string"}, {}]}, {"description": "Any value."}),
    ],
)
def test_null_and_the_empty_text_stand_beside_a_type(schema, expected):
    root = {"type": "object", "properties": {"x": schema}}
    found = output_schema({"200": root}, {})["properties"]["x"]
    assert set(expected) <= set(found)
    for wanted, got in zip(expected.get("anyOf", ()), found.get("anyOf", ()), strict=True):
        assert wanted.items() <= got.items()


@pytest.fixture
def on(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "STRUCTURED_RESULTS": True}


@pytest.fixture(params=VERSIONS)
def client_of(request, client, token_for, tenant):
    """A client of every version that is spoken."""
    return MCPClient(client, token_for(tenant.owner), request.param)


def listed(client):
    return {tool["name"]: tool for tool in client.result("tools/list")["tools"]}


def test_nothing_is_structured_unless_the_settings_say_so(client_of):
    assert not [name for name, tool in listed(client_of).items() if "outputSchema" in tool]
    assert "structuredContent" not in client_of.call("workspaces_list")


def test_results_are_structured_from_the_second_revision_on(on, client_of):
    later = client_of.version != "2025-03-26"
    assert ("outputSchema" in listed(client_of)["workspaces_list"]) == later
    result = client_of.call("workspaces_list")
    assert ("structuredContent" in result) == later
    if later:
        assert result["structuredContent"] == json.loads(result["content"][0]["text"])


def test_refusal_has_no_structure_to_fit(on, mcp):
    result = mcp.call("emails_get", {"id": "00000000-0000-7000-8000-000000000000"})
    assert result["isError"] and "structuredContent" not in result
    assert "structuredContent" not in mcp.call("emails_list", {"limit": 0})


def test_question_has_no_structure_and_a_deletion_says_what_became_of_it(on, mcp_for, tenant):
    modern = mcp_for(tenant.owner)
    modern.capabilities = {"elicitation": {}}
    arguments = {"id": str(tenant.inbox.pk)}
    question = modern.call("inboxes_delete", arguments)
    assert "structuredContent" not in question
    yes = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    done = modern.call("inboxes_delete", arguments, inputResponses=yes, requestState=question["requestState"])
    assert done["structuredContent"] == {"status": 204, "message": "Done."}
    Draft202012Validator(listed(modern)["inboxes_delete"]["outputSchema"]).validate(done["structuredContent"])


@pytest.mark.parametrize("route", ["silent", "listing", "no-json"])
def test_answer_that_is_not_known_or_no_object_or_no_json_is_not_structured(on, here, mcp_for, tenant, era, route):
    tool, scope = make_tool("read", route), Scope(name="groups:read", description="-")
    with registry.tools.temporarily(tool, alone=True), registry.scopes.temporarily(scope, alone=True):
        client = mcp_for(tenant.owner, "groups:read", era=era)
        assert ("outputSchema" in listed(client)["read"]) == (route == "no-json")
        result = client.call("read")
    assert result["content"][0]["text"] and "structuredContent" not in result


SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def own_tool(result, **facts):
    base = {"title": "T", "description": "T", "scope": "", "read_only": True, "destructive": False, "idempotent": True}
    base |= {"run": lambda arguments, context: result, "input_schema": {"type": "object"}, "output_schema": SCHEMA}
    return Tool(name="own", **{**base, **facts})


def test_tool_of_a_function_structures_its_own_result(on, client_of):
    later = client_of.version != "2025-03-26"
    result = {"content": [{"type": "text", "text": "five"}], "structuredContent": {"n": 5}}
    with registry.tools.temporarily(own_tool(result)):
        assert listed(client_of)["own"].get("outputSchema") == (SCHEMA if later else None)
        assert client_of.call("own").get("structuredContent") == ({"n": 5} if later else None)
    with registry.tools.temporarily(own_tool({**result, "isError": True})):
        assert "structuredContent" not in client_of.call("own")


def test_tool_of_a_route_has_no_schema_of_its_own():
    with pytest.raises(ValueError, match="only a run function brings its own output_schema"):
        make_tool("t", "echo", output_schema=SCHEMA)
