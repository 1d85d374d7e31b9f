"""``interlock serve``: the server, on this machine unless it is told otherwise."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

from interlock.app import App, open_app
from interlock.cli.files import NotWritable
from interlock.cli.local import settings
from interlock.cli.screen import err
from interlock.config import EVERYWHERE, Settings
from interlock.errors import InterlockError
from interlock.service.access import create_token, list_tokens

TOKEN_FILE: Final = "agent.token"  # noqa: S105 (a name, not a secret)


class CannotListen(InterlockError):
    """The server cannot listen at this address."""

    code = "CANNOT_LISTEN"
    http = 500


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", help="Where to listen; else INTERLOCK_HOST.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", help="Which port; 0 takes a free one.")
    ] = None,
) -> None:
    """Serve AI clients over HTTP until it is stopped."""
    flags = context.find_root().obj
    if isinstance(flags, dict):
        flags.update(host=host, port=port)
    found = settings(context)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    with listening(found) as bound, asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(run(found, bound))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the event loop: a faster one where there is one."""
    try:
        import uvloop  # noqa: PLC0415 (there is none for Windows)
    except ImportError:
        return None
    return uvloop.new_event_loop


@contextmanager
def listening(found: Settings) -> Iterator[socket.socket]:
    """Open the port; whoever cannot is told why."""
    host = found.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, found.port))
            bound.listen()  # who comes before we are ready waits, and is not turned away
        except OSError as exc:
            message = f"{found.host}:{found.port} cannot be listened on: {exc.strerror}."
            fix = "Stop what listens there, or choose another with --port."
            raise CannotListen(message, fix=fix) from exc
        yield bound


async def run(found: Settings, bound: socket.socket) -> None:
    """Serve on an open port until we are told to stop."""
    from interlock.site import serve as serve_http  # noqa: PLC0415 (see there)

    async with open_app(found, sweeps=True) as app:
        _tell(found, bound.getsockname()[1], await local_token(app))
        await serve_http(app, bound)


async def local_token(app: App) -> Path | None:
    """Make a token for the agents of this machine, once; return where it is kept."""
    path = app.settings.data / TOKEN_FILE
    if path.exists():
        return path
    if await list_tokens(app.engine, app.owner()):
        return None
    secret, _ = await create_token(app.engine, app.owner(), "agents of this machine")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Nobody else may read it, not even for a moment.
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="ascii") as writing:
            writing.write(secret + "\n")
    except OSError as exc:
        message = f"{path} cannot be written: {exc.strerror}."
        raise NotWritable(message, fix="Make the data folder writable.") from exc
    return path


def _tell(found: Settings, port: int, token: Path | None) -> None:
    """Say where we are and how to connect; it goes to standard error, as all of a server's talk."""
    host = "127.0.0.1" if found.host in EVERYWHERE else found.host
    url = f"http://{host}:{port}"
    secret = f"$(cat {token})" if token is not None else "il_..."
    header = f'--header "Authorization: Bearer {secret}"'
    lines = [
        f"interlock serves at {url}",
        "  connect Claude Code:",
        f"  claude mcp add --transport http interlock {url}/mcp {header}",
    ]
    if token is None:
        lines.append("  make a token: interlock token create NAME")
    for line in lines:
        err.print(escape(line), soft_wrap=True)
