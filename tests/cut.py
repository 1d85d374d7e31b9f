"""A plain TCP proxy that does to connections what networks do: cut, swallow, tear, stall.

It knows nothing of what it carries but chunks: what is sent up to the server, and what comes back.
What is to befall a connection befalls the next one that is in use, past its first words.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

CHUNK: Final = 65_536
FIRST_WORDS: Final = 8
"""So many chunks go up before a connection is past its greetings."""

Writer = asyncio.StreamWriter


class Fate(StrEnum):
    """What befalls one connection, which is cut afterwards."""

    # What was sent never arrives.
    LOST = "request lost"
    # What was sent arrives; the answer does not.
    SWALLOWED = "answer swallowed"
    # Half of the answer arrives.
    TORN = "answer torn"


@dataclass(slots=True, eq=False)
class Link:
    """A connection, as far as we have seen it."""

    caller: Writer
    server: Writer
    sent: int = 0
    # Its answer is awaited, and goes nowhere.
    fate: Fate | None = None

    def cut(self) -> None:
        """Let go of both ends, in the middle of whatever they say."""
        self.caller.transport.abort()
        self.server.transport.abort()


class Cut:
    """Hands every connection to a server, as long as the network is whole."""

    def __init__(self, port: int) -> None:
        """Stand in front of a server."""
        self.port = 0
        self.is_cut = False
        self._port = port
        self._links: set[Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._fate: Fate | None = None
        self._has_met = asyncio.Event()
        # Somebody came since it was cut.
        self._is_used = asyncio.Event()

    @property
    def url(self) -> str:
        """Where it is, for HTTP."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Let nothing through any more, neither what is open nor what is new."""
        self.is_cut = True
        self._is_used.clear()
        for link in self._links:
            link.cut()

    def mend(self) -> None:
        """Let everything through again."""
        self.is_cut = False

    async def until_used(self) -> None:
        """Wait for a connection after a cut; who was cut off may pause for long."""
        await self._is_used.wait()

    async def stall(self, seconds: float) -> None:
        """Hold everything up for a while; nothing is lost."""
        self._flows.clear()
        await asyncio.sleep(seconds)
        self._flows.set()

    async def befall(self, fate: Fate) -> None:
        """Let this befall the next connection in use; return when it has."""
        self._has_met.clear()
        self._fate = fate
        await self._has_met.wait()

    def _take(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        task = asyncio.create_task(self._serve(reads, writes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        try:
            if not self.is_cut:
                self._is_used.set()
                await self._join(reads, writes)
        finally:
            writes.transport.abort()

    async def _join(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        """Copy both ways until one side has had enough."""
        there, to_there = await asyncio.open_connection("127.0.0.1", self._port)
        link = Link(writes, to_there)
        self._links.add(link)
        tasks = [
            asyncio.create_task(way) for way in (self._up(reads, link), self._down(there, link))
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._links.discard(link)
            link.cut()

    async def _up(self, reads: asyncio.StreamReader, link: Link) -> None:
        with suppress(OSError):
            while chunk := await reads.read(CHUNK):
                await self._flows.wait()
                link.sent += 1
                if self._fate is not None and link.sent > FIRST_WORDS:
                    link.fate, self._fate = self._fate, None
                if link.fate is Fate.LOST:
                    break
                link.server.write(chunk)
                await link.server.drain()
        self._met(link)

    async def _down(self, reads: asyncio.StreamReader, link: Link) -> None:
        with suppress(OSError):
            while chunk := await reads.read(CHUNK):
                await self._flows.wait()
                if link.fate is Fate.TORN:
                    link.caller.write(chunk[: len(chunk) // 2])
                    await link.caller.drain()
                if link.fate is not None:
                    break
                link.caller.write(chunk)
                await link.caller.drain()
        self._met(link)

    def _met(self, link: Link) -> None:
        """Say that what was to befall somebody has, also when the connection ended before it."""
        if link.fate is not None:
            self._has_met.set()
