"""What takes long begins first, in every worker: at the end of a run nobody waits for one test.

Whoever deals tests hands each worker an unbroken share of them, and takes from the end of a share
what another one is idle for. So the rooms with long tests stand at the beginning of each share.

This is a plugin of pytest; the settings that hold for every test are in ``conftest``.
"""

from pathlib import Path
from typing import Final

import pytest

LONG: Final = frozenset(
    Path(__file__).parent / name
    for name in (
        "browser", "cli/demo", "clocks", "conformance", "copying", "crash", "execution", "failover", "fuzz",
        "histories", "keeping", "planning", "power", "serving", "simulation", "torture",
        "worker/test_servers.py",
    )
)  # fmt: skip
"""Where one test may take longer than some seconds."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the long ones first, once all others have left out and shuffled what they want."""
    dealt = getattr(config, "workerinput", {"workercount": 1})
    items[:] = long_first(items, int(dealt["workercount"]))


def long_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests so that the share of each worker begins with long ones, whole files each."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    long = {path: files.pop(path) for path in [*files] if LONG & {path, *path.parents}}
    others = [item for file in files.values() for item in file]
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for file in long.values():
        min(shares, key=len).extend(file)
    dealt: list[pytest.Item] = []
    for place, share in enumerate(shares):
        more = max(0, (len(items) - len(dealt)) // (workers - place) - len(share))
        dealt += share + others[:more]
        del others[:more]
    return dealt + others
