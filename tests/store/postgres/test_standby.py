"""A standby may take over at any time: nothing is told or believed that it does not have."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import pytest

from interlock.store.errors import StoreUnavailable
from interlock.store.postgres.failures import OutcomeUnknown
from interlock.store.postgres.store import PostgresStore
from interlock.store.script import Answer, Committed, Key, Load, Loaded, Nothing
from tests.store.postgres.made import (
    ACME,
    UNIT,
    asking,
    begin,
    connected,
    database,
    job,
    opened,
    saying,
    then,
    until_it_holds,
)
from tools.postgres.account import give, our_account
from tools.postgres.processes import until
from tools.postgres.server import Server

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

WAITING = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
WAITS = f"SELECT EXISTS (SELECT {WAITING})"
END = f"SELECT pg_terminate_backend(pid) {WAITING}"


@asynccontextmanager
async def _no_standby(url: str, owner: "Connection") -> AsyncIterator[None]:
    """Have commits wait for a standby that is not there."""
    await owner.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    await owner.execute("SELECT pg_reload_conf()")
    try:
        trying = asyncio.create_task(_commit_until_ended(url))
        await until_it_holds(owner, WAITS)
        await owner.execute(END)
        await trying
        yield
    finally:
        await owner.execute("ALTER SYSTEM RESET synchronous_standby_names")
        await owner.execute("SELECT pg_reload_conf()")


async def _commit_until_ended(url: str) -> None:
    """Commit again and again: from some time on, each waits for the standby."""
    async with connected(url) as connection:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError):
            while True:
                await connection.execute("SELECT pg_logical_emit_message(true, 'test', '')")


def test_an_earlier_answer_waits_for_the_standby_as_its_commit_should_have() -> None:
    first = begin(job(1))
    second = then(first.unit, key=Key("me", "r1", "asked so"), reply="done")

    async def main(url: str) -> None:
        async with opened(url) as store, connected(url) as other, asyncio.timeout(60):
            await store.run(ACME, lambda: saying(first))
            async with _no_standby(url, other):
                lost = asyncio.create_task(store.run(ACME, lambda: saying(second)))
                await until_it_holds(other, WAITS)
                await other.execute(END)
                with pytest.raises(OutcomeUnknown):
                    await lost
                again = asyncio.create_task(store.run(ACME, lambda: saying(second)))
                await until_it_holds(other, WAITS)
                assert not again.done()

            assert await again == Committed("done", is_replay=True, asked="asked so")

    with Server(durable=False) as server, database(server) as url:
        asyncio.run(main(url))


def _take_over(server: Server, data: Path) -> None:
    """Have a server go on with older data of its own, as a standby that takes over does."""
    server.stop()
    shutil.rmtree(server.data)
    data.rename(server.data)
    sign = server.data / "recovery.signal"
    sign.touch()
    give(sign, our_account())
    server.settings["restore_command"] = "false"
    server.start()
    until(lambda: server.sql("SELECT pg_is_in_recovery()") == "f", "it does not take over")


def _copy(server: Server) -> Path:
    """Copy the data of a server."""
    server.stop()
    copy = server.folder / "copy"
    shutil.copytree(server.data, copy)
    for path in (copy, *copy.rglob("*")):
        give(path, our_account())
    server.start()
    return copy


async def _reconnect(store: PostgresStore) -> None:
    """Ask until there is a connection that is not dead."""
    async with asyncio.timeout(60):
        tenants: tuple[str, ...] = ()
        while not tenants:
            with suppress(StoreUnavailable):
                tenants = await store.tenants()


def test_a_version_of_another_history_is_not_taken_for_the_one_that_is_remembered() -> None:
    first = begin(job(1))
    second, third = then(first.unit), then(first.unit, told="something else", reply="kept")

    async def main(server: Server, url: str) -> None:
        async with opened(url) as store:
            await store.run(ACME, lambda: saying(first))
            older = _copy(server)
            await _reconnect(store)
            await store.run(ACME, lambda: saying(second))
            _take_over(server, older)
            async with opened(url) as other:
                assert await other.run(ACME, lambda: saying(third)) == Committed("kept")
            await _reconnect(store)
            answers: list[Answer] = []
            await store.run(ACME, lambda: asking((Load(UNIT),), answers, Nothing("")))
            (found,) = answers

            assert isinstance(found, Loaded)
            # Both histories have a version 2; they are not the same.
            assert (found.unit.version, found.unit.head) == (2, third.unit.head)

    with Server(durable=False) as server, database(server) as url:
        asyncio.run(main(server, url))
