"""The disk below everything: where the benchmark writes, and how often it can make that durable."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.bench.measure import wall_s
from tools.postgres.account import PARENTS

PAGE: Final = bytes(4096)


def on_disk() -> Path | None:
    """Return a place on a real disk that a database's account gets to, too."""
    # The last one outlives a reboot, so it is in no system's memory.
    return next((Path(place) for place in reversed(PARENTS) if Path(place).is_dir()), None)


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder there, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=on_disk()) as name:
        yield Path(name)


def fsyncs_per_second(place: Path, times: int) -> float:
    """Append pages to a file, each made durable before the next: no commit is quicker for long."""
    path = place / "pages"
    with path.open("wb", buffering=0) as file:

        def work() -> None:
            for _ in range(times):
                file.write(PAGE)
                os.fsync(file.fileno())

        took = wall_s(work)
    path.unlink()
    return times / took
