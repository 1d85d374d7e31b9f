"""The demo's bank: a small MCP server on loopback that knows two rates, and is not at its best.

The first time it is asked for a rate it is busy. The first time it is asked for pounds it does not
answer at all, until whoever asked is gone: that is when the demo pulls the plug.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Annotated, Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from interlock.cli.demo.orders import RATES
from interlock.toolbox.remote import FAILURE
from interlock.toolbox.tool import TRANSIENT, USER_CORRECTABLE

SLOW: Final = "GBP"


class Rate(BaseModel):
    """What one unit of a currency is worth, in ten-thousandths of a euro."""

    rate: int


class Bank:
    """The server, and what it was asked."""

    def __init__(self) -> None:
        """Open the bank; it listens when it is served."""
        self.url = ""
        self.calls: Counter[str] = Counter()
        self.is_stuck = asyncio.Event()

    async def rate(self, currency: str) -> Annotated[CallToolResult, Rate]:
        """Tell what one unit of a currency is worth, in ten-thousandths of a euro."""
        self.calls[currency] += 1
        if self.calls.total() == 1:
            return _refused("Too many are asking, try again.", TRANSIENT)
        if currency == SLOW and self.calls[currency] == 1:
            self.is_stuck.set()
            await asyncio.Event().wait()
        if currency not in RATES:
            return _refused(f"We do not deal in {currency[:20]}.", USER_CORRECTABLE)
        text = TextContent(type="text", text=f"{currency} {RATES[currency]}")
        return CallToolResult(content=[text], structured_content={"rate": RATES[currency]})


def _refused(text: str, failure: str) -> CallToolResult:
    said = TextContent(type="text", text=text)
    return CallToolResult(content=[said], is_error=True, _meta={FAILURE: failure})


class _Counter(uvicorn.Server):
    """A server beside the demo: signals are the demo's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


@asynccontextmanager
async def open_bank() -> AsyncIterator[Bank]:
    """Serve a bank on a free port of loopback, for as long as it is open."""
    bank = Bank()
    served = MCPServer("bank", log_level="CRITICAL")
    served.add_tool(bank.rate, name="rate")
    app = served.streamable_http_app(json_response=True, stateless_http=True)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        bank.url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=0)
        server = _Counter(config)
        async with asyncio.TaskGroup() as group:
            group.create_task(server.serve([listening]))
            try:
                yield bank
            finally:
                server.should_exit = server.force_exit = True
