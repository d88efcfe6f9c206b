"""From what an endpoint answered to the result of ``tools/call``."""

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from kobana_mcp.bridge import Answer
from kobana_mcp.conf import conf
from kobana_mcp.context import Context
from kobana_mcp.protocol.errors import Unavailable
from kobana_mcp.registry import Tool
from kobana_mcp.schemas import shape_of

logger = logging.getLogger("kobana_mcp")

#: The code of a refusal whose endpoint gave it none.
CODES: Mapping[int, str] = {
    400: "validation_failed",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "payload_too_large",
    415: "unsupported_media_type",
    422: "unprocessable",
    429: "rate_limited",
}


class EndpointFailure(Exception):
    """The endpoint broke down, or answered what no tool can hand on. Logged under a reference, never quoted."""


class ToolFailure(Exception):
    """The call ends here, with a result the model reads; not a fault of the protocol."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code)
        self.result = failed({"error": {"code": code, "message": message}})

    @classmethod
    def of(cls, result: dict[str, Any]) -> "ToolFailure":
        """The failure whose result is already made."""
        failure = cls("", "")
        failure.result = result
        return failure


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def failed(envelope: Mapping[str, Any]) -> dict[str, Any]:
    return {**text(json.dumps(envelope, ensure_ascii=False)), "isError": True}


def invalid_arguments(tool: Tool, faults: Mapping[str, list[str]]) -> dict[str, Any]:
    """Every fault of a call's arguments, in the envelope the REST API uses for its own."""
    form = faults.get("", [])
    fields = {name: words for name, words in faults.items() if name}
    details = {"formErrors": form, "fieldErrors": fields}
    message = f"The arguments of {tool.name} are not valid."
    return failed({"error": {"code": "validation_failed", "message": message, "details": details}})


def from_endpoint(tool: Tool, answer: Answer) -> dict[str, Any]:
    """The result that carries ``answer``. Raises EndpointFailure where the endpoint broke down."""
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        raise Unavailable
    is_refusal = 400 <= answer.status < 500
    if not (answer.is_success or is_refusal) or (answer.is_success and answer.body and not answer.is_json):
        raise EndpointFailure(f"Tool {tool.name}: the endpoint answered {answer.status} {answer.content_type}")
    if is_refusal:
        return failed(
            _envelope(answer) if len(answer.body) <= conf.MAX_RESULT_BYTES else _envelope(Answer(answer.status))
        )
    if not answer.body:
        return text(json.dumps({"status": answer.status, "message": _done(answer.status)}))
    if len(answer.body) > conf.MAX_RESULT_BYTES:
        return _too_large(tool, len(answer.body))
    return text(answer.body.decode())


def announced(tool: Tool) -> dict[str, Any]:
    """What the description of ``tool`` says of its results: ``outputSchema``, or nothing (server/tools)."""
    output = shape_of(tool).output
    return {} if output is None else {"outputSchema": output}


def structured(tool: Tool, result: dict[str, Any], context: Context) -> dict[str, Any]:
    """``result`` with ``structuredContent``, where the description of ``tool`` announced one.

    A refusal and a question to the person have none: it would have to fit the schema of a success.
    """
    if result.get("isError") or not structures(context):
        return {name: value for name, value in result.items() if name != "structuredContent"}
    if tool.run is not None or shape_of(tool).output is None or "content" not in result:
        return result
    try:
        said = json.loads(result["content"][0]["text"])
    except (ValueError, RecursionError):
        logger.error("Tool %s: the endpoint called JSON what is none", tool.name)
        return result
    return {**result, "structuredContent": said} if isinstance(said, Mapping) else result


def structures(context: Context) -> bool:
    """Whether results are handed out as values too: the settings say so, and the revision knows how."""
    return bool(conf.STRUCTURED_RESULTS) and context.revision.has_structured_results


def _envelope(answer: Answer) -> Mapping[str, Any]:
    """The endpoint's own error envelope; an endpoint with another habit gets one made around what it said."""
    said = answer.json()
    if isinstance(said, Mapping) and isinstance(said.get("error"), Mapping):
        return said
    message = said.get("detail") if isinstance(said, Mapping) else None
    if isinstance(message, str):
        said = {name: value for name, value in said.items() if name != "detail"}
    else:  # the faults of a field that has this name
        message = None
    error: dict[str, Any] = {"code": CODES.get(answer.status, "refused"), "message": message or _phrase(answer.status)}
    if said:
        error["details"] = said
    return {"error": error}


def _too_large(tool: Tool, size: int) -> dict[str, Any]:
    shape = shape_of(tool)
    narrowing = [name for name, place in shape.places.items() if place == "query" and name != "cursor"]
    hint = f" Narrow it with: {', '.join(narrowing)}." if narrowing else ""
    done = "" if tool.read_only else "It is done, and must not be repeated; only its answer is too long. "
    message = f"{done}The result has {size} bytes; at most {conf.MAX_RESULT_BYTES} can be returned.{hint}"
    return failed({"error": {"code": "result_too_large", "message": message, "details": {"size": size}}})


def _done(status: int) -> str:
    return "Accepted; it is carried out in the background." if status == HTTPStatus.ACCEPTED else "Done."


def _phrase(status: int) -> str:
    known = {each.value: each.phrase for each in HTTPStatus}
    return known.get(status, "Refused") + "."
