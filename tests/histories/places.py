"""A place opened for a history: nobody pulls the plug here, so no commit waits for a disk."""

from pathlib import Path

from interlock.clock import Clock
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.sqlite.store import SqliteStore
from tests.store.postgres.made import OPTIONS


async def open_careless(place: str, clock: Clock) -> Store:
    """Open the store of a place: an address is a PostgreSQL, anything else a SQLite file."""
    if place.startswith("postgresql://"):
        return await PostgresStore.open(place, clock, OPTIONS)
    return SqliteStore(Path(place), clock, synchronous="off")
