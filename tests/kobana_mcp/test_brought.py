"""A tool may bring its own schema: what is wrong with that is seen before anybody calls, and costs that tool alone."""

import json
import socket
import urllib.request

import pytest

from kobana_mcp import brought, registry
from kobana_mcp.brought import Kind
from kobana_mcp.registry import Tool

OBJECT = {"type": "object"}


def tool(schema=OBJECT, name="own", **facts):
    base = {"title": "T", "description": "T", "scope": "", "read_only": True, "destructive": False, "idempotent": True}
    base["run"] = lambda arguments, context: {"content": [{"type": "text", "text": "done"}]}
    return Tool(name=name, input_schema=schema, **{**base, **facts})


def faults(schema, **facts):
    return [(kind, words) for kind, words in brought.faults(tool(schema, **facts))]


def of(**properties):
    return {"type": "object", "properties": properties}


def mirrored(name="Region", kind="string", **more):
    return {"type": kind, "x-mcp-header": name, **more}


@pytest.mark.parametrize(
    "schema",
    [
        OBJECT,
        {**OBJECT, "$schema": "https://json-schema.org/draft/2020-12/schema#", "additionalProperties": False},
        of(a=mirrored(), b=of(c=mirrored("Other", "integer", maximum=2**53 - 1)), d=mirrored("x!#$%&'*+-.^_`|~9")),
        of(properties={"type": "object", "additionalProperties": False}, items=mirrored("Items")),
        {**of(a={"$ref": "#/$defs/A"}, b={"$ref": "#a"}), "$defs": {"A": {"$anchor": "a", "type": "string"}}},
        # Data that only looks like a schema.
        of(a={"default": {"$ref": "https://x.example/"}, "enum": [{"x-mcp-header": ""}], "const": {"type": 5}}),
        of(**{"$ref": {"type": "string"}, "x-mcp-header": {"type": "string"}}),
    ],
)
def test_schema_that_can_be_used_has_no_faults(schema):
    assert faults(schema) == []


@pytest.mark.proves("x-name")
@pytest.mark.parametrize("name", ["", " ", "a b", "a:b", "a\r\nb", "ü", "a\x00", "a/b", '"a"', None, 5, ["a"]])
def test_name_of_a_header_is_a_token(name):
    ((kind, words),) = faults(of(a=mirrored(name)))
    assert kind is Kind.HEADER and "names no header" in words


@pytest.mark.proves("x-unique")
def test_header_is_asked_for_once_whatever_its_case():
    ((kind, words),) = faults(of(a=mirrored("Region"), b=of(c=mirrored("rEGION"))))
    assert kind is Kind.HEADER and "#/properties/a and #/properties/b/properties/c" in words


@pytest.mark.proves("x-type")
@pytest.mark.parametrize(
    "part",
    [
        mirrored(kind="number"),
        mirrored(kind="object"),
        mirrored(kind="array"),
        mirrored(kind="null"),
        mirrored(kind=["string", "null"]),
        {"x-mcp-header": "Region"},
        mirrored(kind="integer", maximum=2**53),
        mirrored(kind="integer", minimum=-(2**53)),
    ],
)
def test_header_repeats_a_text_a_safe_integer_or_a_yes_or_no(part):
    assert [kind for kind, _ in faults(of(a=part))] == [Kind.HEADER]


