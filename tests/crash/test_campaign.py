"""Fifty kills: what was acknowledged is there, nothing else is, and nothing is there twice.

``CRASH_KILLS`` asks for more, in campaigns of fifty; ``TORTURE_SEED`` for another seed.
"""

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from interlock.clock import SystemClock
from interlock.store.sqlite.store import SqliteStore
from tests.crash.campaign import Campaign, Report, order_of_points, stopwatch, wanted
from tests.crash.nursery import Nursery, nursery
from tests.crash.points import AFTER_COMMIT, MIGRATING, SERVICE
from tests.torture.small import small_seed

KILLS = wanted("CRASH_KILLS", 50)
LEG = 50
EVERY = 5
"""After so many kills the file is copied, and the copy is opened to see that nothing changes."""


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that is in a file."""
    with apsw.Connection(str(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        names = sorted(str(name) for (name,) in tables)
        found = {name: [*connection.execute(f'SELECT * FROM "{name}"')] for name in names}  # noqa: S608
    connection.close()
    return found


def reopened(path: Path, folder: Path) -> bool:
    """Say whether opening a copy of a file, as a restart does, leaves everything as it was."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy(part, folder)
    copy = folder / path.name
    before = rows(copy)
    asyncio.run(SqliteStore(copy, SystemClock()).close())
    return rows(copy) == before


def run(children: Nursery, folder: Path, seed: int) -> Report:
    """Run one campaign from an empty folder to its end."""
    path = folder / "data" / "interlock.db"
    campaign = Campaign(children, folder, str(path), seed)
    began = stopwatch()
    for number, point in enumerate(order_of_points(LEG, campaign.chance), 1):
        campaign.kill(point)
        # Until it is migrated, opening does change a file.
        if number % EVERY == 0 and point not in MIGRATING:
            assert reopened(path, folder / "copy")
    campaign.finish()
    report = asyncio.run(campaign.judge())
    report.seconds = stopwatch() - began
    return report


def test_after_any_kill_what_was_acknowledged_is_there_once_and_nothing_else(
    tmp_path: Path, children: Nursery
) -> None:
    # A long run is many campaigns: with its journal a campaign grows slow.
    seed = small_seed("kills")
    for leg in range(-(-KILLS // LEG)):
        folder = tmp_path / str(leg)
        folder.mkdir()
        report = run(children, folder, seed + leg)
        sys.stdout.write(f"{report}\n")

        assert report.findings == []
        assert report.kills == LEG
        assert report.in_flight >= LEG / 2
        assert set(SERVICE) < set(report.points)


def test_killed_between_commit_and_answer_the_answer_is_given_by_the_next_process(
    tmp_path: Path, children: Nursery
) -> None:
    campaign = Campaign(children, tmp_path, str(tmp_path / "interlock.db"), seed=1)
    for _ in range(5):
        campaign.kill(AFTER_COMMIT)
    campaign.finish()
    report = asyncio.run(campaign.judge())
    heard_later = [
        line for line in report.journal.values() if line.outcome and line.outcome.is_replay
    ]

    assert report.findings == []
    assert len(heard_later) >= 3
