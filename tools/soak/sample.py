"""Look at a server from outside: its memory, descriptors, threads, and what lies on the disk."""

import re
from pathlib import Path
from typing import Final, Protocol

from tools.postgres.server import Server
from tools.soak.judge import Sample
from tools.soak.load import Tally

RESIDENT: Final = re.compile(r"^VmRSS:\s+(\d+) kB$", re.MULTILINE)
THREADS: Final = re.compile(r"^Threads:\s+(\d+)$", re.MULTILINE)
SIZES: Final = "SELECT (SELECT sum(size) FROM pg_ls_waldir()), pg_database_size(current_database())"


class Disk(Protocol):
    """What a store keeps on the disk."""

    def sizes(self) -> tuple[int, int]:
        """Return the bytes of its log, and of everything else."""


class SqliteDisk:
    """A file, and its log beside it."""

    def __init__(self, file: Path) -> None:
        """Look at a file."""
        self._file, self._log = file, Path(f"{file}-wal")

    def sizes(self) -> tuple[int, int]:
        """Ask the file system."""
        return _size(self._log), _size(self._file)


class PostgresDisk:
    """A database of a server; its log is the whole server's."""

    def __init__(self, server: Server, database: str) -> None:
        """Look at a database."""
        self._server, self._database = server, database

    def sizes(self) -> tuple[int, int]:
        """Ask the server."""
        wal, size = self._server.sql(SIZES, self._database).split("|")
        return int(wal), int(size)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def sample(at_s: float, pid: int, disk: Disk, tally: Tally) -> Sample:
    """Look at everything once."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    resident, threads = (_number(what, status) for what in (RESIDENT, THREADS))
    descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    wal, database = disk.sizes()
    commands, p50, p99 = tally.taken()
    return Sample(round(at_s, 1), commands, resident * 1024, descriptors, threads, wal, database,
                  round(p50, 2), round(p99, 2))  # fmt: skip


def _number(what: re.Pattern[str], text: str) -> int:
    found = what.search(text)
    if found is None:
        raise AssertionError("this system does not tell what a process takes")
    return int(found[1])
