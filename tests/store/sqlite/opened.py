"""A SQLite file made ready for a test, and a script that asks one question."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import apsw

from interlock.store.rows import Value
from interlock.store.script import Answer, Ask, Nothing, Script
from interlock.store.sqlite.connect import connect
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.store import SqliteStore
from tests.ready import ready_file
from tests.still import START, StillClock

HOME: Final = "home"
AWAY: Final = "away"


@contextmanager
def connected(folder: Path) -> Iterator[apsw.Connection]:
    """Open a file with our tables and two tenants."""
    connection = connect(ready_file(folder / "interlock.db"), "off")
    for tenant in (HOME, AWAY):
        made: dict[str, Value] = {"id": tenant, "name": tenant, "at": START}
        Session(connection, "").change("insert_tenant", made)
    try:
        yield connection
    finally:
        connection.close()


@asynccontextmanager
async def opened(folder: Path, clock: StillClock | None = None) -> AsyncIterator[SqliteStore]:
    """Open a store with two tenants."""
    still = clock or StillClock()
    store = SqliteStore(ready_file(folder / "interlock.db"), still, synchronous="off")
    try:
        for tenant in (HOME, AWAY):
            await store.add_tenant(tenant, tenant, still.now())
        yield store
    finally:
        await store.close()


def asking(ask: Ask, answers: list[Answer]) -> Script:
    """Ask one question and write nothing."""
    answers.append((yield ask))
    return Nothing("")


async def ask(store: SqliteStore, question: Ask, tenant: str = HOME) -> Answer:
    """Ask a store one question."""
    answers: list[Answer] = []
    await store.run(tenant, lambda: asking(question, answers))
    return answers[0]
