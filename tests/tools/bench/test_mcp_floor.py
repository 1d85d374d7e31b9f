"""The floor of the MCP door: it lists what is called, and says ok to everything."""

import asyncio

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tools.bench.mcp_callers import REVISION, claim
from tools.bench.mcp_course import started
from tools.bench.mcp_floor import NAMES, TOLD


def test_it_lists_its_tools_and_says_ok() -> None:
    async def story(port: int) -> tuple[list[str], object]:
        async with httpx2.AsyncClient(timeout=30) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            async with Client(transport, mode=REVISION) as client:
                listed = [tool.name for tool in (await client.list_tools()).tools]
                told = await client.call_tool(*claim("plan-1", 1))
                return listed, told.structured_content

    with started("tools.bench.mcp_floor") as port:
        assert asyncio.run(story(port)) == ([*NAMES], TOLD)
