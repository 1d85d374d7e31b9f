"""What is served to others: the doors on top of the app, over HTTP. One client alone: ``talk``.

Loading this loads the web server and the SDK; whoever only runs a command does without.
"""

import asyncio
import gc
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from interlock.app import LOCAL, App
from interlock.doors.forge import ForgeHttp
from interlock.doors.health import Health
from interlock.doors.http import Doors, Guard
from interlock.doors.mcp.http import PATH as MCP_PATH
from interlock.doors.mcp.http import McpHttp
from interlock.doors.mcp.tools import DEFAULT
from interlock.doors.proxies import Proxies
from interlock.doors.requests import Requests
from interlock.doors.rest.door import RestHttp
from interlock.doors.rest.places import PREFIX as REST_PATH
from interlock.doors.web.door import Web
from interlock.service.meter import Meter
from interlock.store.migrate import own_migrations
from interlock.talk import desk
from interlock.telemetry.metrics import SHARE_EVERY_S, Figures

STOP_S: Final = 5
"""How long a call that is under way has to end once the server was told to stop."""

GARBAGE: Final = 20_000
"""How many new objects there are before garbage is looked for: those of a few calls."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a process among those that serve together."""

    # By what others of this machine recognise them.
    instance: str = ""
    # Where they tell each other their figures, and as whom.
    shared: Path | None = None
    name: str = "0"
    # What can be read to its end once whoever started us is gone.
    lifeline: int | None = None
    # Has whoever works for us on this machine leave: they go first, while we still answer.
    guest: Callable[[], Awaitable[None]] | None = None
    # Says that we serve; only then, for who reads it may have us stop at once.
    tell: Callable[[], Awaitable[None]] | None = None


ALONE: Final = Place()


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that is served over HTTP.

    ``drain`` says that it is about to stop; ``close`` ends what would never end by itself.
    """

    asgi: ASGIApp
    close: Callable[[], None]
    drain: Callable[[], None]


def site(app: App, place: Place = ALONE) -> Site:
    """Put together what is served over HTTP."""
    # Room for what JSON adds around a body that is just small enough.
    bytes_max = 2 * app.settings.body_bytes_max
    mcp = McpHttp(desk(app, DEFAULT), bytes_max)
    rest = RestHttp(app.engine, bytes_max, lambda: app.durability, app.calls)
    pages = Web(app.engine)
    figures = Figures(
        app.engine, app.engine.meter or Meter(), app.calls,
        lambda: sum(rest.streams.open.values()), place.shared, place.name,
    )  # fmt: skip
    schema = len(own_migrations("postgres" if app.settings.database else "sqlite"))
    health = Health(
        app.engine, schema, LOCAL, figures.text, app.settings.metrics_token, place.instance
    )
    forge = ForgeHttp(app.engine)
    routes = [*forge.routes(), *health.routes(), *pages.routes()]

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with mcp.running(), _sharing(figures):
            yield

    def close() -> None:
        rest.close()
        mcp.close()

    def drain() -> None:
        health.is_draining = True

    none = dict.fromkeys((404, 405), pages.nowhere)
    behind = Starlette(routes=routes, lifespan=running, exception_handlers=none)
    doors = Doors({MCP_PATH: mcp, REST_PATH: rest}, behind)
    asgi: ASGIApp = Requests(Guard(doors, app.settings.host_names), app.clock, app.engine.tracer)
    if app.settings.proxies:
        asgi = Proxies(asgi, app.settings.proxies)
    return Site(asgi, close, drain)


@asynccontextmanager
async def _sharing(figures: Figures) -> AsyncIterator[None]:
    """Tell the processes that share our port what we have counted, again and again."""
    if figures.shared is None:
        yield
        return

    async def work() -> None:
        while True:
            figures.share()
            await asyncio.sleep(SHARE_EVERY_S)

    task = asyncio.create_task(work())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        figures.share()


async def serve(app: App, bound: socket.socket, place: Place = ALONE) -> None:
    """Serve over HTTP on an open port until we are told to stop."""
    served = site(app, place)
    _settle_memory()
    config = uvicorn.Config(
        served.asgi, log_config=None, access_log=False, server_header=False, lifespan="on",
        timeout_graceful_shutdown=STOP_S,
        proxy_headers=False,  # whom to believe is said by a setting of ours
    )  # fmt: skip
    await Server(config, served, app.settings.drain_s, place).serve(sockets=[bound])


def _settle_memory() -> None:
    """Leave what was loaded to start with out of every later search for garbage.

    It lives as long as the process does; looking through it cost a tenth of the time of a call.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])


class Server(uvicorn.Server):
    """Uvicorn's server, which ends in good order and leaves the rest of the process to us."""

    def __init__(
        self, config: uvicorn.Config, served: Site, drain_s: float = 0, place: Place = ALONE
    ) -> None:
        super().__init__(config)
        self._site = served
        self._drain_s = drain_s
        self._lifeline = place.lifeline
        self._guest = place.guest
        self._tell = place.tell
        self._ending: asyncio.Task[None] | None = None
        self._is_told = False

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when told to; unlike uvicorn, do not send the signal to ourselves again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        if self._lifeline is not None:
            loop.add_reader(self._lifeline, self._let_go, self._lifeline)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say so: by now whoever tells us to stop is heard."""
        await super().startup(sockets)
        if self._tell is not None and self.started:
            await self._tell()

    def _let_go(self, lifeline: int) -> None:
        """Stop because whoever started us is gone: nothing is ever written to the line."""
        asyncio.get_running_loop().remove_reader(lifeline)
        self._stop()

    def _stop(self) -> None:
        """Begin to stop; the second time, be gone at once."""
        self._site.drain()
        if self._is_told or not (self._drain_s or self._guest):
            self.force_exit = self._is_told
            self._end()
        else:
            self._ending = asyncio.create_task(self._end_later())
        self._is_told = True

    async def _end_later(self) -> None:
        """End when others have noticed that we are about to, and our guest has left."""
        waiting = [asyncio.create_task(asyncio.sleep(self._drain_s))]
        if self._guest is not None:
            waiting.append(asyncio.ensure_future(self._guest()))
        await asyncio.gather(*waiting)
        self._end()

    def _end(self) -> None:
        self.should_exit = True
        self._site.close()
