"""Where a campaign's data lies, as a text that can be handed to another process.

A text that begins like an address is a PostgreSQL, anything else is a SQLite file.
"""

from pathlib import Path

from interlock.clock import Clock
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.sqlite.store import SqliteStore


async def open_store(place: str, clock: Clock) -> Store:
    """Open the store of a place."""
    if place.startswith("postgresql://"):
        return await PostgresStore.open(place, clock)
    return SqliteStore(Path(place), clock)
