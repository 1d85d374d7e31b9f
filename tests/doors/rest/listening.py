"""A reader of the stream in this process: takes what is sent, and hangs up when it likes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

Event = dict[str, Any]


@dataclass(slots=True)
class Reader:
    """One stream, as its client sees it."""

    status: int = 0
    text: str = ""
    is_over: bool = False
    told: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    # While it is clear, nothing is taken.
    takes: asyncio.Event = field(default_factory=asyncio.Event)
    # Somebody wants to send, and nothing is taken.
    is_waited_for: asyncio.Event = field(default_factory=asyncio.Event)
    # The server has nothing more to do with it.
    is_served: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive(self) -> Message:
        """Hang up, one day."""
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take what is sent, when there is time."""
        if not self.takes.is_set():
            self.is_waited_for.set()
        await self.takes.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.text += message["body"].decode()
            self.is_over = not message.get("more_body", False)
        self.told.set()

    @property
    def events(self) -> list[Event]:
        """What was told until now: ids, names and data."""
        found = []
        for block in self.text.split("\n\n")[:-1]:
            event: Event = {}
            for line in block.split("\n"):
                name, _, value = line.partition(": ")
                event[name] = json.loads(value) if name == "data" else value
            found.append(event)
        return found

    @property
    def entries(self) -> list[Event]:
        """The entries that were told."""
        return [one["data"] for one in self.events if "data" in one and "event" not in one]

    @property
    def last_id(self) -> str:
        """Where a client would go on."""
        return str([one["id"] for one in self.events if "id" in one][-1])

    async def until(self, count: int) -> list[Event]:
        """Wait for a number of entries."""
        while len(self.entries) < count:
            self.told.clear()
            await self.told.wait()
        return self.entries

    async def end(self) -> Event:
        """Wait for the end; return the last event."""
        await self.is_served.wait()
        assert self.is_over
        return self.events[-1]


@asynccontextmanager
async def listening(
    app: ASGIApp, secret: str, query: str = "", last: str = ""
) -> AsyncIterator[Reader]:
    """Open a stream; hang up at the end, and see that nothing is left of it."""
    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {secret}".encode())]
    if last:
        headers.append((b"last-event-id", last.encode()))
    scope = {
        "type": "http", "method": "GET", "path": "/v1/events", "raw_path": b"/v1/events",
        "query_string": query.encode(), "headers": headers, "scheme": "http", "root_path": "",
        "server": ("localhost", 80), "http_version": "1.1",
    }  # fmt: skip
    reader = Reader()
    reader.takes.set()

    async def serve() -> None:
        await app(scope, reader.receive, reader.send)
        reader.is_served.set()

    task = asyncio.create_task(serve())
    try:
        async with asyncio.timeout(30):
            yield reader
    finally:
        reader.takes.set()
        reader.hung_up.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                await task
