"""Reads see one moment; the feed passes over nothing, however late it commits."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from interlock.store.port import Filter, Offer
from interlock.store.postgres.read import Position, read_position
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.write import commit_arguments
from interlock.store.rows import part_id
from interlock.store.script import Branching, Condition
from interlock.store.statements import statements
from tests.store.postgres.made import (
    ACME,
    OTHER,
    UNIT,
    begin,
    connected,
    database,
    job,
    opened,
    saying,
    then,
)
from tools.postgres.server import Server

Play = Callable[[PostgresStore], Awaitable[None]]


@pytest.fixture
def url(each_postgres_server: Server) -> Iterator[str]:
    with database(each_postgres_server) as found:
        yield found


def run(url: str, play: Play) -> None:
    async def main() -> None:
        async with opened(url) as store:
            await play(store)

    asyncio.run(main())


def test_a_whole_unit_has_its_parts_in_order_with_needs_and_branches(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        change = begin(
            job(1), job(2, ord=1), job(3), links=((3, 2, 1), (3, 1, 2)),
            conditions=(Condition(1, 1, "true", "skip", '{"n":[1]}', 3),),
        )  # fmt: skip
        await store.run(ACME, lambda: saying(change))
        found = await store.whole(ACME, UNIT)

        assert found is not None
        assert [part.number for part in found.parts] == [2, 1, 3]
        assert found.parts[2].part.needs == (part_id(UNIT, 2), part_id(UNIT, 1))
        branch = Branching("true", "skip", {"n": (1,)}, part_id(UNIT, 3))
        assert found.conditions == ((part_id(UNIT, 1), branch),)
        assert found.incarnation == store.incarnation
        assert await store.whole(OTHER, UNIT) is None

    run(url, play)


def test_units_are_listed_by_their_last_change_page_by_page(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        for n in range(5):
            change = begin(job(1, unit=f"work-{n}"), unit=f"work-{n}", tags=("b", "a"))
            change.unit = replace(change.unit, changed_at=n // 2)
            await store.run(ACME, lambda change=change: saying(change))  # type: ignore[misc]
        first = await store.units(ACME, "work", None, 3)
        last = first[-1].row
        rest = await store.units(ACME, "", (last.changed_at, last.id), 9)

        assert [one.row.id for one in (*first, *rest)] == [f"work-{n}" for n in (4, 3, 2, 1, 0)]
        assert first[0].tags == ("a", "b")
        assert await store.units(ACME, "other", None, 9) == ()

    run(url, play)


def test_offers_fit_what_was_wanted(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        plain = begin(job(1, "done"), job(2), job(3), tags=("red", "big"))
        await store.run(ACME, lambda: saying(plain))
        row = job(1, unit="work-2")
        row.part.fields.update(role="coder", member="ann")
        await store.run(ACME, lambda: saying(begin(row, unit="work-2")))
        one, two = Offer(UNIT, "work", "job", 2), Offer("work-2", "work", "job", 1)

        assert await store.offers(ACME, Filter(), 9) == (one, two)
        assert await store.offers(ACME, Filter(), 1) == (one,)
        assert await store.offers(ACME, Filter(tags=("big", "red")), 9) == (one,)
        assert await store.offers(ACME, Filter(tags=("red", "blue")), 9) == ()
        assert await store.offers(ACME, Filter("work", "job", "coder", "ann"), 9) == (two,)
        assert await store.offers(ACME, Filter(workflow="play"), 9) == ()
        assert await store.offers(ACME, Filter(kind="task"), 9) == ()
        assert await store.offers(ACME, Filter(site="s1"), 9) == (one, two)
        bound = job(1, unit="work-3")
        bound.part.fields.update(site="s1")
        await store.run(ACME, lambda: saying(begin(bound, unit="work-3")))
        three = Offer("work-3", "work", "job", 1)

        assert await store.offers(ACME, Filter(), 9) == (one, two)
        assert await store.offers(ACME, Filter(site="s1"), 9) == (one, two, three)
        assert await store.offers(ACME, Filter(site="s2"), 9) == (one, two)

    run(url, play)


def test_the_audit_of_a_unit_is_read_in_order_from_anywhere(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        second = then(first.unit)
        await store.run(ACME, lambda: saying(second))
        entries = await store.audit(ACME, UNIT, 0, 9)

        assert [one.link for one in entries] == [*first.entries, *second.entries]
        assert await store.audit(ACME, UNIT, 1, 9) == entries[1:]
        assert await store.audit(OTHER, UNIT, 0, 9) == ()

    run(url, play)


def test_the_feed_goes_on_where_it_stopped(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        for n in range(4):
            name = f"work-{n}"
            await store.run(ACME, lambda name=name: saying(begin(job(1, unit=name), unit=name)))  # type: ignore[misc]
        read = await store.feed(ACME, "", 3)
        read += await store.feed(ACME, read[-1].position, 3)

        assert [one.unit for one in read] == [f"work-{n}" for n in range(4)]
        assert await store.feed(ACME, read[-1].position, 3) == ()
        assert await store.feed(ACME, "another:999999999:work-3:1", 9) == read
        assert await store.feed(OTHER, "", 9) == ()

    run(url, play)


def test_the_feed_passes_over_nothing_that_commits_late(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        sql = statements("postgres")["call_commit"].sql
        async with connected(url, "interlock_app") as slow:
            # It has its number first, and commits last.
            deed = slow.transaction()
            await deed.start()
            late = begin(job(1, unit="work-late"), unit="work-late")
            await slow.fetch(sql, *commit_arguments(late))
            await store.run(ACME, lambda: saying(begin(job(1))))
            during = await store.feed(ACME, "", 9)
            await deed.commit()
        after = await store.feed(ACME, during[-1].position if during else "", 9)

        assert [one.unit for one in (*during, *after)] == ["work-late", UNIT]

    run(url, play)


@pytest.mark.parametrize("text", ["", "7", "a:b:c:d", "a:1:u:", "a:1:u:-1", f"a:{2**64}:u:1"])
def test_a_position_that_is_none_means_the_beginning(text: str) -> None:
    assert read_position(text) == Position()


def test_a_position_is_read_as_it_was_written() -> None:
    assert read_position("name:123:work-1:4") == Position("name", "123", "work-1", 4)
