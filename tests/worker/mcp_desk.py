"""A real MCP server for missions: run as a program it speaks over stdio, or over HTTP on a port.

Its tools leave a line in a book each time they run, with the process that has run them.
"""

import os
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

NAP_S = 0.02
server = MCPServer("desk", log_level="ERROR")


@server.tool()
def total(rows: list[float], book: str) -> float:
    """Add numbers up."""
    _note(book)
    return sum(rows)


@server.tool()
def stamp(value: float, book: str, until: str) -> float:
    """Wait for a file, then return the value and one more."""
    _note(book)
    while not Path(until).exists():
        time.sleep(NAP_S)
    return value + 1


@server.tool()
def limited(value: float, book: str, fails: int) -> CallToolResult:
    """Say so many times that it is asked too often."""
    if _note(book) <= fails:
        meta = {"interlock/failure": "transient"}
        text = TextContent(type="text", text="429 Too Many Requests")
        return CallToolResult(content=[text], is_error=True, _meta=meta)
    return CallToolResult(content=[TextContent(type="text", text=f"it is {value:g}")])


def _note(book: str) -> int:
    """Write down that a tool runs; return how often one has."""
    with Path(book).open("a") as lines:
        lines.write(f"{os.getpid()}\n")
    return len(Path(book).read_text().split())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
