"""For the tests of a host: an MCP client on Django's test client, which speaks every revision by itself."""

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client

from kobana_mcp.conf import conf
from kobana_mcp.protocol.eras import ERAS

META = "io.modelcontextprotocol/"


class MCPClient:
    """Sends messages of one revision to the endpoint.

    Args:
        client: Django's test client.
        token: the bearer token; None sends none.
        version: a revision, such as ``2026-07-28``.
        capabilities: what the client declares, in an era where every message says so.
        headers: sent with every message.
    """

    def __init__(
        self,
        client: Client,
        token: str | None,
        version: str,
        *,
        capabilities: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.client, self.token, self.version = client, token, version
        self.era = next(era for era in ERAS if version in era.versions)
        self.capabilities = dict(capabilities or {})
        self.headers = dict(headers or {})

    def message(self, method: str, params: Mapping[str, Any] | None = None, id: Any = 1) -> dict[str, Any]:
        """A request in this revision; a notification where ``id`` is None."""
        given = dict(params or {})
        if self.era.envelope:
            own = {META + "protocolVersion": self.version, META + "clientCapabilities": self.capabilities}
            given["_meta"] = {**own, **given.get("_meta", {})}
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": given}
        return {name: value for name, value in message.items() if name != "id" or value is not None}

    def headers_for(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The headers that belong to such a message."""
        headers = {"Accept": "application/json", "MCP-Protocol-Version": self.version}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.era.mirrors_headers:
            headers["Mcp-Method"] = method
            if method == "tools/call" and isinstance((params or {}).get("name"), str):
                headers["Mcp-Name"] = (params or {})["name"]
        return {**headers, **self.headers}

    def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        id: Any = 1,
        headers: Mapping[str, Any] | None = None,
    ) -> Any:
        """Posts one message. A header given as None is left out."""
        chosen = {**self.headers_for(method, params), **(headers or {})}
        return self.post(json.dumps(self.message(method, params, id)).encode(), headers=chosen)

    def post(self, body: bytes, *, headers: Mapping[str, Any], content_type: str = "application/json") -> Any:
        """Posts bytes as they are."""
        sent = {name: value for name, value in headers.items() if value is not None}
        return self.client.generic(
            "POST", conf.ENDPOINT_PATH, body, content_type, headers=sent, CONTENT_TYPE=content_type
        )

    def result(self, method: str, params: Mapping[str, Any] | None = None, **kwargs: Any) -> dict[str, Any]:
        """The result of a message. Raises AssertionError when it is answered by an error."""
        answer = json.loads(self.send(method, params, **kwargs).content)
        if "result" not in answer:
            raise AssertionError(answer)
        result: dict[str, Any] = answer["result"]
        return result

    def error(self, method: str, params: Mapping[str, Any] | None = None, **kwargs: Any) -> dict[str, Any]:
        """The error of a message. Raises AssertionError when it is answered by a result."""
        answer = json.loads(self.send(method, params, **kwargs).content)
        if "error" not in answer:
            raise AssertionError(answer)
        error: dict[str, Any] = answer["error"]
        return error

    def tools(self) -> list[str]:
        """The names of all tools the caller sees, page by page."""
        names: list[str] = []
        params: dict[str, Any] = {}
        while True:
            page = self.result("tools/list", params)
            names += [tool["name"] for tool in page["tools"]]
            if "nextCursor" not in page:
                return names
            params = {"cursor": page["nextCursor"]}

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        """The result of one tool call. Raises AssertionError when it is answered by an error."""
        return self.result("tools/call", {"name": tool, "arguments": dict(arguments or {}), **params})

    def data(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """What a tool's endpoint answered, as a value. Raises AssertionError when the endpoint said no."""
        result = self.call(tool, arguments)
        if result.get("isError"):
            raise AssertionError(result)
        return json.loads(result["content"][0]["text"])

    def refusal(self, tool: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The error envelope's inside of a call that is refused by result. Raises AssertionError when it was run."""
        result = self.call(tool, arguments)
        if not result.get("isError"):
            raise AssertionError(result)
        refusal: dict[str, Any] = json.loads(result["content"][0]["text"])["error"]
        return refusal
