"""A plain TCP proxy whose network can be cut, and restored."""

import asyncio
from contextlib import suppress
from typing import Final, Self

CHUNK: Final = 65_536

Writer = asyncio.StreamWriter


class Cut:
    """Hands every connection to a server, as long as the network is whole."""

    def __init__(self, port: int) -> None:
        """Stand in front of a server."""
        self.url = ""
        self.is_cut = False
        # How many connections were made while it was whole again.
        self.after = 0
        self._port = port
        self._writers: set[Writer] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Let nothing through any more, neither what is open nor what is new."""
        self.is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        """Let everything through again."""
        self.is_cut = False
        self.after = 0

    def _take(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        task = asyncio.create_task(self._serve(reads, writes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        self._writers.add(writes)
        try:
            if not self.is_cut:
                self.after += 1
                await self._join(reads, writes)
        finally:
            self._writers.discard(writes)
            writes.transport.abort()

    async def _join(self, reads: asyncio.StreamReader, writes: Writer) -> None:
        """Copy both ways until one side has had enough."""
        there, to_there = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.add(to_there)
        ways = (_copy(reads, to_there), _copy(there, writes))
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._writers.discard(to_there)
            to_there.transport.abort()


async def _copy(reads: asyncio.StreamReader, writes: Writer) -> None:
    with suppress(OSError):
        while chunk := await reads.read(CHUNK):
            writes.write(chunk)
            await writes.drain()
