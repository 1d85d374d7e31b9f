"""The short commit writes exactly what the long one does, row by row, and is told of the same."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import pytest

from interlock.store.chain import Link, chain
from interlock.store.postgres import drive
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.write import is_short
from interlock.store.rows import PartRow, part_id
from interlock.store.script import (
    Answer,
    Artifact,
    Change,
    Committed,
    Key,
    Load,
    Loaded,
    Nothing,
    Stale,
)
from tests.store.postgres.made import (
    ACME,
    NOW,
    QUEUE,
    UNIT,
    asking,
    begin,
    connected,
    database,
    job,
    opened,
    rows_of,
    saying,
    then,
    until_it_holds,
)
from tools.postgres.server import Server

HELD = job(2, "busy", holder="me", fence=2)
DONE = job(1, "done", fence=1)
KEY = Key("me", "request-1", "asked")
HOUR_MS = 3_600_000
OWN = re.compile(r"\b1[78]\d{11}\b|,\d+\)$")
"""What differs from one database to the next: the time of the server, and a transaction's number."""
OWN_TABLES = ("incarnations", "migrations")


def change(*parts: PartRow, entries: int = 1, **more: object) -> Change:
    """Return what follows the beginning: some parts that move, and entries that say so."""
    first = begin(*(job(number) for number in (1, 2, 3)))
    one = then(first.unit, *parts)
    texts = [f'{{"change":"{place}"}}' for place in range(entries)]
    links: tuple[Link, ...] = tuple(chain(first.unit.head, first.unit.version, NOW, texts))
    unit = replace(one.unit, version=links[-1].sequence, head=links[-1].hash)
    moved = {row.number for row in parts}
    told = {"unit": unit, "entries": links, "moved": moved, "is_moved_only": True, **more}
    return replace(one, **told)  # type: ignore[arg-type]  # a test names fields that there are


KEPT = Artifact(1, "result", sha256(b"x").hexdigest(), b"x", author="me")
CHANGES = {
    "taken": change(HELD, leases={2: HOUR_MS}, key=KEY),
    "handed in": change(DONE, artifacts=(KEPT,), key=KEY, kinds=()),
    "with a body": change(DONE, bodies={1: '{"title":"other"}'}),
    "two entries of one part": change(DONE, entries=2),
    "two parts and one entry": change(DONE, HELD, leases={2: HOUR_MS}),
    "handed in, and the next one taken": change(
        DONE, HELD, entries=2, leases={2: HOUR_MS}, artifacts=(KEPT,), key=KEY,
        bodies={1: '{"title":"one"}', 2: '{"title":"two"}'},
    ),
}  # fmt: skip


async def written(
    server: Server, one: Change
) -> tuple[Mapping[str, list[str]], Loaded, Mapping[str, int]]:
    """Write it; return every row, what is remembered, and whose leases run."""
    with database(server) as url:
        async with opened(url) as store:
            await store.run(ACME, lambda: saying(begin(*(job(number) for number in (1, 2, 3)))))
            await store.run(ACME, lambda: saying(one))
            rows, kept = await rows_of(url), await remembered(store)
            whole = await store.whole(ACME, UNIT)
    assert whole is not None
    told = {
        name: [OWN.sub("", row) for row in rows[name]] for name in rows if name not in OWN_TABLES
    }
    return told, kept, whole.due


async def remembered(store: PostgresStore) -> Loaded:
    answers: list[Answer] = []
    await store.run(ACME, lambda: asking((Load(UNIT, None, QUEUE),), answers, Nothing("")))
    (found,) = answers
    assert isinstance(found, Loaded)
    return replace(found, incarnation="")


