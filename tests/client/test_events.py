"""What happens is told once and in order, over as many streams as it takes."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from starlette.applications import Starlette

from interlock.app import open_app
from interlock.client import Client, Event, Refused
from interlock.config import Settings
from interlock.doors.http import Doors
from interlock.doors.rest.door import RestHttp
from interlock.doors.rest.events import Pace, Streams
from interlock.doors.rest.places import PREFIX
from interlock.service.access import create_token, revoke_token
from interlock.service.feed import Feed
from tests.client.flaky import flaky
from tests.doors.mcp.clients import Serving
from tests.doors.served import served

STEPS = [{"instructions": "x"}]
PATIENCE_S = 60

pytestmark = pytest.mark.anyio


async def test_a_stream_that_breaks_is_gone_on_with_where_it_broke(
    server: Serving, person: tuple[str, str]
) -> None:
    seen: list[Event] = []
    async with (
        flaky(server.port) as way,
        Client(way.url, person[0]) as reader,
        Client(server.url, person[0]) as writer,
    ):
        made = await writer.create_research_plan("followed", "?", STEPS * 20)
        plan = str(made.data["plan_id"])

        async def follow() -> None:
            async with aclosing(reader.events(unit=[plan], from_start=True)) as events:
                async for event in events:
                    seen.append(event)
                    if event.body["event"] == "submit" and len(seen) > 60:
                        return

        following = asyncio.create_task(follow())
        for number in range(1, 21):
            await writer.get_next_step(plan)
            await writer.submit_step_result(f"{plan}.{number}", "s")
            if number in (5, 12):
                way.cut()
        async with asyncio.timeout(PATIENCE_S):
            await following
        audit = await writer.get_audit(plan)

    told = [event.sequence for event in seen]
    assert told == sorted(set(told))
    assert told == list(range(1, len(told) + 1))
    entries = audit.data["entries"]
    assert isinstance(entries, list)
    assert [event.hash for event in seen] == [one["hash"] for one in entries[: len(seen)]]


async def test_whoever_is_shown_out_hears_no_more(server: Serving) -> None:
    async with Client(server.url, "il_" + "1" * 40) as client:
        with pytest.raises(Refused) as no:
            await anext(client.events())

    assert no.value.code == "UNAUTHENTICATED"


async def test_a_revoked_token_ends_its_stream(tmp_path: Path) -> None:
    async with open_app(Settings(tmp_path)) as app:
        secret, row = await create_token(app.engine, app.owner(), "ada")
        streams = Streams(Feed(app.engine.store), Pace(ask_again_s=0.1))
        door = RestHttp(app.engine, 100_000, streams=streams)
        async with (
            served(Doors({PREFIX: door}, Starlette()), door.close) as url,
            Client(url, secret) as client,
        ):
            events = client.events()
            waiting = asyncio.ensure_future(anext(events, None))
            await asyncio.sleep(0.3)
            assert not waiting.done()
            await revoke_token(app.engine, app.owner(), row.id)
            async with asyncio.timeout(PATIENCE_S):
                assert await waiting is None
