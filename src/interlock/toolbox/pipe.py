"""An MCP server as a process that is spoken to over its standard input and output.

The SDK starts one in a session of its own, where whoever ends our process group does not reach
it. Here it stays in the group of the child that runs the tool, and ends with it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from interlock.servers import Server

GRACE_S: Final = 2.0
"""How long a server has to end after its input was closed."""

LINE_MAX: Final = 32 * 1024 * 1024

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def pipe(server: Server) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Start a server and yield what is read from it and written to it; ends it at the end."""
    process = await asyncio.create_subprocess_exec(
        *server.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # Not our own environment: what is in it is for this Python, and for nobody else.
        env={**get_default_environment(), **server.env},
        limit=LINE_MAX,
    )
    reads, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, writes = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = (
        asyncio.create_task(_hear(process, reads)),
        asyncio.create_task(_say(process, writes)),
    )
    try:
        yield read, write
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for stream in (read, reads, write, writes):
            stream.close()
        await _end(process)


async def _hear(
    process: asyncio.subprocess.Process, reads: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    """Hand on what the server says; when it has ended, the stream ends, too."""
    with reads, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        while process.stdout is not None:
            try:
                line = await process.stdout.readline()
            except ValueError:  # a line that does not end
                return
            if not line:
                return
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as exc:
                await reads.send(exc)
            else:
                await reads.send(SessionMessage(message))


async def _say(
    process: asyncio.subprocess.Process, writes: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    """Hand on what is said to the server; that it has ended is noticed where it is heard."""
    with writes, suppress(ConnectionError):
        async for one in writes:
            if process.stdin is None:
                return
            line = one.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), GRACE_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
