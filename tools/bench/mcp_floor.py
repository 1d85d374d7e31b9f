"""The floor of the MCP door: a tool that does nothing, on the same SDK, transport and web server.

Run as a module it serves until it is killed; its first line on standard error says where. It is
wired on the same level of the SDK as our door, and gives a short answer as structure and as text.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
import uvloop
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

NAMES: Final = ("get_next_step", "submit_step_result")
"""A client asks for the list before every call of a tool that is not on it; so they all are."""

TAKES: Final[dict[str, Any]] = {"type": "object"}
TOLD: Final = {"status": "ok"}
TEXT: Final = '{"status":"ok"}'


class Floor:
    """A server whose every tool says ok."""

    def __init__(self) -> None:
        server: Server[Any] = Server(
            "floor",
            get_tool_input_schema=lambda _: TAKES,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        self._manager = StreamableHTTPSessionManager(
            app=server,
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    async def _list(
        self, context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        del context, params
        return ListToolsResult(tools=[Tool(name=name, input_schema=TAKES) for name in NAMES])

    async def _call(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        del context, params
        told = [TextContent(type="text", text=TEXT)]
        return CallToolResult(content=[*told], structured_content=TOLD)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """Answer requests for as long as this is open."""
        async with self._manager.run():
            yield


async def serve(bound: socket.socket) -> None:
    """Serve on an open port until we are killed."""
    floor = Floor()
    asgi = Starlette(routes=[Route("/mcp", endpoint=floor)], lifespan=floor.running)
    config = uvicorn.Config(
        asgi, log_config=None, access_log=False, server_header=False, lifespan="on"
    )
    await uvicorn.Server(config).serve(sockets=[bound])


def main() -> None:
    """Open a free port, say which, and serve."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        print(f"floor serves at http://127.0.0.1:{bound.getsockname()[1]}", file=sys.stderr)
        sys.stderr.flush()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(bound))


if __name__ == "__main__":
    main()
