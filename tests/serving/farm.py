"""Servers in processes of their own on one database, and a plain proxy in front of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from threading import Thread
from typing import Final, Self

from interlock.app import App, open_app
from interlock.config import Settings
from interlock.service.access import create_token
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process

CHUNK: Final = 65_536

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Base:
    """A database, and how a server or a test is told about it."""

    folder: Path
    database: str = ""

    @property
    def settings(self) -> Settings:
        """As settings; the servers of the tests forget what was written in a power cut."""
        return Settings(self.folder, database=self.database, allow_degraded=True)

    @asynccontextmanager
    async def app(self) -> AsyncIterator[App]:
        """Open it in this process."""
        async with open_app(self.settings) as app:
            yield app

    async def token(self, name: str) -> str:
        """Make a token for an agent."""
        async with self.app() as app:
            return (await create_token(app.engine, app.owner(), name))[0]

    @contextmanager
    def serving(self, *words: str, **around: str) -> Iterator["Running"]:
        """Start a server; whatever happens, it is gone at the end."""
        told = environment() | around
        if self.database:
            told |= {"INTERLOCK_DATABASE": self.database, "INTERLOCK_ALLOW_DEGRADED": "yes"}
        line = command(self.folder, "serve", "--port", "0", *words)
        with Process(line, told, stderr=PIPE) as process:
            assert process.stderr is not None
            lines = process.stderr
            said = [lines.readline()]
            reader = Thread(target=lambda: said.extend(lines))
            reader.start()
            try:
                assert "serves at" in said[0], [*said, *lines]
                yield Running(process, said[0].rpartition(" ")[2].strip(), said)
            finally:
                process.kill()
                process.wait()
                reader.join()


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs."""

    process: Process
    url: str
    said: list[str]

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])


class Proxy:
    """Hands every connection to the next server, and knows nothing else."""

    def __init__(self, *ports: int) -> None:
        """Take where the servers are."""
        self.url = ""
        # How many connections each was given.
        self.given = dict.fromkeys(ports, 0)
        self._turns = cycle(ports)
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _take(self, reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve((reads, writes)))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, caller: Pair) -> None:
        try:
            for port in (next(self._turns) for _ in self.given):
                with suppress(OSError):  # it is gone: the next one then, as any proxy does
                    there = await asyncio.open_connection("127.0.0.1", port)
                    self.given[port] += 1
                    await _join(caller, there)
                    return
        finally:
            caller[1].close()


async def _join(caller: Pair, there: Pair) -> None:
    """Copy both ways until one side has had enough; then neither is kept."""
    ways = (_copy(caller[0], there[1]), _copy(there[0], caller[1]))
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        there[1].close()


async def _copy(reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reads.read(CHUNK):
            writes.write(chunk)
            await writes.drain()
