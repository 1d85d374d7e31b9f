"""Doors know no database: a test of theirs is played on one of the two, in turn; --long plays both."""

from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

HERE: Final = Path(__file__).parent
DIALECTS: Final = ("sqlite", "postgres")
# What a tenant sees, what comes in which order, and what a health check says hang on the store.
ON_BOTH: Final = frozenset(
    {"test_events.py", "test_health.py", "test_parity.py", "test_tenants.py"}
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other database of each test, unless there is time for both."""
    if config.getoption("--long", default=False):
        return
    left = [item for item in items if _is_left_out(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not _is_left_out(item)]


def _is_left_out(item: pytest.Item) -> bool:
    if HERE not in item.path.parents or item.path.name in ON_BOTH:
        return False
    called = getattr(item, "callspec", None)
    dialect = called.params.get("dialect") if called else None
    if dialect not in DIALECTS:
        return False
    # By name and not by place: what else stands in a file must not change it.
    name = f"{item.path.name}::{item.name.replace(dialect, '', 1)}"
    return bool(dialect != DIALECTS[crc32(name.encode()) % 2])
