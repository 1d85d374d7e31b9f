"""Doors, commands and service know no database: their tests are played on one of the two, in turn.

With ``--long`` they are played on both. That both behave alike is shown elsewhere: by the tests of
the stores, by the same seeds on both of them, and by the campaigns.

This is a plugin of pytest; the settings that hold for every test are in ``conftest``.
"""

from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

ROOMS: Final = tuple(Path(__file__).parent / name for name in ("commands", "doors", "service"))
DIALECTS: Final = ("sqlite", "postgres")
TURNS: Final = ("postgres", "sqlite", "sqlite", "sqlite")
"""Who plays: a database of PostgreSQL is made in ten times the work of a file."""

# What a tenant sees, what is offered first and comes in which order, what was answered before, what
# is found, what is forgotten or has lapsed, and what a health check says hang on the store.
ON_BOTH: Final = frozenset(
    {
        "test_access.py", "test_damaged.py", "test_erase.py", "test_events.py", "test_feed.py",
        "test_health.py", "test_idempotency.py", "test_library.py", "test_retention.py",
        "test_search.py", "test_sweep.py", "test_tenants.py", "test_timers.py", "test_work.py",
    }
)  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other database of each test, unless there is time for both."""
    if config.getoption("--long", default=False):
        return
    left = {item for item in items if _is_left_out(item)}
    if left:
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


@cache
def _is_in_turn(path: Path) -> bool:
    return path.name not in ON_BOTH and any(room in path.parents for room in ROOMS)


def _is_left_out(item: pytest.Item) -> bool:
    called = getattr(item, "callspec", None)
    dialect = called.params.get("dialect") if called else None
    if dialect not in DIALECTS or not _is_in_turn(item.path):
        return False
    # By name and not by place: what else stands in a file must not change it.
    name = f"{item.path.name}::{item.name.replace(dialect, '', 1)}"
    return bool(dialect != TURNS[crc32(name.encode()) % len(TURNS)])
