"""Backups of a database that clients work on, each restored and judged: a campaign.

The clients are a process of their own. Every fourth leg has a PostgreSQL of its own; what it backs
up is restored to SQLite files like everything else.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from interlock import upkeep
from interlock.clock import SystemClock
from interlock.config import Settings
from interlock.store import backup
from interlock.store.postgres.store import PostgresStore
from tests.crash.campaign import CLIENTS
from tests.crash.child import AT_WORK, Spec
from tests.crash.nursery import nursery
from tests.keeping.bugs import planted
from tests.keeping.instants import Taken, judge
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

EVERY: Final = 4
GROWS: Final = (5_000, 25_000)
"""By how many bytes the journal grows before the next backup is taken."""

PATIENCE_S: Final = 60.0
POLL_S: Final = 0.005
PAGES: Final = 16


def run(leg: Leg) -> Tried:
    """Take so many backups while clients work, on one database."""
    with _place(leg) as place, planted(leg.bug):
        return under_load(leg, place)


@contextmanager
def _place(leg: Leg) -> Iterator[Path | str]:
    if leg.seed % EVERY or leg.bug:
        yield leg.folder / "data" / "interlock.db"
        return
    with Server(durable=True) as server:
        server.create_database("kept")
        asyncio.run(PostgresStore.migrate(server.url("kept"), SystemClock().now()))
        yield server.url("kept")


def under_load(leg: Leg, place: Path | str) -> Tried:
    """Take backups of a place on which clients work, restore each, and judge it."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    journal = leg.folder / "journal"
    taken: list[Taken] = []
    with nursery() as children:
        spec = Spec(str(place), str(journal), str(leg.folder / "told"), leg.seed, CLIENTS)
        child = children.start(spec)
        assert "modules" in (child.told() or {})
        assert child.told() == AT_WORK
        for number in range(leg.amount):
            _wait_for(journal, _size(journal) + chance.randint(*GROWS))
            taken.append(_take(leg, place, number))
        child.kill()
    found = [
        f"backup {number}: {one}"
        for number, copy in enumerate(taken)
        for one in judge(copy, journal)
    ]
    moved = sum(copy.after > copy.before for copy in taken)
    rows = sum(copy.restored.manifest.rows for copy in taken)
    return Tried({"backups": leg.amount, "rows": rows}, {"written to meanwhile": moved}, found)


def _take(leg: Leg, place: Path | str, number: int) -> Taken:
    if isinstance(place, Path):
        settings = Settings(place.parent)
    else:
        settings = Settings(leg.folder / "data", database=place)
    file = leg.folder / f"{number}.interlock"
    journal = leg.folder / "journal"
    before = _size(journal)

    def tell(done: int, total: int) -> None:
        # The first pages are read: the rest is only when clients have written something more.
        _silent(done, total)
        _wait_for(journal, before + 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backup, "PAGES", PAGES)
        upkeep.back_up(settings, file, tell)
    after = _size(journal)
    folder = leg.folder / f"restored-{number}"
    restored = upkeep.restore(Settings(folder), file, _silent)
    return Taken(folder / "interlock.db", restored, before, after)


def _silent(done: int, total: int) -> None:
    assert 0 <= done <= total


def _size(journal: Path) -> int:
    """Return how far the journal is, up to its last whole line."""
    content = journal.read_bytes() if journal.exists() else b""
    return content.rfind(b"\n") + 1


def _wait_for(journal: Path, size: int) -> None:
    """Wait until the clients have done so much."""
    until = time.monotonic() + PATIENCE_S
    while _size(journal) < size:
        assert time.monotonic() < until, "the clients do nothing"
        time.sleep(POLL_S)


BACKUP: Final = Campaign("backup", ("P2", "P13", "P14"), "backups", 3, 200, 10, run)
