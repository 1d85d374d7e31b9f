"""A lease is given, kept, extended and ended by the clock of the database and by no other."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from interlock.store.postgres.store import PostgresStore
from interlock.store.script import Committed, NotDue, Stale, Touch
from tests.store.postgres.made import (
    ACME,
    UNIT,
    begin,
    database,
    job,
    opened,
    rows_of,
    saying,
    then,
)
from tools.postgres.server import Server

Play = Callable[[PostgresStore], Awaitable[None]]
MINUTE = 60_000


@pytest.fixture
def url(each_postgres_server: Server) -> Iterator[str]:
    with database(each_postgres_server) as found:
        yield found


def run(url: str, play: Play) -> None:
    async def main() -> None:
        async with opened(url) as store:
            await play(store)

    asyncio.run(main())


def test_a_lease_lapses_only_when_it_has_run_out_by_the_clock_of_the_database(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        held = job(1, "held", holder="me", fence=1)
        taken = then(first.unit, held, leases={1: MINUTE})
        await store.run(ACME, lambda: saying(taken))
        lapse = then(taken.unit, job(1), overdue=1)
        before = await rows_of(url)
        with pytest.raises(NotDue):
            await store.run(ACME, lambda: saying(lapse))
        assert await rows_of(url) == before
        assert await store.due(10) == ()
        over = Touch(ACME, UNIT, 2, 1, 1, -1, "")
        await store.run(ACME, lambda: saying(over))
        assert [(due.tenant, due.unit, due.number) for due in await store.due(10)] == [
            (ACME, UNIT, 1)
        ]

        assert await store.run(ACME, lambda: saying(lapse)) == Committed("")
        assert await store.due(10) == ()

    run(url, play)


def test_a_touch_extends_a_living_lease_and_nothing_else(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1))
        await store.run(ACME, lambda: saying(first))
        taken = then(first.unit, job(1, "held", holder="me", fence=3), leases={1: MINUTE})
        await store.run(ACME, lambda: saying(taken))
        before = await store.whole(ACME, UNIT)
        good = Touch(ACME, UNIT, 2, 1, 3, 5 * MINUTE, "alive")
        assert await store.run(ACME, lambda: saying(good)) == Committed("alive")
        after = await store.whole(ACME, UNIT)

        assert before is not None
        assert after is not None
        assert after.row.version == before.row.version
        assert after.due[f"{UNIT}.1"] - before.due[f"{UNIT}.1"] >= 4 * MINUTE
        for bad in (good._replace(version=1), good._replace(fence=2), good._replace(number=9)):
            with pytest.raises(Stale):
                await store.run(ACME, lambda bad=bad: saying(bad))  # type: ignore[misc]

    run(url, play)


def test_a_lease_is_kept_given_extended_or_ended_as_the_change_says(url: str) -> None:
    async def due(store: PostgresStore) -> dict[int, bool]:
        found = await store.whole(ACME, UNIT)
        assert found is not None
        far = store.now() + 3 * MINUTE
        return {int(name.rpartition(".")[2]): at > far for name, at in found.due.items()}

    async def play(store: PostgresStore) -> None:
        first = begin(*(job(n) for n in (1, 2, 3)))
        await store.run(ACME, lambda: saying(first))
        held = [job(n, "held", holder="me", fence=1) for n in (1, 2, 3)]
        taken = then(first.unit, *held, leases={1: MINUTE, 2: MINUTE, 3: MINUTE})
        await store.run(ACME, lambda: saying(taken))
        assert await due(store) == {1: False, 2: False, 3: False}
        # The first is given back, the second keeps its lease, and the third one is extended.
        later = then(taken.unit, job(1), *held[1:], leases={3: 9 * MINUTE})
        await store.run(ACME, lambda: saying(later))

        assert await due(store) == {2: False, 3: True}

    run(url, play)