@pytest.mark.parametrize("name", CHANGES)
def test_it_writes_what_the_long_one_writes(
    name: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = CHANGES[name]
    assert is_short(one)
    short, short_kept, short_due = asyncio.run(written(postgres_server, one))
    monkeypatch.setattr(drive, "is_short", lambda _: False)
    long, long_kept, long_due = asyncio.run(written(postgres_server, one))

    assert short == long
    assert len(short["audit"]) == 1 + len(one.entries)
    assert str(short_kept) == str(long_kept)
    assert set(short_due) == set(long_due) == {part_id(UNIT, number) for number in one.leases}
    assert all(abs(short_due[name] - long_due[name]) < HOUR_MS / 2 for name in short_due)


async def kept_again(server: Server) -> tuple[list[str], list[str]]:
    """Keep something, then other, then the first once more, each time after all was pruned."""
    other = KEPT._replace(digest=sha256(b"other").hexdigest(), content=b"other")
    first = begin(*(job(number) for number in (1, 2, 3)))
    with database(server) as url:
        async with opened(url) as store, connected(url) as owner:
            await store.run(ACME, lambda: saying(first))
            before = first.unit
            for kept in (KEPT, other, KEPT):
                await owner.execute("UPDATE contents SET bytes = '', pruned_at = 1")
                one = then(before, DONE, moved={1}, is_moved_only=True, artifacts=(kept,))
                await store.run(ACME, lambda one=one: saying(one))  # type: ignore[misc]
                before = one.unit
            rows = await rows_of(url)
    return rows["artifacts"], rows["contents"]


def test_what_is_kept_again_is_another_version_and_what_was_pruned_is_there_again(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, contents = asyncio.run(kept_again(postgres_server))
    monkeypatch.setattr(drive, "is_short", lambda _: False)

    assert asyncio.run(kept_again(postgres_server)) == (kept, contents)
    assert [f",{version}," in row for version, row in enumerate(kept, 1)] == [True] * 3
    assert sorted(row.endswith(",1)") for row in contents) == [False, True]


def test_what_is_just_being_pruned_is_there_again_too(postgres_server: Server) -> None:
    first = begin(*(job(number) for number in (1, 2, 3)))
    one = then(first.unit, DONE, moved={1}, is_moved_only=True, artifacts=(KEPT,))
    two = then(one.unit, DONE, moved={1}, is_moved_only=True, artifacts=(KEPT,))

    async def play(url: str) -> None:
        async with opened(url) as store, connected(url) as owner:
            for said in (first, one):
                await store.run(ACME, lambda said=said: saying(said))  # type: ignore[misc]
            await owner.execute("BEGIN; UPDATE contents SET bytes = '', pruned_at = 1")
            doing = asyncio.create_task(store.run(ACME, lambda: saying(two)))
            await until_it_holds(owner, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            await owner.execute("COMMIT")
            await doing
            assert await store.content(ACME, KEPT.digest) == KEPT.content

    with database(postgres_server) as url:
        asyncio.run(play(url))


@pytest.mark.parametrize("is_long", [False, True])
def test_who_comes_a_second_time_is_answered_as_before_and_who_is_late_is_told(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, *, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(drive, "is_short", lambda _: False)
    first = replace(CHANGES["taken"], reply="first")
    # The same request, decided on what stands now, which would let it happen once more.
    again = replace(first, before=first.unit.version, reply="again")
    again = replace(again, unit=replace(first.unit, version=first.unit.version + 1))
    late = replace(first, key=KEY._replace(request="request-2"))

    async def play(url: str) -> None:
        async with opened(url) as store:
            await store.run(ACME, lambda: saying(begin(*(job(number) for number in (1, 2, 3)))))
            await store.run(ACME, lambda: saying(first))
            rows = await rows_of(url)
            known = Committed("first", is_replay=True, asked=KEY.asked)
            assert await store.run(ACME, lambda: saying(first)) == known
            if is_long:
                assert await store.run(ACME, lambda: saying(again)) == known
            else:
                # It is not looked for: whoever decides again finds it.
                with pytest.raises(Stale):
                    await store.run(ACME, lambda: saying(again))
            with pytest.raises(Stale):
                await store.run(ACME, lambda: saying(late))
            assert await rows_of(url) == rows

    with database(postgres_server) as url:
        asyncio.run(play(url))
