"""The OpenAPI document: it is what people read, and what the input schemas of the tools are made from."""

import json

import jsonschema
import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema


@pytest.fixture(scope="module")
def document():
    return json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str))


def operations(document):
    for path, methods in document["paths"].items():
        if path.startswith("/api/v1"):
            for method, operation in methods.items():
                yield f"{method} {path}", operation


def test_document_is_valid_openapi(document):
    validate_schema(document)


def test_every_parameter_says_what_it_is(document):
    for name, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            assert len(parameter.get("description", "")) > 9, (name, parameter)
            assert "type" in parameter["schema"], (name, parameter)


def test_every_field_says_what_it_is(document):
    for name, component in document["components"]["schemas"].items():
        for field, schema in component.get("properties", {}).items():
            if field not in ("data", "meta", "error"):
                assert schema.get("description"), (name, field)


def test_every_operation_names_its_scope_and_its_errors(document):
    for name, operation in operations(document):
        ((scope,),) = (each["bearer"] for each in operation["security"])
        assert scope.startswith("inbox.")
        assert scope.endswith(":read" if name.startswith("get") else ":write")
        assert {"400", "401", "403", "404"} <= set(operation["responses"])


def answer_schema(document, path: str) -> dict:
    schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


@pytest.mark.parametrize("family", ["emails", "inboxes", "workspaces"])
def test_answers_are_as_documented(document, rest_for, tenant, deliver_one, family):
    deliver_one(b"From: a@b.test\r\nContent-Type: image/png\r\n\r\nx")
    rest = rest_for(tenant.viewer, None)
    page = rest.get(f"/api/v1/{family}").json()
    jsonschema.validate(page, answer_schema(document, f"/api/v1/{family}"))
    one = rest.get(f"/api/v1/{family}/{page['data'][0]['id']}").json()
    jsonschema.validate(one, answer_schema(document, f"/api/v1/{family}/{{id}}"))
    assert set(page["data"][0]) <= set(one["data"])


def test_query_parameters_have_their_limits(document):
    listed = {each["name"]: each["schema"] for each in document["paths"]["/api/v1/emails"]["get"]["parameters"]}
    assert listed["limit"] == {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    assert listed["q"] == {"type": "string", "minLength": 3, "maxLength": 200}
    assert set(listed["status"]["items"]["enum"]) == {
        *("received", "approved", "rejected", "processing", "processed", "failed")
    }
    assert listed["inbox_id"]["format"] == "uuid"
    one = {each["name"]: each["schema"] for each in document["paths"]["/api/v1/emails/{id}"]["get"]["parameters"]}
    assert one["body"]["enum"] == ["both", "text", "html", "none"]
    assert one["body"]["default"] == "both"
    assert one["id"] == {"type": "string", "format": "uuid"}
