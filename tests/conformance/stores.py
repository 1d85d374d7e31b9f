"""The stores that the suites run on: each opened empty, and closed when the suite is done.

A store is real; only its clock stands still, and PostgreSQL goes by its own all the same. How
durable it is does not matter here, so it need not wait for a disk.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from interlock.service.engine import Engine
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.sqlite.store import SqliteStore
from tests.ready import ready_file, ready_flows
from tests.still import StillClock
from tests.store.postgres.made import OPTIONS, database

Opened = Callable[[StillClock], AbstractAsyncContextManager[Store]]
"""Opens the same store as often as it is called."""


def sqlite(path: Path) -> Opened:
    """Return what opens a SQLite file."""

    @asynccontextmanager
    async def opened(clock: StillClock) -> AsyncIterator[Store]:
        store = SqliteStore(ready_file(path), clock, synchronous="off")
        try:
            yield store
        finally:
            await store.close()

    return opened


def postgres(url: str) -> Opened:
    """Return what opens a PostgreSQL database."""

    @asynccontextmanager
    async def opened(clock: StillClock) -> AsyncIterator[Store]:
        async with await PostgresStore.open(url, clock, OPTIONS) as store:
            yield store

    return opened


def _new_sqlite(_: pytest.FixtureRequest, folder: Path) -> Opened:
    return sqlite(folder / "interlock.db")


def _new_postgres(request: pytest.FixtureRequest, _: Path) -> Opened:
    stack = ExitStack()
    request.addfinalizer(stack.close)
    return postgres(stack.enter_context(database(request.getfixturevalue("postgres_server"))))


OPENINGS: Final[Mapping[str, Callable[[pytest.FixtureRequest, Path], Opened]]] = {
    "sqlite": _new_sqlite,
    "postgres": _new_postgres,
}
"""For each kind of store, how a test gets a new one."""


def engine_on(store: Store, clock: StillClock) -> Engine:
    """Return the engine with the three workflows on a store."""
    return Engine(store, clock, ready_flows())
