"""Drives a server with the client of fastmcp, as it is: connect, list, call, and answer what is asked.

usage: fast.py URL TOKEN 2026-07-28|legacy
"""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult

URL, TOKEN, ERA = sys.argv[1:4]
FILL = {"string": "Alice", "boolean": True}


async def answer(message, response_type, params, context):
    fields = params.requested_schema["properties"]
    return ElicitResult(action="accept", content={k: FILL[v["type"]] for k, v in fields.items()})


async def main():
    async with Client(URL, auth=TOKEN, mode=ERA, elicitation_handler=answer, timeout=20) as client:
        print("  ok  connect   ", client.session.protocol_version)  # noqa: T201
        names = [tool.name for tool in await client.list_tools()]
        assert "test_simple_text" in names
        print("  ok  list      ", len(names), "tools")  # noqa: T201
        result = await client.call_tool("test_simple_text", {})
        assert result.content[0].text and not result.is_error
        assert (await client.call_tool("test_error_handling", {}, raise_on_error=False)).is_error
        print("  ok  call      ", result.content[0].text)  # noqa: T201
        if ERA == "legacy":
            assert client.session.protocol_version == "2025-06-18"
            return
        for name in ("elicitation", "multi_round"):
            result = await client.call_tool(f"test_input_required_result_{name}", {})
            print("  ok  asked     ", result.content[0].text)  # noqa: T201


asyncio.run(main())
