"""The floor of the MCP door: tools that do nothing, on the same SDK, transport and web server.

Written as the SDK's own guide writes a tool: a function with types, on ``MCPServer``. They are
called like ours and take what ours take; their answer has a shape, and comes as structure and as
text. Nobody has to show a token. Run as a module it serves until it is killed; its first line on
standard error says where.
"""

import asyncio
import socket
import sys
from typing import TypedDict

import uvicorn
import uvloop
from mcp.server.mcpserver import MCPServer

server = MCPServer("floor")


class Told(TypedDict):
    """All there is to say."""

    status: str


@server.tool()
def get_next_step(plan_id: str, request_id: str) -> Told:
    """Hand nothing out."""
    del plan_id, request_id
    return {"status": "ok"}


@server.tool()
def submit_step_result(
    step_id: str, lease: str, result: dict[str, int], result_summary: str, request_id: str
) -> Told:
    """Take nothing in."""
    del step_id, lease, result, result_summary, request_id
    return {"status": "ok"}


async def serve(bound: socket.socket) -> None:
    """Serve on an open port until we are killed."""
    config = uvicorn.Config(
        server.streamable_http_app(json_response=True, stateless_http=True),
        log_config=None, access_log=False, server_header=False, lifespan="on",
    )  # fmt: skip
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
