"""The two databases that everyone plays on: a new one for each, and how large it has become."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import apsw

from interlock.clock import SystemClock
from interlock.store.sqlite.store import SqliteStore
from tools.bench.ours import Agent
from tools.bench.postgres_course import PostgresCourse

_numbers = count(1)


class Arena(Protocol):
    """Where everyone plays."""

    name: str
    folder: Path
    runner: asyncio.Runner

    def make(self) -> str:
        """Make a new empty database; return its address."""

    def size(self, url: str) -> int:
        """Return the bytes of a database."""

    def ours(self) -> AbstractContextManager[tuple[Agent, str]]:
        """Open a new database of ours, and return its address, too."""


class SqliteArena:
    """Files."""

    name = "SQLite"

    def __init__(self, folder: Path, runner: asyncio.Runner) -> None:
        """Make files in a folder."""
        self.folder, self.runner = folder, runner

    def make(self) -> str:
        """Name a new file."""
        return f"sqlite:{self.folder / _fresh()}.db"

    def size(self, url: str) -> int:
        """Count the pages, those of the log among them."""
        # With another SQLite than ours in one process, closing it would let go of our locks.
        with closing(apsw.Connection(url.removeprefix("sqlite:"))) as file:
            (pages,), (page,) = (file.execute(f"PRAGMA {one}").fetchone() or (0,)
                                 for one in ("page_count", "page_size"))  # fmt: skip
            return int(pages * page)

    @contextmanager
    def ours(self) -> Iterator[tuple[Agent, str]]:
        """Open a store on a new file."""
        url = self.make()
        agent = Agent(SqliteStore(Path(url.removeprefix("sqlite:")), SystemClock()))
        self.runner.run(agent.begin())
        yield agent, url
        self.runner.run(agent.store.close())


class PostgresArena:
    """Databases of one durable server."""

    name = "PostgreSQL"

    def __init__(self, course: PostgresCourse) -> None:
        """Make databases where the course plays."""
        self.folder, self.runner, self._course = course.folder, course.runner, course

    def make(self) -> str:
        """Make an empty database."""
        name = _fresh()
        self._course.server.create_database(name)
        return self._course.server.url(name)

    def size(self, url: str) -> int:
        """Ask the server."""
        name = urlsplit(url).path.strip("/")
        return int(self._course.server.sql(f"SELECT pg_database_size('{name}')"))

    @contextmanager
    def ours(self) -> Iterator[tuple[Agent, str]]:
        """Open a store on a new database that has our schema."""
        name = _fresh()
        self._course.create(name)
        agent = self._course.open(name)
        yield agent, self._course.server.url(name)
        self._course.close(agent)


def _fresh() -> str:
    return f"arena_{next(_numbers)}"
