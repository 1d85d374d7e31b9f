"""A way to a server that breaks now and then: what comes back is lost, though it was done."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class Flaky:
    """A proxy on loopback. ``losing`` answers are cut off; ``open`` are the ways that stand now."""

    upstream: int
    port: int = 0
    losing: int = 0
    lost: int = 0
    open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Where the proxy is."""
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break every way that is open."""
        for writer in self.open:
            writer.transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection in both directions."""
        there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        self.open.add(writer)
        try:
            await asyncio.gather(self._forth(reader, back), self._back(there, writer))
        except OSError:
            pass
        finally:
            self.open.discard(writer)
            for one in (writer, back):
                one.close()

    async def _forth(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()
        writer.close()

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65536):
            if self.losing:
                self.losing -= 1
                self.lost += 1
                writer.transport.abort()
                raise OSError("cut off")
            writer.write(some)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def flaky(upstream: int) -> AsyncIterator[Flaky]:
    """Open a way to a port that can be broken."""
    way = Flaky(upstream)
    server = await asyncio.start_server(way.pass_on, "127.0.0.1", 0)
    way.port = server.sockets[0].getsockname()[1]
    try:
        yield way
    finally:
        server.close()
        way.cut()
        with suppress(OSError):
            await server.wait_closed()
