"""Somebody who is told what happens: a real HTTP server on loopback that keeps what it was sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Got:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: str


@dataclass(slots=True)
class Receiver:
    """Answers each request with the next status of ``says``, the last one again and again.

    0 says nothing at all and hangs up; -1 never answers.
    """

    says: list[int]
    got: list[Got] = field(default_factory=list)
    port: int = 0
    came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}/hook?a=1"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().splitlines()
        headers = {
            name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
        }
        body = await reader.readexactly(int(headers["content-length"]))
        self.got.append(Got(first.split()[1], headers, body.decode()))
        self.came.set()
        status = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if status < 0:
            await reader.read()  # until the other side gives up
        elif status:
            more = "Location: http://127.0.0.1:1/\r\n" if status in range(300, 400) else ""
            answer = f"HTTP/1.1 {status} X\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n"
            writer.write(answer.encode())
            await writer.drain()
        writer.close()


@asynccontextmanager
async def receiving(*says: int) -> AsyncIterator[Receiver]:
    """Listen on a port of loopback."""
    receiver = Receiver(list(says) or [200])
    server = await asyncio.start_server(receiver.answer, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver
