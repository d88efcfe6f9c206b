"""Drives a server with the official Python client, as it is: connect, list, call, and answer what is asked.

usage: python.py URL TOKEN 2026-07-28|legacy
"""

import asyncio
import sys

import httpx2
import mcp_types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL, TOKEN, ERA = sys.argv[1:4]
FILL = {"string": "Alice", "boolean": True}


async def answer(context, params):
    fields = params.requested_schema["properties"]
    return mcp_types.ElicitResult(action="accept", content={k: FILL[v["type"]] for k, v in fields.items()})


async def main():
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20) as http:
        transport = streamable_http_client(URL, http_client=http)
        async with Client(transport, mode=ERA, elicitation_callback=answer) as client:
            print("  ok  connect   ", client.protocol_version)  # noqa: T201
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "test_simple_text" in names
            print("  ok  list      ", len(names), "tools")  # noqa: T201
            result = await client.call_tool("test_simple_text", {})
            assert result.content[0].text and not result.is_error
            assert (await client.call_tool("test_error_handling", {})).is_error
            print("  ok  call      ", result.content[0].text)  # noqa: T201
            if ERA == "legacy":
                assert client.protocol_version == "2025-06-18"
                return
            for name in ("elicitation", "multi_round"):
                result = await client.call_tool(f"test_input_required_result_{name}", {})
                print("  ok  asked     ", result.content[0].text)  # noqa: T201
            result = await client.call_tool("test_x_mcp_header", {"region": "São Paulo"})
            assert result.content[0].text == "region=São Paulo"
            print("  ok  parameter ", result.content[0].text)  # noqa: T201


asyncio.run(main())
