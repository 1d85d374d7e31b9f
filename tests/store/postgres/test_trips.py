"""A trip works as the app, tells the time, and survives servers and callers that go away."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from interlock.store.errors import DurabilityRefused, StoreError, StoreUnavailable
from interlock.store.migrate import SchemaTooOld
from interlock.store.postgres.failures import OutcomeUnknown
from interlock.store.postgres.trips import Options, Trips, connect
from interlock.store.script import Stale
from tests.still import StillClock
from tests.store.postgres.made import ACME, NOW, OPTIONS, connected, database, until_it_holds
from tools.postgres.server import Server

WHO = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
WAITS = f"SELECT EXISTS (SELECT {WHO})"
END_OURS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
END = f"SELECT pg_terminate_backend(pid) {WHO}"


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as found:
        yield found


def run(url: str, play: Callable[[Trips], Awaitable[None]], options: Options = OPTIONS) -> None:
    async def main() -> None:
        trips = Trips(url, StillClock(NOW), options)
        await play(trips)
        await trips.close()

    asyncio.run(main())


def test_a_call_works_as_the_app_whoever_logs_in(url: str) -> None:
    async def play(trips: Trips) -> None:
        (row,) = await trips.read("read_setup")

        assert row[6:8] == ("postgres", "interlock_app")

    run(url, play)


def test_now_is_our_clock_corrected_by_what_trips_tell(url: str) -> None:
    async def play(trips: Trips) -> None:
        assert trips.now() == NOW
        trips.learn(NOW, NOW + 5000)

        assert trips.now() == NOW + 5000

    run(url, play)


def test_an_error_of_the_server_leaves_the_connection_good(url: str) -> None:
    async def play(trips: Trips) -> None:
        with pytest.raises(StoreError, match="refused"):
            await trips.write(
                "call_add_token", ACME, "t", "n", "robot", "", "", 1, None, None, "h", None
            )
        await trips.write("call_add_tenant", ACME, "Acme", NOW)

        assert [row[0] for row in await trips.read("call_tenants")] == [ACME]

    run(url, play, Options(allow_degraded=True, pool_size=1))


def test_what_was_decided_on_another_history_is_not_written(url: str) -> None:
    async def play(trips: Trips) -> None:
        await trips.read("call_tenants")
        trips._history = "of a server that is gone"
        async with connected(url) as other:
            await other.execute(END_OURS)
        turn = trips.turns
        with pytest.raises((Stale, StoreUnavailable)):
            await trips.write("call_add_tenant", ACME, "Acme", NOW, turn=turn)
        with pytest.raises(Stale):
            await trips.write("call_add_tenant", ACME, "Acme", NOW, turn=turn)

        assert await trips.read("call_tenants") == []
        await trips.write("call_add_tenant", ACME, "Acme", NOW, turn=trips.turns)
        assert await trips.read("call_tenants") == [(ACME,)]

    run(url, play)


def test_connections_to_a_server_with_another_history_are_not_used_again(url: str) -> None:
    async def play(trips: Trips) -> None:
        await asyncio.gather(*(trips.read("call_tenants") for _ in range(4)))
        older = [*trips._pool._free]
        newer = await trips.enter()
        trips._meet(newer, "another one")
        newer.terminate()
        await asyncio.gather(*(trips.read("call_tenants") for _ in range(4)))

        assert len(older) > 1
        assert all(connection.is_closed() for connection in older)

    run(url, play)


def test_a_lost_connection_is_told_and_replaced(url: str) -> None:
    async def play(trips: Trips) -> None:
        async with connected(url) as other:
            await trips.read("call_tenants")
            await other.execute("BEGIN; LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE")
            write = asyncio.create_task(trips.write("call_add_tenant", ACME, "Acme", NOW))
            await until_it_holds(other, WAITS)
            await other.execute(END)
            with pytest.raises(OutcomeUnknown):
                await write
            await other.execute("ROLLBACK")

        assert await trips.read("call_tenants") == []

    run(url, play)


def test_who_is_interrupted_leaves_no_connection_behind_that_is_still_busy(url: str) -> None:
    async def play(trips: Trips) -> None:
        async with connected(url) as other:
            await trips.read("call_tenants")
            await other.execute("BEGIN; LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE")
            write = asyncio.create_task(trips.write("call_add_tenant", ACME, "Acme", NOW))
            await until_it_holds(other, WAITS)
            write.cancel()
            with pytest.raises(asyncio.CancelledError):
                await write
            await other.execute("ROLLBACK")

        await trips.read("call_tenants")

    run(url, play, Options(allow_degraded=True, pool_size=1))


def test_a_session_that_may_lose_commits_is_not_used(url: str) -> None:
    async def play(trips: Trips) -> None:
        async with connected(url) as other:
            name = await other.fetchval("SELECT current_database()")
            await other.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        with pytest.raises(DurabilityRefused):
            await trips.read("call_tenants")

    run(url, play, Options(allow_degraded=False))


@pytest.mark.parametrize(
    "bad",
    ["postgresql://nobody@127.0.0.1:1/x", "postgresql://[/x", "mysql://x/y"],
    ids=["nobody listens", "no address", "another database"],
)
def test_an_address_that_leads_nowhere_is_told_as_such(bad: str) -> None:
    with pytest.raises(StoreUnavailable) as told:
        asyncio.run(connect(bad, OPTIONS))

    assert told.value.fix


def test_a_database_or_user_that_is_not_there_is_told_as_such(postgres_server: Server) -> None:
    for address in (postgres_server.url("absent"), postgres_server.url(user="stranger")):
        with pytest.raises(StoreUnavailable):
            asyncio.run(connect(address, OPTIONS))


def test_a_database_without_our_functions_asks_for_a_migration(postgres_server: Server) -> None:
    async def play(trips: Trips) -> None:
        with pytest.raises(SchemaTooOld):
            await trips.read("call_tenants")

    with database(postgres_server, is_empty=True) as empty:
        run(empty, play)
