"""What the SDK leaves open between a line and its answer.

A line that is no message gets an answer too: a client that waits for an answer to something it
has misspelled would wait for ever. It is told what JSON-RPC has for it: a parse error, or an
invalid request under the id it gave. And when the input ends, what was asked before is answered
first, so that a script can be piped in.
"""

from collections import Counter
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import anyio
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

Item = SessionMessage | Exception

LAST_S: Final = 1.0
"""How long the last answers have after the input has ended."""


class Answers:
    """What is written; knows which requests are still to be answered."""

    def __init__(self, writes: WriteStream[SessionMessage]) -> None:
        self._writes = writes
        self._open: Counter[RequestId] = Counter()
        self._is_done = anyio.Event()

    def expect(self, name: RequestId) -> None:
        """Remember that a request is to be answered."""
        self._open[name] += 1

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message."""
        await self._writes.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError) and item.message.id is not None:
            self._open -= Counter([item.message.id])
            if not self._open:
                self._is_done.set()
                self._is_done = anyio.Event()

    async def settle(self) -> None:
        """Wait until everything is answered, but not for ever: some requests never end."""
        with anyio.move_on_after(LAST_S):
            while self._open:
                await self._is_done.wait()

    async def aclose(self) -> None:
        """Close the stream behind."""
        await self._writes.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


class Answering:
    """What was read, without what cannot be understood: that is answered here."""

    def __init__(self, reads: ReadStream[Item], answers: Answers) -> None:
        self._reads = reads
        self._answers = answers

    async def receive(self) -> Item:
        """Return the next message; at the end, raise once everything is answered."""
        try:
            while isinstance(item := await self._reads.receive(), Exception):
                with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                    await self._answers.send(SessionMessage(complaint(item)))
        except anyio.EndOfStream:
            await self._answers.settle()
            raise
        if isinstance(item.message, JSONRPCRequest):
            self._answers.expect(item.message.id)
        return item

    async def aclose(self) -> None:
        """Close the stream behind."""
        await self._reads.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def complaint(wrong: Exception) -> JSONRPCError:
    """Return the answer to a line that is no message."""
    found = wrong.errors(include_url=False) if isinstance(wrong, ValidationError) else []
    if not found or any(error["type"] == "json_invalid" for error in found):
        told = ErrorData(code=PARSE_ERROR, message="Parse error")
        return JSONRPCError(jsonrpc="2.0", id=None, error=told)
    told = ErrorData(code=INVALID_REQUEST, message="Invalid request")
    # Whatever form the message was compared with: what it lacks is told with the whole of it.
    wholes = [error["input"] for error in found if error["type"] == "missing"]
    return JSONRPCError(jsonrpc="2.0", id=_id(wholes), error=told)


def _id(wholes: list[object]) -> RequestId | None:
    for whole in wholes:
        name = whole.get("id") if isinstance(whole, dict) else None
        if isinstance(name, str) or (isinstance(name, int) and not isinstance(name, bool)):
            return name
    return None
