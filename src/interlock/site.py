"""What is served to others: the doors on top of the app, over HTTP or over standard input.

Loading this loads the web server and the SDK; whoever only runs a command does without.
"""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from interlock import __version__
from interlock.app import App
from interlock.doors.http import Guard
from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.http import McpHttp
from interlock.doors.mcp.stdio import serve_stdio
from interlock.doors.mcp.tools import DEFAULT, toolset
from interlock.doors.web.door import Web

STOP_S: Final = 5
"""How long a call that is under way has to end once the server was told to stop."""


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that is served over HTTP; ``close`` ends what would never end by itself."""

    asgi: ASGIApp
    close: Callable[[], None]


def desk(app: App, name: str) -> Desk:
    """Return what the MCP door needs to offer a toolset."""
    return Desk(app.engine, toolset(name), app.durability, calls=app.calls)


async def speak(app: App, name: str) -> None:
    """Serve one client over standard input and output."""
    await serve_stdio(desk(app, name), await app.agent())


def site(app: App) -> Site:
    """Put together what is served over HTTP."""
    # Room for what JSON adds around a body that is just small enough.
    door = McpHttp(desk(app, DEFAULT), 2 * app.settings.body_bytes_max)
    pages = Web(app.engine)
    routes = [*door.routes(), Route("/healthz", _health), Route("/version", _version)]
    routes += pages.routes()

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with door.running():
            yield

    asgi = Guard(Starlette(routes=routes, lifespan=running), app.settings.host_names)
    return Site(asgi, door.close)


async def _health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


async def _version(_: Request) -> JSONResponse:
    return JSONResponse({"name": "interlock", "version": __version__})


async def serve(app: App, bound: socket.socket) -> None:
    """Serve over HTTP on an open port until we are told to stop."""
    served = site(app)
    config = uvicorn.Config(
        served.asgi, log_config=None, access_log=False, server_header=False, lifespan="on",
        timeout_graceful_shutdown=STOP_S,
    )  # fmt: skip
    await Server(config, served).serve(sockets=[bound])


class Server(uvicorn.Server):
    """Uvicorn's server, which ends in good order and leaves the rest of the process to us."""

    def __init__(self, config: uvicorn.Config, served: Site) -> None:
        super().__init__(config)
        self._site = served

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when told to; unlike uvicorn, do not send the signal to ourselves again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        yield

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True
        self._site.close()
