"""``interlock serve``: the server, on this machine unless it is told otherwise.

What it shares with ``interlock up`` is here: an open port becomes a server, in one process or in
several.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.markup import escape

from interlock.app import App, open_app
from interlock.cli.beside import Beside, worker_token
from interlock.cli.files import write_secret
from interlock.cli.listening import listening
from interlock.cli.local import settings
from interlock.cli.notice import noticed
from interlock.cli.processes import Parent
from interlock.cli.screen import err
from interlock.clock import SystemClock
from interlock.config import EVERYWHERE, Settings
from interlock.service.access import create_token, list_tokens
from interlock.service.errors import InvalidInput
from interlock.service.sessions import make_login
from interlock.telemetry import logs
from interlock.telemetry.traces import tracing

TOKEN_FILE: Final = "agent.token"  # noqa: S105 (a name, not a secret)
PATIENCE_S: Final = 10
"""How long processes have to be gone, beyond what each of them takes for itself."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A server that is about to serve, for whoever tells about it."""

    settings: Settings
    url: str
    token: Path | None

    @property
    def claude(self) -> str:
        """The line that makes it known to Claude Code."""
        secret = f"$(cat {self.token})" if self.token is not None else "il_..."
        header = f'--header "Authorization: Bearer {secret}"'
        return f"claude mcp add --transport http interlock {self.url}/mcp {header}"


Tell = Callable[[App], Awaitable[None]]


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", help="Where to listen; else INTERLOCK_HOST.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", help="Which port; 0 takes a free one.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option("--processes", help="How many processes share the port.")
    ] = None,
    has_worker: Annotated[
        bool, typer.Option("--worker", help="Run tools here, too, in a worker beside the server.")
    ] = False,
) -> None:
    """Serve AI clients and programs over HTTP until it is stopped."""
    flags = context.find_root().obj
    if isinstance(flags, dict):
        flags.update(host=host, port=port, processes=processes)
    found = settings(context)
    if has_worker and found.processes > 1:
        message = "Several processes have no worker beside them."
        raise InvalidInput(message, fix="Run it by itself: interlock worker --tools.")
    logs.set_up(found.log, found.log_level)
    with listening(found) as bound:
        serve_on(bound, replace(found, worker=has_worker), _tell)


def serve_on(bound: socket.socket, found: Settings, tell: Tell) -> None:
    """Serve on an open port until we are told to stop; ``tell`` says where, once.

    Where the settings say so, a worker runs beside it.
    """
    known = replace(found, port=bound.getsockname()[1])
    instance = SystemClock().new_id("server")
    with noticed(known.data, url_of(known), instance):
        if known.processes > 1:
            _serve_together(bound, known, instance, tell)
        else:
            _work(lambda: _serve(known, bound, {"instance": instance}, tell), known)


def _serve_together(bound: socket.socket, found: Settings, instance: str, tell: Tell) -> None:
    """Serve in several processes, after doing once what all of them would do at the same time."""
    from interlock.site import STOP_S  # noqa: PLC0415 (see there)

    async def prepare() -> None:
        async with open_app(found) as app:
            await tell(app)

    asyncio.run(prepare())
    with tempfile.TemporaryDirectory(prefix="interlock-") as folder:

        def work(number: int, lifeline: int) -> None:
            place = {"instance": instance, "shared": Path(folder), "name": str(number)}
            _work(lambda: _serve(found, bound, {**place, "lifeline": lifeline}), found)

        Parent(found.processes, work, found.drain_s + STOP_S + PATIENCE_S, bound.close).run()


def _work(serving: Callable[[], Coroutine[None, None, None]], found: Settings) -> None:
    with tracing(found, os.environ), asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serving())


async def _serve(
    found: Settings, bound: socket.socket, place: Mapping[str, Any], tell: Tell | None = None
) -> None:
    from interlock.site import Place  # noqa: PLC0415 (see there)
    from interlock.site import serve as serve_http  # noqa: PLC0415 (same)

    async with open_app(found, sweeps=True, serves=True) as app:
        said = None if tell is None else partial(tell, app)
        if tell is None or not found.worker:
            await serve_http(app, bound, Place(**place, tell=said))
            return
        beside = Beside(found, url_of(found), await worker_token(app))
        # Who comes before we serve waits a moment, as the port is open.
        running = asyncio.create_task(beside.run())
        try:
            await serve_http(app, bound, Place(**place, guest=beside.leave, tell=said))
        finally:
            await beside.end()
            await running


async def ready(app: App) -> Ready:
    """Return what there is to tell of a server."""
    return Ready(app.settings, url_of(app.settings), await local_token(app))


async def login_page(app: App) -> str:
    """Return the address at which the owner of this machine comes in, once."""
    secret, _ = await make_login(app.engine, app.owner())
    return f"{app.settings.site}/login/{secret}"


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the event loop: a faster one where there is one."""
    try:
        import uvloop  # noqa: PLC0415 (there is none for Windows)
    except ImportError:
        return None
    return uvloop.new_event_loop


def url_of(found: Settings) -> str:
    """Return where a server with these settings is reached on this machine."""
    host = "127.0.0.1" if found.host in EVERYWHERE else found.host
    return f"http://{host}:{found.port}"


async def local_token(app: App) -> Path | None:
    """Make a token for the agents of this machine, once; return where it is kept."""
    path = app.settings.data / TOKEN_FILE
    if path.exists():
        return path
    if await list_tokens(app.engine, app.owner()):
        return None
    secret, _ = await create_token(app.engine, app.owner(), "agents of this machine")
    write_secret(path, secret)
    return path


async def _tell(app: App) -> None:
    """Say where we are and how to connect; it goes to standard error, as all of a server's talk."""
    served = await ready(app)
    lines = [
        f"interlock serves at {served.url}",
        "  connect Claude Code:",
        f"  {served.claude}",
    ]
    if served.token is None:
        lines.append("  make a token: interlock token create NAME")
    for line in lines:
        err.print(escape(line), soft_wrap=True)
