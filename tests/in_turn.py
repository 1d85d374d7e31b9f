"""Doors and commands know no database: a test of theirs is played on one of the two, in turn.

With ``--long`` it is played on both. That both behave alike is shown elsewhere: by the tests of the
service and the stores, by parity, and by the campaigns.

This is a plugin of pytest; the settings that hold for every test are in ``conftest``.
"""

from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

ROOMS: Final = tuple(Path(__file__).parent / name for name in ("commands", "doors"))
DIALECTS: Final = ("sqlite", "postgres")
# What a tenant sees, what comes in which order, what was answered before, what is found and what a
# health check says hang on the store.
ON_BOTH: Final = frozenset(
    {
        "test_damaged.py", "test_events.py", "test_health.py", "test_idempotency.py",
        "test_library.py", "test_parity.py", "test_tenants.py",
    }
)  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other database of each test, unless there is time for both."""
    if config.getoption("--long", default=False):
        return
    left = [item for item in items if _is_left_out(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not _is_left_out(item)]


def _is_left_out(item: pytest.Item) -> bool:
    if item.path.name in ON_BOTH or not any(room in item.path.parents for room in ROOMS):
        return False
    called = getattr(item, "callspec", None)
    dialect = called.params.get("dialect") if called else None
    if dialect not in DIALECTS:
        return False
    # By name and not by place: what else stands in a file must not change it.
    name = f"{item.path.name}::{item.name.replace(dialect, '', 1)}"
    return bool(dialect != DIALECTS[crc32(name.encode()) % 2])
