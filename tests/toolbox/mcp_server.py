"""A real MCP server for tests: run as a program it speaks over stdio, or over HTTP on a port."""

import os
import signal
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

server = MCPServer("sums", log_level="ERROR")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool(structured_output=False)
def greet(name: str) -> str:
    """Say hello, in words only."""
    return f"Hello {name}."


@server.tool()
def divide(a: int, b: int) -> float:
    """Divide, and say nothing useful where that cannot be done."""
    return a / b


@server.tool()
def busy() -> CallToolResult:
    """Say that it is too busy, and of which class that is."""
    meta = {"interlock/failure": "transient"}
    text = TextContent(type="text", text="too busy")
    return CallToolResult(content=[text], is_error=True, _meta=meta)


@server.tool()
def wait(file: str) -> str:
    """Say which process this is, and wait until somebody ends it."""
    Path(file).write_text(f"{os.getpid()}\n")
    time.sleep(600)
    return ""


@server.tool()
def die() -> str:
    """Die during the call."""
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
