"""The floor of the MCP door: it lists what is called, and says ok to everything."""

import asyncio

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tools.bench.mcp_callers import IDLE, REVISION, claim, submit
from tools.bench.serving import started


def test_it_lists_its_tools_and_says_ok() -> None:
    async def story(port: int) -> tuple[list[str], list[object]]:
        async with httpx2.AsyncClient(timeout=30) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            async with Client(transport, mode=REVISION) as client:
                listed = [tool.name for tool in (await client.list_tools()).tools]
                calls = claim("plan-1", 1), submit("plan-1", 1, IDLE)
                told = [await client.call_tool(*call) for call in calls]
                return listed, [one.structured_content for one in told]

    with started("tools.bench.mcp_floor") as (port, _):
        listed, told = asyncio.run(story(port))

    assert listed == ["get_next_step", "submit_step_result"]
    assert told == [{"status": "ok"}] * 2