@pytest.mark.proves("x-place")
@pytest.mark.parametrize(
    "schema",
    [
        {**OBJECT, **mirrored(kind="object")},
        of(a={"type": "array", "items": mirrored()}),
        of(a={"type": "array", "prefixItems": [mirrored()]}),
        of(a={"anyOf": [mirrored(), {"type": "null"}]}),
        of(a={"type": "object", "additionalProperties": mirrored()}),
        {**OBJECT, "patternProperties": {"^a": mirrored()}},
        {**OBJECT, "allOf": [of(a=mirrored())]},
        {**OBJECT, "if": of(a=mirrored()), "then": OBJECT},
        {**OBJECT, "not": of(a=mirrored())},
        {**of(a={"$ref": "#/$defs/A"}), "$defs": {"A": mirrored()}},
        {**OBJECT, "dependentSchemas": {"a": of(b=mirrored())}},
    ],
)
def test_header_stands_only_where_properties_alone_lead(schema):
    assert any("more than properties leads to" in words for _, words in faults(schema))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ([], "is no JSON Schema"),
        ({}, "is not of an object"),
        ({"type": "array"}, "is not of an object"),
        ({"anyOf": [OBJECT]}, "is not of an object"),
        ({"type": "objekt"}, "is no JSON Schema: 'objekt' is not valid"),
        ({**OBJECT, "required": None}, "is no JSON Schema"),
        ({**OBJECT, "properties": {"a": {"pattern": "("}}}, "is no JSON Schema"),
        ({**OBJECT, "$schema": "http://json-schema.org/draft-07/schema#"}, "is written in http://json-schema.org/dr"),
        ({**OBJECT, "$schema": None}, "is written in None"),
        (of(a=True), "says nothing at #/properties/a but true"),
        (of(a={"anyOf": [{"type": "string"}, False]}), "says nothing at #/properties/a/anyOf/1 but false"),
    ],
)
def test_schema_is_json_schema_of_an_object(schema, words):
    ((kind, said),) = faults(schema)
    assert kind is Kind.FORM and words in said


OUTSIDE = [
    "http://127.0.0.1:9/x",
    "https://json-schema.org/draft/2020-12/schema",
    "other.json",
    "//x.example/",
    "file:///",
]
NOWHERE = ["#/$defs/nothing", "#nothing", "#/properties/b/items"]


@pytest.mark.parametrize("reference", OUTSIDE + NOWHERE)
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_reference_that_leads_out_or_nowhere_is_a_fault(reference, keyword):
    ((kind, words),) = faults(of(a={keyword: reference}))
    assert kind is Kind.REFERENCE and f"{reference} at #/properties/a" in words
    ((kind, _),) = faults(OBJECT, output_schema=of(a={"type": "array", "items": {keyword: reference}}))
    assert kind is Kind.REFERENCE


@pytest.mark.proves("schema-reference")
@pytest.mark.parametrize("reference", OUTSIDE + NOWHERE)
def test_no_reference_is_fetched_and_the_tool_that_has_one_is_not_there(mcp, monkeypatch, reference):
    def fetch(*args, **kwargs):
        raise AssertionError("nothing is fetched")

    monkeypatch.setattr(urllib.request, "urlopen", fetch)
    monkeypatch.setattr(socket, "create_connection", fetch)
    monkeypatch.setattr(socket, "getaddrinfo", fetch)
    with registry.tools.temporarily(tool(of(a={"$ref": reference}))):
        assert "own" not in mcp.tools()
        answer = mcp.send("tools/call", {"name": "own", "arguments": {"a": 5}})
    assert answer.status_code == (400 if mcp.era.errors_by_status else 200)
    assert json.loads(answer.content)["error"]["code"] == -32602


@pytest.mark.parametrize("schema", [{}, {"type": "objekt"}, of(a=mirrored("")), of(a=True), []])
def test_schema_that_is_wrong_costs_its_own_tool_and_no_other(mcp, schema):
    everything = mcp.tools()
    with registry.tools.temporarily(tool(schema), tool(name="good")):
        assert mcp.tools() == [*everything, "good"]
        assert mcp.error("tools/call", {"name": "own"})["message"].startswith("Unknown tool: own")
        assert mcp.call("good")["content"]


def test_schema_of_results_that_is_wrong_costs_its_own_tool_alone(mcp):
    everything = mcp.tools()
    with registry.tools.temporarily(tool(output_schema={"type": "array"})):
        assert mcp.tools() == everything
