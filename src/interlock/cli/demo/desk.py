"""Where the demo works: a server, a person at the same file, and agents that connect to it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from interlock.app import App, open_app
from interlock.cli.demo.serving import ALONE, Program, Server, WentWrong, settings
from interlock.cli.demo.session import Session, connected
from interlock.config import load
from interlock.service.access import create_token

ANN: Final = "ann"
P = TypeVar("P", bound=Program)


@dataclass(slots=True)
class Desk:
    """The server, the person's way to its file, and the token of the agents."""

    server: Server
    app: App
    token: str
    toolset: str = ""

    def session(self, name: str) -> AbstractAsyncContextManager[Session]:
        """Connect a session to the server."""
        return connected(self.server.url, self.token, name, self.toolset)

    async def person(self, command: str, **arguments: object) -> Mapping[str, Any]:
        """Let the person call a command, in this process and on the same file."""
        return (await (await self.app.verbs()).call(command, arguments)).data


@asynccontextmanager
async def at_desk(
    folder: Path, toolset: str = "", around: Mapping[str, str] = ALONE
) -> AsyncIterator[Desk]:
    """Serve a folder, with some settings, for as long as it is worked on."""
    async with open_app(load({"data": str(folder)}, settings(around))) as app:
        token, _ = await create_token(app.engine, app.owner(), "agents of the demo")
        async with running(Server(folder, around)) as server:
            yield Desk(server, app, token, toolset)


@asynccontextmanager
async def running(program: P) -> AsyncIterator[P]:
    """Run a program; it may ask us something before it has started, so we do not stand still."""
    try:
        await asyncio.to_thread(program.start)
        yield program
    finally:
        program.kill()


def kill(*programs: Program) -> None:
    """Kill programs from outside; raises where one had ended by itself."""
    ends = [program.kill() for program in programs]
    if ends != [-signal.SIGKILL] * len(programs):
        raise WentWrong(f"something ended by itself, with {ends}, before it could be killed")
