"""A session of the demo: the real client of the MCP SDK, over HTTP, under a name of its own.

Loading the SDK takes longer than most commands of the command line do, so only the demo does.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from interlock.cli.demo.serving import WentWrong

REVISION: Final = "2026-07-28"
PATIENCE_S: Final = 30
LOST: Final = (httpx2.TransportError, MCPError)
"""How it shows that there is nobody at the other end any more."""

Document = dict[str, Any]


class Session:
    """One conversation of an agent with the server."""

    def __init__(self, client: Client, name: str) -> None:
        """Speak through a connected client."""
        self.name = name
        self._client = client

    async def call(self, tool: str, /, **arguments: object) -> Document:
        """Call a tool that must not be refused; return the whole answer."""
        answer, is_error = await self._called(tool, arguments)
        if is_error:
            raise WentWrong(f"{tool} was refused for {self.name}: {_told(answer)}")
        return answer

    async def refused(self, tool: str, code: str, /, **arguments: object) -> Document:
        """Call a tool that must be refused with a code; return how."""
        answer, is_error = await self._called(tool, arguments)
        if not is_error or answer.get("code") != code:
            raise WentWrong(f"{tool} should have been refused with {code}: {_told(answer)}")
        return answer

    async def _called(self, tool: str, arguments: Mapping[str, object]) -> tuple[Document, bool]:
        given = {**arguments, "session_id": self.name}
        result = await self._client.call_tool(tool, given)
        return result.structured_content or {}, bool(result.is_error)


def _told(answer: Document) -> str:
    return json.dumps(answer, ensure_ascii=False)[:500]


@asynccontextmanager
async def connected(url: str, token: str, name: str, toolset: str = "") -> AsyncIterator[Session]:
    """Connect a client to a server for as long as the session lasts."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http:
        path = f"/mcp/{toolset}" if toolset else "/mcp"
        transport = streamable_http_client(f"{url}{path}", http_client=http)
        async with Client(transport, mode=REVISION) as client:
            yield Session(client, name)
