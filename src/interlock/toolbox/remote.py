"""Tools of MCP servers: listed and called through the official client, one connection a time.

Runs in a child process, so that whatever a server does ends with it. Which servers there are is
in the settings; a tool of one is called "server.tool".
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx2
from mcp import Client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_TIMEOUT,
    CallToolResult,
    Implementation,
    TextContent,
)
from mcp_types import Tool as Told
from pydantic import BaseModel

import interlock
from interlock.outside.certificates import certificates
from interlock.servers import Server
from interlock.toolbox.pipe import pipe
from interlock.toolbox.tool import (
    CONFIGURATION,
    FAILURES,
    RESOURCE_UNAVAILABLE,
    TRANSIENT,
    USER_CORRECTABLE,
    VALIDATION,
    Described,
    ToolFailure,
)

FAILURE: Final = "interlock/failure"
"""Where in the ``_meta`` of an error a tool may say of which class it is."""

PAGES_MAX: Final = 100
DOC_MAX: Final = 4_000
CONNECT_S: Final = 30.0
"""How long a server has to answer at all; some fetch themselves when they are started."""

AFTER_S: Final = 5.0
"""How long a server that broke off has to show that it is still there."""

LOCKED: Final = (401, 403)
CODES: Final = {
    INVALID_PARAMS: VALIDATION, METHOD_NOT_FOUND: CONFIGURATION, INTERNAL_ERROR: TRANSIENT,
    CONNECTION_CLOSED: TRANSIENT, REQUEST_TIMEOUT: TRANSIENT,
}  # fmt: skip
"""Of which class the errors of the protocol are; others are the caller's to correct."""
TEXT: Final = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "All text of the answer."},
        "content": {"type": "array", "description": "What else is in it, as MCP has it."},
    },
    "required": ["text", "content"],
}
"""What the answer of a tool is that does not say so itself."""

T = TypeVar("T")


async def listed(server: Server) -> tuple[Described, ...]:
    """Return the tools of a server; raises a ``ToolFailure`` where it cannot be asked."""

    async def ask(client: Client) -> list[Told]:
        found: list[Told] = []
        cursor: str | None = None
        for _ in range(PAGES_MAX):
            page = await client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    return tuple(described(server, one) for one in await _connected(server, ask))


def described(server: Server, told: Told) -> Described:
    """Return a tool as we tell of it; an answer that is no object gets a name."""
    result: Mapping[str, object] = told.output_schema or TEXT
    if result.get("type") != "object":
        result = {"type": "object", "properties": {"value": result}, "required": ["value"]}
    doc = (told.description or told.title or "")[:DOC_MAX]
    name = f"{server.name}.{told.name}"
    return Described(name, doc, told.input_schema, result, (f"mcp:{server.name}",))


async def called(server: Server, name: str, arguments: Mapping[str, object]) -> object:
    """Call a tool of a server and return what it answers; raises a ``ToolFailure`` otherwise."""
    try:
        answer = await _connected(server, lambda client: client.call_tool(name, {**arguments}))
    except BrokeOff as failed:
        failed.resource_down = not await _is_there(server)
        raise
    text = "\n".join(one.text for one in answer.content if isinstance(one, TextContent))
    if answer.is_error:
        raise _own(answer, text)
    value: object = answer.structured_content
    if value is None:
        rest = (one for one in answer.content if not isinstance(one, TextContent))
        return {"text": text, "content": [_dumped(one) for one in rest]}
    return value if isinstance(value, dict) else {"value": value}


async def _is_there(server: Server) -> bool:
    """Say whether a server can be spoken to: one that has died may have been the only one."""
    try:
        async with asyncio.timeout(AFTER_S):
            await _connected(server, _nothing)
    except (ToolFailure, TimeoutError):
        return False
    return True


async def _nothing(_: Client) -> None:
    """Ask nothing: that there was an answer before is enough."""


def _dumped(block: BaseModel) -> object:
    return block.model_dump(mode="json", by_alias=True, exclude_none=True)


def _own(answer: CallToolResult, text: str) -> ToolFailure:
    """Return what a tool says has failed; whoever called it can correct that, unless it says so."""
    said = (answer.meta or {}).get(FAILURE)
    failure = str(said) if said in FAILURES else USER_CORRECTABLE
    return ToolFailure(failure, text or "The tool failed, and does not say why.")


class BrokeOff(ToolFailure):
    """A server that we had reached did not end its answer."""


@dataclass(slots=True)
class _Line:
    """How far we have come with a server: spoken to, and what it last said over HTTP."""

    server: Server
    is_reached: bool = False
    status: int = 0

    async def note(self, answer: httpx2.Response) -> None:
        """Keep the status of an answer."""
        self.status = answer.status_code


async def _connected(server: Server, ask: Callable[[Client], Awaitable[T]]) -> T:
    """Ask a server something on a connection of its own."""
    line = _Line(server)
    us = Implementation(name="interlock", version=interlock.__version__)
    limit = asyncio.timeout(CONNECT_S)
    try:
        async with (
            limit,
            _transport(line) as transport,
            Client(transport, client_info=us) as client,
        ):
            line.is_reached = True
            limit.reschedule(None)  # how long the call may take is for whoever has asked
            return await ask(client)
    # What happens while a connection is closed comes in groups.
    except (ExceptionGroup, MCPError, OSError, httpx2.HTTPError) as exc:
        raise _failed(line, _first(exc)) from exc


@asynccontextmanager
async def _transport(line: _Line) -> AsyncIterator[Transport]:
    server = line.server
    if server.command:
        yield pipe(server)
        return
    timeout = httpx2.Timeout(None, connect=CONNECT_S)
    hooks = {"response": [line.note]}
    async with httpx2.AsyncClient(
        headers={**server.headers}, timeout=timeout, trust_env=False, event_hooks=hooks,
        verify=certificates(trust_env=False),
    ) as client:  # fmt: skip
        yield streamable_http_client(server.url, http_client=client)


def _first(exc: BaseException) -> BaseException:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc


def _failed(line: _Line, exc: BaseException) -> BaseException:
    """Return of which class it is that a server could not be asked."""
    name = line.server.name
    if line.status in LOCKED:
        message = f"The MCP server {name} does not let us in: it says {line.status}."
        return ToolFailure(RESOURCE_UNAVAILABLE, message, detail="Check its headers.")
    if isinstance(exc, FileNotFoundError | PermissionError) and line.server.command:
        message = f"The MCP server {name} cannot be started: {exc.strerror}."
        detail = f"Its command begins with {line.server.command[0]}"
        return ToolFailure(RESOURCE_UNAVAILABLE, message, detail=detail, resource_down=True)
    if not isinstance(exc, MCPError | OSError | httpx2.HTTPError):
        return exc
    detail = (str(exc) or type(exc).__name__)[:500]
    if not line.is_reached:
        message = f"The MCP server {name} cannot be reached."
        return ToolFailure(TRANSIENT, message, detail=detail, resource_down=True)
    failure = CODES.get(exc.code, USER_CORRECTABLE) if isinstance(exc, MCPError) else TRANSIENT
    if failure == TRANSIENT:
        message = f"The MCP server {name} broke off during the call."
        return BrokeOff(failure, message, detail=detail)
    return ToolFailure(failure, f"The MCP server {name} refuses the call: {detail}")
