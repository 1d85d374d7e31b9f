"""What a worker tells a server about a piece of work while it runs: lines, a batch a second.

Telling never holds up the work. While the server is away some lines are kept and the rest is
dropped, with a line that says how many. Once the server has said no, nothing more is told.
"""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, NamedTuple, Self

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker.work import Work

BATCH_BYTES_MAX: Final = 64 * 1024
LINES_MAX: Final = 500
HELD_BYTES_MAX: Final = 16 * BATCH_BYTES_MAX
LINE_MAX: Final = 4_000
"""How many characters a line has at most: however they are written, one fits into a batch."""

EVERY_S: Final = 1.0
LAST_S: Final = 3.0
"""How long what is handed in may be held up by the lines before it."""

OURS: Final = "note"
SAID: Final = "out"
"""The streams: what the worker says of its work, and what was said to it."""

HIDDEN: Final = "***"

Once = Callable[[str, Mapping[str, object]], Awaitable[Envelope]]
"""Calls a command once, whatever comes of it."""

Line = Mapping[str, object]


class Batch(NamedTuple):
    """Lines that are sent together, under one request id until they have arrived."""

    request: str
    lines: Sequence[Line]


async def append_log(once: Once, work: Work, batch: Batch) -> None:
    """Send lines about a piece of work."""
    told = {"part_id": work.part, "lease": work.lease, "lines": [*batch.lines]}
    await once("append_log", {"request_id": batch.request, **told})


class Journal:
    """The lines about one piece of work; used as ``async with``."""

    def __init__(self, once: Once, work: Work, clock: Clock, secrets: tuple[str, ...] = ()) -> None:
        """Tell through ``once``; no line holds one of the secrets."""
        self._once = once
        self._work = work
        self._clock = clock
        self._secrets = secrets
        self._held: deque[tuple[int, Line]] = deque()
        self._held_bytes = 0
        self._dropped = 0
        self._batch: Batch | None = None
        self._is_closed = False
        self._turn = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None

    def note(self, stream: str, text: str) -> None:
        """Keep something to be told; long texts become several lines."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        for start in range(0, len(text), LINE_MAX):
            self._hold(self._line(stream, text[start : start + LINE_MAX]))

    async def __aenter__(self) -> Self:
        self._telling = asyncio.create_task(self._tell())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        if kind is not asyncio.CancelledError:  # then it is not ours any more
            await self.flush()

    async def flush(self) -> None:
        """Tell what there is to tell, if that can be done soon.

        To be called before anything is handed in: afterwards the work is not ours any more.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                while await self._sent():
                    pass

    async def _tell(self) -> None:
        while not self._is_closed:
            await asyncio.sleep(EVERY_S)
            await self._sent()

    async def _sent(self) -> bool:
        """Send a batch; say whether it has arrived and there may be more."""
        async with self._turn:
            batch = self._batch = self._batch or self._next()
            if batch is None or self._is_closed:
                return False
            try:
                await append_log(self._once, self._work, batch)
            except InterlockError as error:
                self._is_closed = not error.retryable
                return False
            self._batch = None
            return True

    def _next(self) -> Batch | None:
        if not self._held:
            return None
        lines: list[Line] = []
        room = BATCH_BYTES_MAX
        if self._dropped:
            word = f"{self._dropped} lines were left out: they were too many at once."
            lines.append(self._line(OURS, word))
            room -= _size(lines[0])
            self._dropped = 0
        while self._held and self._held[0][0] <= room and len(lines) < LINES_MAX:
            size, line = self._held.popleft()
            self._held_bytes -= size
            room -= size
            lines.append(line)
        return Batch(self._clock.new_id("request"), lines)

    def _hold(self, line: Line) -> None:
        if self._is_closed:
            return
        size = _size(line)
        self._held.append((size, line))
        self._held_bytes += size
        while self._held_bytes > HELD_BYTES_MAX:
            self._held_bytes -= self._held.popleft()[0]
            self._dropped += 1

    def _line(self, stream: str, text: str) -> Line:
        return {"at": self._clock.now(), "stream": stream, "text": text}


def _size(line: Line) -> int:
    """Return how many bytes a line takes on its way, with what stands between two."""
    return len(json.dumps(line).encode()) + 2
