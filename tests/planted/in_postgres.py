"""Bugs that a killed child has in it, of the store on PostgreSQL: planted in its own process only."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from interlock.store.postgres.drive import Driver
from interlock.store.postgres.failures import OutcomeUnknown
from interlock.store.postgres.pool import Pool
from interlock.store.postgres.trips import Trips
from interlock.store.script import Answer, Change, Committed, Key, Load, Script

if TYPE_CHECKING:
    import asyncpg

    from interlock.store.postgres.trips import Connection

NO_DISK: Final = "commits without waiting for the disk"
NO_STANDBY: Final = "commits without waiting for the standby"
NO_ID: Final = "a lost write is sent again without its request id"
IN_TWO: Final = "a commit in two statements"
DEAD: Final = "a dead connection is handed out for ever"
FINAL: Final = "a lost connection is told as final"
HASTY: Final = "an earlier answer is given before the standby has it"


def _synchronous(word: str) -> Callable[[], None]:
    """Let every connection wait for less than it should."""

    def plant() -> None:
        enter = Trips.enter

        async def enter_and_hurry(self: Trips) -> "Connection":
            connection = await enter(self)
            await connection.execute(f"SET synchronous_commit = {word}")
            return connection

        Trips.enter = enter_and_hurry  # type: ignore[method-assign]  # that is the bug

    return plant


def _without_id() -> None:
    run = Driver.run

    async def run_again(self: Driver, tenant: str, make: Callable[[], Script]) -> Committed:
        try:
            return await run(self, tenant, make)
        except OutcomeUnknown:
            return await run(self, tenant, lambda: _nameless(make()))

    Driver.run = run_again  # type: ignore[method-assign]  # that is the bug


def _nameless(script: Script) -> Script:
    """Play a script, but ask for no earlier answer and keep none."""
    try:
        ask = next(script)
        while True:
            found: Answer = yield ask._replace(key=None) if isinstance(ask, Load) else ask
            ask = script.send(found)
    except StopIteration as stop:
        if isinstance(stop.value, Change):
            stop.value.key = None
        return stop.value  # type: ignore[no-any-return]  # a generator's end is not typed


async def _keep_reply(connection: "Connection", change: Change, key: Key) -> "list[asyncpg.Record]":
    async with connection.transaction():
        await connection.execute("SELECT set_config('interlock.tenant', $1, true)", change.tenant)
        return await connection.fetch(
            "INSERT INTO replies VALUES ($1, $2, $3, $4, $5, $6, $7)",
            change.tenant, *key, change.unit.id, change.reply, change.at,
        )  # fmt: skip


def _in_two() -> None:
    commit = Driver._commit

    async def commit_twice(self: Driver, change: Change, turn: int) -> Committed:
        done = await commit(self, replace(change, key=None), turn)
        key = change.key
        if key is not None:
            await self._trips._at(lambda one: _keep_reply(one, change, key), is_write=True)
        return done

    Driver._commit = commit_twice  # type: ignore[method-assign]  # that is the bug


def _dead() -> None:
    def keep(self: Pool, connection: "Connection") -> None:
        self._used.discard(connection)
        if not self._call_next(connection):
            self._free.append(connection)

    async def take(self: Pool, patience_s: float) -> "Connection":
        connection = self._free.pop() if self._free else None
        if connection is None:
            connection = await self._add() if self._room else await self._wait(patience_s)
        assert connection is not None
        return connection

    Pool.give = Pool.drop = keep  # type: ignore[method-assign]  # that is the bug
    Pool.take = take  # type: ignore[method-assign]  # that is the bug


def _final() -> None:
    OutcomeUnknown.retryable = False


def _hasty() -> None:
    async def hurry(self: Trips) -> None:
        del self

    Trips.await_standby = hurry  # type: ignore[method-assign]  # that is the bug


BUGS: Final[dict[str, Callable[[], None]]] = {
    NO_DISK: _synchronous("off"),
    NO_STANDBY: _synchronous("local"),
    NO_ID: _without_id,
    IN_TWO: _in_two,
    DEAD: _dead,
    FINAL: _final,
    HASTY: _hasty,
}
