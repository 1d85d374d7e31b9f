"""The stream: everything once, nothing of others, and an end that is told."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import cast

import pytest

from interlock.doors.rest import events
from interlock.doors.rest.door import RestHttp
from interlock.doors.rest.events import Pace, Streams, wanted_of
from interlock.service.access import create_token, revoke_token
from interlock.service.errors import InvalidInput
from interlock.service.feed import PAGE, Feed
from interlock.service.seal import seal_of
from tests.doors.mcp.clients import serving
from tests.doors.rest.calling import BODY_MAX, application, door, on, problem, token
from tests.doors.rest.listening import Event, Reader, listening
from tests.stage import ADA, AWAY, EVE, HOME, PAT, Stage, staged


def names(entries: list[Event]) -> list[tuple[str, int]]:
    return [(entry["unit_id"], entry["sequence"]) for entry in entries]


async def all_of(stage: Stage, tenant: str = HOME) -> list[tuple[str, int]]:
    rows = await stage.engine.store.feed(tenant, "", 1_000)
    return [(row.unit, row.link.sequence) for row in rows]


@staged
async def test_an_event_is_an_entry_of_the_audit_as_it_is_read(stage: Stage) -> None:
    plan = await stage.plan(2)
    async with listening(application(door(stage)), await token(stage), "from=start") as reader:
        found = await reader.until(3)

    told = cast("list[Event]", (await stage.call("get_audit", id=plan)).data["entries"])
    assert found == [{"unit_id": plan, **entry} for entry in told]
    assert reader.status == 200


@staged
async def test_without_more_being_said_only_what_is_new_is_told(stage: Stage) -> None:
    plan = await stage.plan(2)
    async with listening(application(door(stage)), await token(stage)) as reader:
        await reader.told.wait()
        await stage.plan(1, EVE)
        await stage.claim(plan)
        found = await reader.until(2)

    assert names(found) == [(plan, 4), (plan, 5)]


@staged
async def test_nothing_is_lost_or_told_twice_by_one_who_comes_back_again_and_again(
    stage: Stage,
) -> None:
    app, secret = application(door(stage)), await token(stage)
    plans = [await stage.plan(6, max_parallel_steps=6) for _ in range(3)]

    async def write(plan: str) -> None:
        for _ in range(6):
            await stage.claim(plan)
            await asyncio.sleep(0)

    writing = asyncio.gather(*(write(plan) for plan in plans))
    found: list[Event] = []
    last, query, total = "", "from=start", 3 * (7 + 7)
    while len(found) < total:
        async with listening(app, secret, query, last) as reader:
            await reader.until(1)
        found += reader.entries
        last, query = reader.last_id, ""
    await writing

    assert names(found) == await all_of(stage)
    assert len(found) == total


@staged
async def test_a_place_in_the_query_is_where_it_begins_and_a_header_that_says_more_wins(
    stage: Stage,
) -> None:
    plan = await stage.plan(3, max_parallel_steps=3)
    seal = await seal_of(stage.engine, HOME)
    query = f"after={seal.close(await stage.engine.store.feed_end(HOME))}"
    app, secret = application(door(stage)), await token(stage)
    await stage.claim(plan)
    async with listening(app, secret, query) as reader:
        first = list(await reader.until(2))
    await stage.claim(plan)
    async with listening(app, secret, query, reader.last_id) as again:
        await again.until(1)

    assert names(first) == [(plan, 5), (plan, 6)]
    assert names(again.entries) == [(plan, 7)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("unit={one}", [("one", 1), ("one", 2), ("one", 3), ("one", 4)]),
        ("unit={one}&type=claim", [("one", 3), ("one", 4)]),
        ("type=nope&type=claim", [("one", 3), ("one", 4)]),
        ("workflow=plan&type=begin&unit={two}", [("two", 1), ("two", 2)]),
    ],
)
@staged
async def test_a_reader_gets_what_it_asked_for(
    stage: Stage, query: str, expected: list[tuple[str, int]]
) -> None:
    one, two = await stage.plan(1), await stage.plan(1)
    await stage.claim(one)
    known = {one: "one", two: "two"}
    asked = f"from=start&{query.format(one=one, two=two)}"
    async with listening(application(door(stage)), await token(stage), asked) as reader:
        await reader.until(len(expected))

    assert [(known[name], sequence) for name, sequence in names(reader.entries)] == expected


@staged
async def test_nobody_hears_of_another_tenant(stage: Stage) -> None:
    app = application(door(stage))
    async with (
        listening(app, await token(stage), "from=start") as mine,
        listening(app, await token(stage, by=EVE), "from=start") as theirs,
    ):
        own, foreign = await stage.plan(1), await stage.plan(1, EVE)
        await mine.until(2)
        await theirs.until(2)
        for _ in range(2):
            await stage.plan(1, EVE)
        await theirs.until(6)

    assert {name for name, _ in names(mine.entries)} == {own}
    assert own not in {name for name, _ in names(theirs.entries)}
    assert names(theirs.entries)[0] == (foreign, 1)
    assert names(theirs.entries) == await all_of(stage, AWAY)


def paced(stage: Stage, **pace: float) -> RestHttp:
    return RestHttp(stage.engine, BODY_MAX, streams=Streams(Feed(stage.engine.store), Pace(**pace)))


@staged
async def test_a_quiet_stream_shows_that_it_is_alive_and_where_it_is(stage: Stage) -> None:
    await stage.plan(1)
    app = application(paced(stage, keep_alive_s=0.05))
    async with listening(app, await token(stage), "from=start&type=nope") as reader:
        while reader.text.count(": still here") < 2:
            reader.told.clear()
            await reader.told.wait()

    position = (await stage.engine.store.feed(HOME, "", 10))[-1].position
    assert (await seal_of(stage.engine, HOME)).open(reader.last_id) == position
    assert reader.entries == []


@staged
async def test_a_token_that_is_revoked_ends_its_stream(stage: Stage) -> None:
    app = application(paced(stage, ask_again_s=0.05))
    secret, row = await create_token(stage.engine, PAT, "short")
    async with listening(app, secret) as reader:
        await reader.told.wait()
        await revoke_token(stage.engine, PAT, row.id)
        end = await reader.end()

    assert (end["event"], end["data"]["code"]) == ("stop", "UNAUTHENTICATED")


@staged
async def test_fifty_streams_are_told_that_the_server_stops(stage: Stage) -> None:
    made = door(stage)
    app, secret = application(made), await token(stage)
    async with AsyncExitStack() as stack:
        readers = [await stack.enter_async_context(listening(app, secret)) for _ in range(50)]
        for reader in readers:
            await reader.told.wait()
        assert made.streams.open == {next(iter(made.streams.open)): 50}
        made.close()
        ends = [await reader.end() for reader in readers]

    assert {(end["event"], end["data"]["code"]) for end in ends} == {("stop", "STOPPING")}
    assert made.streams.open == {}


@staged
async def test_one_caller_has_so_many_streams_and_no_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STREAMS_EACH", 1)
    app, secret = application(door(stage)), await token(stage)
    async with listening(app, secret) as first:
        await first.told.wait()
        async with listening(app, secret) as second, listening(app, await token(stage)) as other:
            await second.is_served.wait()
            await other.told.wait()
        assert (second.status, other.status) == (429, 200)
        assert json.loads(second.text)["code"] == "TOO_MANY_STREAMS"
    async with listening(app, secret) as again:
        await again.told.wait()
    assert again.status == 200


@staged
async def test_who_is_slow_is_waited_for_with_one_page_in_hand(stage: Stage) -> None:
    for _ in range(2 * PAGE // 51 + 1):
        await stage.plan(50)
    total = len(await all_of(stage))
    async with listening(application(door(stage)), await token(stage), "from=start") as reader:
        await reader.until(1)
        reader.takes.clear()
        await reader.is_waited_for.wait()
        held = len(reader.entries)
        reader.takes.set()
        found = await reader.until(total)

    assert held <= 2 * PAGE < total
    assert names(found) == await all_of(stage)


@staged
async def test_who_takes_nothing_for_long_is_given_up(stage: Stage) -> None:
    made = paced(stage, send_s=0.05)
    async with listening(application(made), await token(stage)) as reader:
        await reader.told.wait()
        reader.takes.clear()
        await stage.plan(1)
        await reader.is_served.wait()

    assert (reader.entries, made.streams.open) == ([], {})


@pytest.mark.parametrize(
    "query", ["from=later", "from=now&from=now", "unt=x", "after=1&after=1", "after=1&from=now"]
)
def test_what_no_stream_takes_is_told(query: str) -> None:
    pairs = [cast("tuple[str, str]", tuple(one.split("="))) for one in query.split("&")]
    with pytest.raises(InvalidInput) as no:
        wanted_of(pairs)

    assert no.value.fields


@staged
async def test_who_may_not_read_may_not_follow(stage: Stage) -> None:
    async with on(stage, await token(stage, "agent", "work")) as client:
        assert problem(await client.get("/v1/events"), 403)["code"] == "NOT_ALLOWED"
    async with on(stage) as client:
        problem(await client.get("/v1/events?from=x"), 422)
        head = await client.head("/v1/events")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")


def opened(port: int, secret: str) -> socket.socket:
    """Open a stream to a server in another process; returns once it has begun."""
    stream = socket.create_connection(("127.0.0.1", port), timeout=30)
    stream.sendall(
        f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()
    )
    told = b""
    while b"retry:" not in told:
        told += stream.recv(4096)
    assert told.startswith(b"HTTP/1.1 200")
    return stream


def test_a_server_that_is_told_to_stop_ends_fifty_streams_and_is_gone(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        streams = [opened(server.port, server.token) for _ in range(50)]
        server.process.terminate()
        ends = []
        for stream in streams:
            told = b""
            while piece := stream.recv(4096):
                told += piece
            ends.append(told)
            stream.close()
        server.process.wait(timeout=60)

        assert all(b"event: stop" in end and b"STOPPING" in end for end in ends)
        assert server.process.returncode == 0


def test_a_reader_reads_what_was_sent() -> None:
    reader = Reader(
        text='id: 1\ndata: {"a": 1}\n\n: still here\nid: 2\n\nevent: stop\ndata: {}\n\nid'
    )

    assert (reader.entries, reader.last_id, len(reader.events)) == ([{"a": 1}], "2", 3)
    assert ADA.tenant == HOME
