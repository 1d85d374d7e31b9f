"""Who leaves while waiting over HTTP is given nothing: work goes to somebody who is there."""

import asyncio
import http.client
import json
from collections.abc import Iterator

import pytest

from tests.doors.mcp.clients import Serving, called, over_http, serving
from tests.stage import new_plan

WAITERS = 3
OLD = {"MCP-Protocol-Version": "2025-06-18"}
NEW = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "get_next_work",
}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served")) as started:
        yield started


def wait_and_leave(server: Serving, era: dict[str, str]) -> None:
    """Ask for work that is not there yet, and hang up while the server waits for it."""
    params = {"name": "get_next_work", "arguments": {"wait_s": 10}}
    if era is NEW:
        params["_meta"] = META
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Accept": "application/json, text/event-stream", "Content-Type": "application/json",
        "Authorization": f"Bearer {server.token}", **era,
    }  # fmt: skip
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=1)
    connection.request("POST", "/mcp/work", json.dumps(body), headers)
    with pytest.raises(TimeoutError):
        connection.getresponse()
    connection.close()


@pytest.mark.parametrize("era", [OLD, NEW], ids=["handshake", "stateless"])
def test_work_is_not_kept_for_somebody_who_has_left(server: Serving, era: dict[str, str]) -> None:
    async def story() -> None:
        leaving = (asyncio.to_thread(wait_and_leave, server, era) for _ in range(WAITERS))
        await asyncio.gather(*leaving)
        async with over_http(server) as client:
            made = await called(client, "create_research_plan", **new_plan(1))
            plan = made["data"]["plan_id"]
            # Long enough that any of those who have left could have taken it.
            await asyncio.sleep(0.3)
            told = await called(client, "get_next_step", plan_id=plan)
        assert told["data"]["step"]["lease"]["token"]

    asyncio.run(story())
