"""Real clients of the SDK: in this process on a stage, and beside a server in one of its own."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final, cast

import httpx2
from mcp.client.client import Client
from mcp.client.extension import advertise
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp_types import CallToolResult

from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.listen import Listening
from interlock.doors.mcp.server import make_server
from interlock.doors.mcp.tools import toolset
from interlock.doors.noting import CallLog
from interlock.service.engine import Principal
from tests.forking import PIPE, Process
from tests.porter import stand_in
from tests.stage import ADA, Stage

ERAS: Final = ("legacy", "2026-07-28")
"""The handshake, and the revision without one."""

CARDS: Final = (advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]}),)
"""What a client says that shows cards."""

Document = dict[str, Any]


def desk(
    stage: Stage, by: Principal = ADA, name: str = "all", calls: CallLog | None = None
) -> Desk:
    """Return the desk of a door on a stage, where one principal calls."""
    return Desk(stage.engine, toolset(name), caller=by, calls=calls)


@asynccontextmanager
async def on(  # noqa: PLR0913 (what a client may be like)
    stage: Stage,
    by: Principal = ADA,
    name: str = "all",
    *,
    mode: str = ERAS[1],
    calls: CallLog | None = None,
    elicitation: ElicitationFnT | None = None,
    cards: bool = False,
) -> AsyncIterator[Client]:
    """Connect a client to a door on a stage; it may show cards."""
    server = make_server(desk(stage, by, name, calls), Listening())
    async with Client(
        server, mode=mode, elicitation_callback=elicitation, extensions=CARDS if cards else None
    ) as client:
        yield client


async def called(client: Client, tool: str, /, **arguments: object) -> Document:
    """Call a tool that must not be refused; return its document."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return document(result)


async def refused(client: Client, tool: str, /, **arguments: object) -> Document:
    """Call a tool that must be refused; return how."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    return document(result)


def document(result: CallToolResult) -> Document:
    """Return what a result tells as structure."""
    return cast("Document", result.structured_content)


def environment() -> dict[str, str]:
    """Return the surroundings of a child: ours, without settings of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}


def command(folder: Path, *words: str) -> list[str]:
    """Return the command line that runs ours on a data folder."""
    return [sys.executable, "-m", "interlock", "--data", str(folder), *words]


def over_stdio(folder: Path, *words: str, mode: str = ERAS[1], cards: bool = False) -> Client:
    """Return a client that starts ``interlock mcp`` itself."""
    program, *rest = stand_in(["--data", str(folder), "mcp", *words])
    given = StdioServerParameters(command=program, args=rest, env=environment())
    return Client(given, mode=mode, extensions=CARDS if cards else None)


@dataclass(slots=True)
class Serving:
    """An ``interlock serve`` in a process of its own."""

    process: Process
    url: str
    said: list[str]
    folder: Path

    @property
    def token(self) -> str:
        """The token that was made for the agents of this machine."""
        return (self.folder / "agent.token").read_text().strip()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rpartition(":")[2])


@contextmanager
def serving(folder: Path, *words: str, port: int = 0) -> Iterator[Serving]:
    """Start a server, and stop it at the end whatever has happened."""
    line = command(folder, "serve", "--port", str(port), *words)
    process = Process(line, environment(), stderr=PIPE)
    assert process.stderr is not None
    stderr = process.stderr
    said = [stderr.readline()]
    url = said[0].rpartition(" ")[2].strip()
    drain = Thread(target=lambda: said.extend(stderr))
    drain.start()
    try:
        assert "serves at" in said[0], said
        yield Serving(process, url, said, folder)
    finally:
        process.kill()
        process.wait()
        drain.join()
        stderr.close()


@asynccontextmanager
async def over_http(
    server: Serving,
    path: str = "/mcp",
    token: str = "",
    mode: str = ERAS[1],
    *,
    cards: bool = False,
) -> AsyncIterator[Client]:
    """Connect a client to a server over HTTP."""
    headers = {"Authorization": f"Bearer {token or server.token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        transport = streamable_http_client(server.url + path, http_client=http)
        async with Client(transport, mode=mode, extensions=CARDS if cards else None) as client:
            yield client
