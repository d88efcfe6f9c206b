"""What the cases say and hear in few words: messages as they are on the wire, and refusals in one line."""

import json
from typing import Any, Final

from kobana_mcp.testing import MCPClient

#: Stands for a member that must not be there.
ABSENT: Final = "(absent)"
META: Final = "io.modelcontextprotocol/"


def post(mcp: MCPClient, body: Any, method: str = "tools/list", name: str | None = None, **headers: str | None) -> Any:
    """Posts a body as it is, or a value as JSON, with the headers that belong to such a message of this revision."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    own = mcp.headers_for(method, {} if name is None else {"name": name})
    return mcp.post(raw, headers={**own, **{key.replace("_", "-"): value for key, value in headers.items()}})


def refusal(answer: Any) -> tuple[int, int, Any]:
    """HTTP status, code and id of a JSON-RPC error, whose form is right; the id is ABSENT where there is none."""
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    said = answer.json()
    assert set(said) <= {"jsonrpc", "id", "error"} and said["jsonrpc"] == "2.0"
    assert isinstance(said["error"]["message"], str)
    return answer.status_code, said["error"]["code"], said.get("id", ABSENT)


def in_era(mcp: MCPClient, status: int, code: int, id: Any = 1) -> tuple[int, int, Any]:
    """The refusal that has this status in the modern era, and stands in the body of a 200 in the legacy eras."""
    return (status if mcp.era.errors_by_status else 200), code, id


def call(mcp: MCPClient, name: str, arguments: Any, id: Any = 1) -> dict[str, Any]:
    """A call of a tool, as a message."""
    return mcp.message("tools/call", {"name": name, "arguments": arguments}, id)


def nested(depth: int) -> Any:
    """An object ``depth`` levels deep, spelled out: no JSON writer goes that deep."""
    return '{"a":' * depth + "1" + "}" * depth
