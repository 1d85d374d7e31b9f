"""How the command line reaches the engine: settings from flags and environment, then one call."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, TypeVar

import typer
from rich.markup import escape

from interlock.app import App, open_app
from interlock.cli.screen import print_json, print_lines
from interlock.commands.verbs import find
from interlock.config import Settings, load
from interlock.service.sweep import sweep
from interlock.wire.envelope import Envelope

T = TypeVar("T")

Json = Annotated[bool, typer.Option("--json", help="Print the answer as one JSON document.")]
RequestId = Annotated[
    str | None,
    typer.Option("--request-id", help="Makes the call safe to repeat: one id, one effect."),
]
SessionId = Annotated[str | None, typer.Option("--session", help="Which conversation is calling.")]


def settings(context: typer.Context) -> Settings:
    """Return the settings, with the flags that stand before the command."""
    flags = context.find_root().obj
    return load(flags if isinstance(flags, dict) else {}, os.environ)


def with_app(context: typer.Context, work: Callable[[App], Awaitable[T]]) -> T:
    """Open the database, do some work, close it again."""

    async def run() -> T:
        async with open_app(settings(context)) as app:
            return await work(app)

    return asyncio.run(run())


def call(context: typer.Context, command: str, arguments: Mapping[str, object]) -> Envelope:
    """Call one command as whoever the settings say we are."""
    given = {name: value for name, value in arguments.items() if value is not None}

    async def work(app: App) -> Envelope:
        verbs = await app.verbs()
        if find(command).event == "claim":
            # There may be no other process that lets overdue leases lapse.
            await sweep(app.engine)
        return await verbs.call(command, given)

    return with_app(context, work)


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
