"""How the command line reaches the engine: in this process, or on a server that is named.

Most commands only speak to ``Verbs`` and work the same on either. What works on the data folder
itself says so when a server is named.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, TypeVar

import typer
from rich.markup import escape

from interlock.app import App, open_app
from interlock.cli.notice import running
from interlock.cli.screen import print_json, print_lines
from interlock.client import Client
from interlock.commands.verbs import Verbs, find
from interlock.config import Settings, load
from interlock.errors import InterlockError
from interlock.service.index import index_due
from interlock.service.sweep import sweep
from interlock.wire.envelope import Envelope

T = TypeVar("T")

Json = Annotated[bool, typer.Option("--json", help="Print the answer as one JSON document.")]
RequestId = Annotated[
    str | None,
    typer.Option("--request-id", help="Makes the call safe to repeat: one id, one effect."),
]
SessionId = Annotated[str | None, typer.Option("--session", help="Which conversation is calling.")]


class OnlyHere(InterlockError):
    """The command works on the data folder itself, and a server is named."""

    code = "ONLY_HERE"
    http = 400


def settings(context: typer.Context) -> Settings:
    """Return the settings, with the flags that stand before the command."""
    flags = context.find_root().obj
    return load(flags if isinstance(flags, dict) else {}, os.environ)


def reached(found: Settings) -> Settings:
    """Return settings whose links lead to the server that runs on this folder, if one does."""
    if found.public_url or found.server:
        return found
    return replace(found, public_url=running(found.data))


def with_app(
    context: typer.Context, work: Callable[[App], Awaitable[T]], *, sees_deleted: bool = False
) -> T:
    """Open the database, do some work, close it again; only where the data lies."""
    found = settings(context)
    if found.server:
        message = f"This works on the data folder itself, and the settings name {found.server}."
        fix = "Run it on the machine of the server, without --server and INTERLOCK_SERVER."
        raise OnlyHere(message, fix=fix)

    async def run() -> T:
        async with open_app(reached(found), sees_deleted=sees_deleted) as app:
            return await work(app)

    return asyncio.run(run())


def with_verbs(context: typer.Context, work: Callable[[Verbs], Awaitable[T]]) -> T:
    """Do some work with the commands, wherever they run."""
    found = settings(context)

    async def run() -> T:
        async with _speaking(found) as verbs:
            return await work(verbs)

    return asyncio.run(run())


def call(context: typer.Context, command: str, arguments: Mapping[str, object]) -> Envelope:
    """Call one command as whoever the settings say we are."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return with_verbs(context, lambda verbs: verbs.call(command, given))


@asynccontextmanager
async def _speaking(found: Settings) -> AsyncIterator[Verbs]:
    """Yield the commands: a server's, where one is named, else those of this process."""
    if found.server:
        async with Client(found.server, found.token) as client:
            yield client
    else:
        async with open_app(reached(found)) as app:
            yield _Alone(app, await app.verbs())


class _Alone:
    """The commands where there may be no other process that does the chores of a server."""

    def __init__(self, app: App, verbs: Verbs) -> None:
        self._app = app
        self._verbs = verbs

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Do what a command needs to have been done, then call it."""
        if find(command).event == "claim":
            await sweep(self._app.engine)  # overdue leases lapse
        if command == "search_sources":
            await index_due(self._app.engine)  # what was stored last is found
        return await self._verbs.call(command, arguments)


def show(envelope: Envelope, lines: list[str], *, as_json: bool) -> None:
    """Print an answer: as lines for people, or as the one document it is."""
    if as_json:
        print_json(envelope.model_dump(mode="json", exclude_none=True))
        return
    print_lines(lines)
    print_lines(f"[yellow]warning[/yellow] {plain(warning)}" for warning in envelope.warnings)
    if envelope.durability:
        print_lines(["[yellow]durability: degraded[/yellow]  acknowledged work may be lost"])
    if envelope.next_action:
        print_lines([f"[dim]next[/dim]  {plain(envelope.next_action)}"])


def plain(value: object) -> str:
    """Return a value as text that a terminal only shows: no markup, no control characters."""
    shown = "".join(one if one.isprintable() or one == "\n" else "�" for one in str(value))
    return escape(shown)
