"""The fixture tools that the official conformance suite asks for, by the names it calls them by."""

from collections.abc import Callable, Mapping
from typing import Any

from kobana_mcp import registry
from kobana_mcp.context import Context
from kobana_mcp.protocol.eras import client_capabilities
from kobana_mcp.protocol.errors import MissingCapability
from tests.conformance import asking

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}

Run = Callable[[Mapping[str, Any], Context], Mapping[str, Any]]


def tool(name: str, description: str, run: Run, schema: Mapping[str, Any] = NOTHING) -> None:
    facts = {"scope": "", "read_only": True, "destructive": False, "idempotent": True}
    registry.tools.add(
        registry.Tool(name=name, title=name, description=description, run=run, input_schema=schema, **facts)
    )


def says(*content: Mapping[str, Any], **members: Any) -> Run:
    """A tool that always answers the same."""
    return lambda arguments, context: {"content": list(content), **members}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def resource(uri: str, kind: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": words}}


IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}

tool("test_simple_text", "Says one line of text.", says(text("This is a simple text response for testing.")))
tool("test_image_content", "Answers an image.", says(IMAGE))
tool("test_audio_content", "Answers a sound.", says(AUDIO))
tool(
    "test_embedded_resource",
    "Answers a resource.",
    says(resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
)
tool(
    "test_multiple_content_types",
    "Answers three kinds of content.",
    says(
        text("Multiple content types test:"),
        IMAGE,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
)
tool(
    "test_error_handling",
    "Fails, in its result.",
    says(text("This tool intentionally returns an error for testing"), isError=True),
)


def needs_sampling(arguments: Mapping[str, Any], context: Context) -> Mapping[str, Any]:
    if "sampling" not in client_capabilities(context.message):
        raise MissingCapability(data={"requiredCapabilities": {"sampling": {}}})
    return {"content": [text("Sampling is declared.")]}


tool("test_missing_capability", "Needs the client to have a model.", needs_sampling)
tool("test_streaming_elicitation", "Answers at once, although it might ask.", says(text("Nothing was asked.")))
tool("test_logging_tool", "Logs nothing to the client.", says(text("Nothing was logged.")))

for name, (words, run) in asking.TOOLS.items():
    tool(f"test_input_required_result_{name}", words, run)

ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
tool(
    "json_schema_2020_12_tool",
    "Has a schema with much of the vocabulary of JSON Schema 2020-12.",
    says(text("The arguments fit.")),
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": ADDRESS},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
tool(
    "test_x_mcp_header",
    "Wants its argument repeated in a header.",
    lambda arguments, context: {"content": [text(f"region={arguments.get('region')}")]},
    {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "additionalProperties": False,
    },
)
