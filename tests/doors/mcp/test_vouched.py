"""A token of the identity provider at the MCP door: its person is known, and an agent acts."""

from dataclasses import replace
from typing import cast

import httpx2

from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.http import McpHttp
from interlock.doors.mcp.tools import toolset
from tests.doors.mcp.test_listen import application
from tests.doors.served import served
from tests.service.folk import first
from tests.service.issuer import issuing
from tests.stage import Stage, new_plan, staged

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@staged
async def test_whoever_is_vouched_for_acts_as_an_agent_and_nobody_else_comes_in(
    stage: Stage,
) -> None:
    await first(stage, "pam", "owner")
    with issuing(stage.engine.store.now()) as issuer:
        await stage.sql(f"UPDATE users SET subject = '{issuer.url} s-1' WHERE id = 'pam'")  # noqa: S608 (ours)
        engine = replace(stage.engine, provider=issuer.provider())
        door = McpHttp(Desk(engine, toolset("research")), 100_000)
        async with (
            served(application(door), door.close) as url,
            httpx2.AsyncClient(base_url=url, timeout=30) as client,
        ):

            async def call(token: str) -> httpx2.Response:
                params = {"name": "create_research_plan", "arguments": new_plan(1)}
                asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
                headers = {**HEADERS, "Authorization": f"Bearer {token}"}
                return await client.post("/mcp", json=asked, headers=headers)

            refused = [
                await call(issuer.token(issuer.claims(aud="other"))),
                await call(issuer.token(issuer.claims(sub="s-2"))),
                await call(issuer.token(issuer.claims(exp=1))),
            ]
            made = await call(issuer.token(issuer.claims()))

    assert [one.status_code for one in refused] == [401] * 3
    told = made.json()["result"]["structuredContent"]
    entry = (await stage.audit(told["data"]["plan_id"]))[0]
    actor = cast("dict[str, str]", entry["actor"])
    assert (actor["kind"], actor["id"], actor["on_behalf_of"]) == ("agent", "pam", "pam")
