"""A database with something in every table, made once in a process."""

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.copying.filled import filled

COMMANDS: Final = 3
SEED: Final = 1


def put_full(path: Path) -> None:
    """Put such a file at a place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_full())


@cache
def _full() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "interlock.db"
        asyncio.run(filled(path, SEED, COMMANDS))
        return path.read_bytes()
