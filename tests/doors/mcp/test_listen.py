"""Change notifications: who listens is told of their own units, and of no others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from starlette.applications import Starlette

from interlock.doors.http import Doors
from interlock.doors.mcp import listen
from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.http import PATH, McpHttp
from interlock.doors.mcp.listen import Listening, changes
from interlock.doors.mcp.resources import addresses
from interlock.doors.mcp.tools import toolset
from interlock.service.access import create_token, revoke_token
from tests.doors.mcp.clients import ERAS, called, on
from tests.doors.served import served
from tests.stage import EVE, HOME, PAT, Stage, new_plan, staged


@staged
async def test_a_change_is_told_at_every_address_of_the_unit_and_a_new_unit_as_a_new_list(
    stage: Stage,
) -> None:
    plan = await stage.plan()
    async with asyncio.timeout(30), aclosing(changes(stage.engine, HOME)) as events:
        assert await anext(events) == []
        await stage.claim(plan)
        while not (told := await anext(events)):
            pass
        assert told == [ResourceUpdated(uri=uri) for uri in addresses(plan)]

        other = await stage.plan()
        while not (told := await anext(events)):
            pass
    assert told[-1] == ResourcesListChanged()
    assert ResourceUpdated(uri=addresses(other)[0]) in told


@staged
async def test_a_client_that_listens_hears_of_what_it_asked_for(stage: Stage) -> None:
    plan, quiet = await stage.plan(), await stage.plan()
    wanted = f"interlock://unit/{plan}"
    async with (
        asyncio.timeout(30),
        on(stage) as client,
        client.listen(resource_subscriptions=[wanted], resources_list_changed=True) as stream,
    ):
        await stage.claim(quiet)
        await stage.claim(plan)
        assert await anext(aiter(stream)) == ResourceUpdated(uri=wanted)
        await called(client, "create_research_plan", **new_plan())
        assert await anext(aiter(stream)) == ResourcesListChanged()


@staged
async def test_nobody_hears_of_what_others_do(stage: Stage) -> None:
    plan = await stage.plan()
    mine = await stage.plan(1, EVE)
    uris = [f"interlock://unit/{one}" for one in (plan, mine)]
    async with (
        asyncio.timeout(30),
        on(stage, EVE) as client,
        client.listen(resource_subscriptions=uris) as stream,
    ):
        await stage.claim(plan)
        await stage.claim(mine, EVE)
        assert await anext(aiter(stream)) == ResourceUpdated(uri=uris[1])


@staged
async def test_there_is_an_end_to_how_many_can_listen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listen, "STREAMS_MAX", 0)
    async with asyncio.timeout(30), on(stage) as client:
        with pytest.raises(MCPError, match="Too many streams"):
            async with client.listen(resources_list_changed=True):
                pass


def application(door: McpHttp) -> Doors:
    """Return the door as a web server is given it."""

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with door.running():
            yield

    return Doors({PATH: door}, Starlette(lifespan=running))


@staged
async def test_a_stream_ends_once_its_token_is_revoked_and_no_other_does(stage: Stage) -> None:
    desk = Desk(stage.engine, toolset("research"))
    door = McpHttp(desk, 100_000, Listening(ask_again_s=0.1))
    secrets, rows = zip(
        *[await create_token(stage.engine, PAT, name) for name in ("ann", "bob")], strict=True
    )
    async with served(application(door), door.close) as url, AsyncExitStack() as stack:
        streams = []
        for secret in secrets:
            headers = {"Authorization": f"Bearer {secret}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=30))
            transport = streamable_http_client(f"{url}/mcp", http_client=http)
            client = await stack.enter_async_context(Client(transport, mode=ERAS[1]))
            listening = client.listen(resources_list_changed=True)
            streams.append(await stack.enter_async_context(listening))
        await revoke_token(stage.engine, PAT, rows[0].id)
        async with asyncio.timeout(30):
            assert [event async for event in streams[0]] == []
        await stage.plan(1)
        async with asyncio.timeout(30):
            assert isinstance(await anext(aiter(streams[1])), ResourcesListChanged)
