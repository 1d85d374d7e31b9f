"""A script is answered, its change is committed once or not at all, and its unit is remembered."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from hashlib import sha256

import pytest

from interlock.store.errors import StoreError
from interlock.store.postgres.store import PostgresStore
from interlock.store.rows import PartRow
from interlock.store.script import (
    Answer,
    Artifact,
    Committed,
    Condition,
    Key,
    Load,
    Loaded,
    Nothing,
    Stale,
)
from tests.store.postgres.made import (
    ACME,
    OTHER,
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

Play = Callable[[PostgresStore], Awaitable[None]]
MINUTE = 60_000


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as found:
        yield found


def run(url: str, play: Play) -> None:
    async def main() -> None:
        async with opened(url) as store:
            await play(store)

    asyncio.run(main())


async def load(store: PostgresStore, ask: Load, tenant: str = ACME) -> Loaded | None:
    answers: list[Answer] = []
    await store.run(tenant, lambda: asking((ask,), answers, Nothing("")))
    found = answers[0]
    assert found is None or isinstance(found, Loaded)
    return found


def parts_of(found: Loaded | None) -> tuple[PartRow, ...]:
    assert found is not None
    return found.heads["job"]


def test_a_new_unit_is_there_with_everything_it_began_with(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        change = begin(job(1, feeds=1), job(2, waits=1, offer=None), links=((2, 1, 7),))
        assert await store.run(ACME, lambda: saying(change)) == Committed("")
        found = await load(store, Load(UNIT, f"{UNIT}.2", QUEUE, is_fresh=True))

        assert found is not None
        assert replace(found.unit, unit=change.unit.unit) == change.unit
        assert found.unit.unit.fields == change.unit.unit.fields
        assert found.part is not None
        assert (found.part.id, found.part.waits, found.part.part.fields["title"]) == (
            f"{UNIT}.2",
            1,
            "job 2",
        )
        assert [part.number for part in found.heads["job"]] == [1]
        assert await load(store, Load(UNIT), OTHER) is None

    run(url, play)


def test_what_was_committed_is_remembered_with_the_heads_of_its_queues(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1), job(2))
        await store.run(ACME, lambda: saying(first))
        taken = then(first.unit, job(1, "held", holder="me", fence=1), leases={1: MINUTE})
        await store.run(ACME, lambda: saying(taken))
        cached = await load(store, Load(UNIT, f"{UNIT}.1", QUEUE))
        fresh = await load(store, Load(UNIT, f"{UNIT}.1", QUEUE, is_fresh=True))

        assert cached is not None
        assert fresh is not None
        assert (cached.is_cached, fresh.is_cached) == (True, False)
        assert cached.unit.version == fresh.unit.version == 2
        assert [p.number for p in parts_of(cached)] == [p.number for p in parts_of(fresh)] == [2]

    run(url, play)


def test_a_unit_keeps_its_body_unless_the_change_brings_another(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        second = then(first.unit)
        await store.run(ACME, lambda: saying(second))
        kept = await load(store, Load(UNIT, is_fresh=True))
        await store.run(ACME, lambda: saying(then(second.unit, body='{"title":"Other"}')))
        changed = await load(store, Load(UNIT, is_fresh=True))

        assert kept is not None
        assert changed is not None
        assert kept.unit.unit.fields == first.unit.unit.fields
        assert changed.unit.unit.fields == {"title": "Other"}

    run(url, play)


def test_a_stale_change_writes_nothing_at_all(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        digest = sha256(b"x").hexdigest()
        await store.run(ACME, lambda: saying(then(first.unit)))
        before = await rows_of(url)
        late = then(
            first.unit, job(1, "held", holder="me"), key=Key("me", "r", "x"), gone=(1,),
            tags=("red",), artifacts=(Artifact(0, "a", digest, b"x"),),
        )  # fmt: skip
        with pytest.raises(Stale):
            await store.run(ACME, lambda: saying(late))

        assert await rows_of(url) == before

    run(url, play)


def test_another_process_makes_what_is_remembered_stale_once(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        async with opened(url) as other:
            await other.run(ACME, lambda: saying(then(first.unit)))
        with pytest.raises(Stale):
            await store.run(ACME, lambda: saying(then(first.unit)))
        found = await load(store, Load(UNIT))

        assert found is not None
        assert (found.unit.version, found.is_cached) == (2, False)

    run(url, play)


def test_a_known_key_is_answered_as_before_and_writes_nothing(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        key = Key("me", "r1", "asked so")
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        second = then(first.unit, key=key, reply="done")
        assert await store.run(ACME, lambda: saying(second)) == Committed("done")
        before = await rows_of(url)
        again = then(second.unit, key=key, reply="done again")
        late = then(first.unit, key=key._replace(asked="asked otherwise"), reply="other")

        known = Committed("done", is_replay=True, asked="asked so")
        assert await store.run(ACME, lambda: saying(again)) == known
        assert await store.run(ACME, lambda: saying(late)) == known
        assert await rows_of(url) == before
        # Another principal's request of the same name is another request.
        theirs = then(second.unit, key=key._replace(principal="you"), reply="yours")
        assert await store.run(ACME, lambda: saying(theirs)) == Committed("yours")

    run(url, play)


def test_of_many_copies_of_one_creation_one_is_carried_out(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        key = Key("me", "make", "x")
        copies = [
            begin(job(1, unit=f"work-{n}"), unit=f"work-{n}", key=key, reply=f"work-{n}")
            for n in range(20)
        ]
        async with opened(url) as other:
            done = await asyncio.gather(*(
                (store if place % 2 else other).run(ACME, lambda change=change: saying(change))  # type: ignore[misc]
                for place, change in enumerate(copies)
            ))  # fmt: skip

        assert len({one.reply for one in done}) == 1
        assert sorted(one.is_replay for one in done) == [False] + [True] * 19
        assert len(await store.units(ACME, "", None, 50)) == 1

    run(url, play)


def test_one_key_for_two_units_at_once_changes_only_one_of_them(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        firsts = [begin(job(1, unit=u), unit=u) for u in ("work-a", "work-b")]
        for first in firsts:
            await store.run(ACME, lambda first=first: saying(first))  # type: ignore[misc]
        changes = [
            then(first.unit, key=Key("me", "r", "x"), reply=first.unit.id) for first in firsts
        ]

        async def persist(place: int) -> Committed:
            while True:
                try:
                    return await store.run(ACME, lambda: saying(changes[place]))
                except Stale:
                    continue

        one, two = await asyncio.gather(persist(0), persist(1))

        assert one.reply == two.reply
        versions = sorted(found.row.version for found in await store.units(ACME, "", None, 9))
        assert versions == [1, 2]

    run(url, play)


def test_a_slot_passes_from_one_part_to_another_but_never_belongs_to_two(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1, slot="job"), job(2))
        await store.run(ACME, lambda: saying(first))
        passed = then(first.unit, job(2, slot="job"), job(1))
        await store.run(ACME, lambda: saying(passed))
        before = await rows_of(url)
        with pytest.raises(StoreError, match="parts_by_slot"):
            await store.run(ACME, lambda: saying(then(passed.unit, job(1, slot="job"))))

        assert await rows_of(url) == before

    run(url, play)


def test_a_part_that_is_gone_is_seen_by_nobody(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(
            job(1, slot="job", feeds=1), job(2, branches=1), links=((2, 1, 1),),
            conditions=(Condition(2, 1, "true", "skip", "{}", 1),),
        )  # fmt: skip
        await store.run(ACME, lambda: saying(first))
        await store.run(ACME, lambda: saying(then(first.unit, gone=(1,))))
        found = await store.whole(ACME, UNIT)
        loaded = await load(store, Load(UNIT, f"{UNIT}.1", QUEUE, is_fresh=True))

        assert found is not None
        assert [part.number for part in found.parts] == [2]
        assert (found.parts[0].part.needs, found.conditions) == ((), ())
        assert loaded is not None
        assert loaded.part is None
        assert [part.number for part in parts_of(loaded)] == [2]
        assert len(await store.audit(ACME, UNIT, 0, 9)) == 2

    run(url, play)


def test_ten_thousand_parts_are_made_and_changed_in_one_commit_each(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        many = range(1, 10_001)
        first = begin(*(job(n) for n in many))
        await store.run(ACME, lambda: saying(first))
        over = then(first.unit, *(job(n, "done") for n in many))
        await store.run(ACME, lambda: saying(over))
        found = await store.whole(ACME, UNIT)

        assert found is not None
        assert {part.part.status for part in found.parts} == {"done"}
        assert len(found.parts) == 10_000
        await store.run(ACME, lambda: saying(then(over.unit, gone=tuple(many))))
        assert [one.row.version for one in await store.units(ACME, "", None, 1)] == [3]

    run(url, play)


def test_commands_on_one_unit_of_one_process_never_make_each_other_stale(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))

        def bump():  # type: ignore[no-untyped-def]  # noqa: ANN202 (a script)
            loaded = yield Load(UNIT)
            return then(loaded.unit)

        await asyncio.gather(*(store.run(ACME, bump) for _ in range(30)))
        found = await load(store, Load(UNIT, is_fresh=True))

        assert found is not None
        assert found.unit.version == 31
        entries = await store.audit(ACME, UNIT, 0, 99)
        assert [one.link.sequence for one in entries] == list(range(1, 32))

    run(url, play)


def test_a_script_that_raises_has_written_nothing_and_lets_others_go_on(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        before = await rows_of(url)

        def refuse():  # type: ignore[no-untyped-def]  # noqa: ANN202 (a script)
            yield Load(UNIT)
            raise LookupError

        with pytest.raises(LookupError):
            await store.run(ACME, refuse)
        assert await rows_of(url) == before
        await store.run(ACME, lambda: saying(then(first.unit)))

    run(url, play)


def test_what_was_interrupted_is_forgotten_and_not_believed(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        async with connected(url) as other:
            await other.execute("BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE")
            doing = asyncio.create_task(store.run(ACME, lambda: saying(then(first.unit))))
            await until_it_holds(other, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            doing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await doing
            await other.execute("ROLLBACK")
        found = await load(store, Load(UNIT))

        assert found is not None
        assert not found.is_cached

    run(url, play)


def test_a_restored_database_makes_everything_remembered_void(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        async with connected(url) as owner:
            await owner.execute("UPDATE incarnations SET name = 'second'")
        await load(store, Load("work-unknown"))
        await load(store, Load(UNIT, is_fresh=True))
        found = await load(store, Load(UNIT))

        assert found is not None
        assert (found.incarnation, found.is_cached) == ("second", True)

    run(url, play)


def test_time_is_the_time_of_the_database(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        async with connected(url) as other:
            for _ in range(20):
                await load(store, Load(UNIT))
            there = await other.fetchval("SELECT interlock_clock()")

        assert abs(store.now() - there) < 500

    run(url, play)


def test_a_unit_is_found_by_its_key_also_where_there_was_none_when_the_server_looked(
    url: str,
) -> None:
    """Who knows of no units takes any index for a good one, and a connection keeps to it."""

    async def play(store: PostgresStore) -> None:
        async with connected(url) as own:
            await own.execute("ANALYZE units")
        for number in range(8):
            first = begin(job(1), unit=f"work-{number}")
            await store.run(ACME, lambda first=first: saying(first))  # type: ignore[misc]
            move = then(first.unit, job(1, "done"), moved={1}, is_moved_only=True)
            await store.run(ACME, lambda move=move: saying(move))  # type: ignore[misc]

    async def used() -> list[str]:
        named = "SELECT indexrelname::TEXT FROM pg_stat_user_indexes WHERE relname = 'units' AND"
        async with connected(url) as own:
            await until_it_holds(own, f"SELECT EXISTS ({named} idx_scan >= 8)")
            return [row[0] for row in await own.fetch(f"{named} idx_scan > 0")]

    run(url, play)  # at their end connections tell what they have done

    assert asyncio.run(used()) == ["units_pkey"]
