"""What happens is told once and in order, over as many streams as it takes."""

import asyncio
import subprocess
from contextlib import aclosing

import pytest

from interlock.client import Client, Event, Refused
from tests.client.conftest import token_of
from tests.client.flaky import flaky
from tests.doors.mcp.clients import Serving, command, environment

STEPS = [{"instructions": "x"}]
PATIENCE_S = 20

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


async def test_a_revoked_token_ends_its_stream(server: Serving) -> None:
    secret, name = await asyncio.to_thread(token_of, server.folder)
    async with Client(server.url, secret) as client:
        await client.ping()
        events = client.events()
        waiting = asyncio.ensure_future(anext(events, None))
        await asyncio.sleep(0.5)
        line = command(server.folder, "token", "revoke", name)
        await asyncio.to_thread(subprocess.run, line, env=environment(), check=True)
        async with asyncio.timeout(60):
            assert await waiting is None
