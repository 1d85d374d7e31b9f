"""Change notifications: who listens is told of their own units, and of no others."""

import asyncio
from contextlib import aclosing

import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from interlock.doors.mcp import listen
from interlock.doors.mcp.listen import changes
from interlock.doors.mcp.resources import addresses
from tests.doors.mcp.clients import called, on
from tests.stage import EVE, HOME, Stage, new_plan, staged


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
