"""``interlock up``: everything on this machine, on one port, for nobody else; opens the page."""

import os
import sys
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.markup import escape

from interlock.app import App
from interlock.cli.browser import is_wanted, open_page
from interlock.cli.listening import CannotListen, listening
from interlock.cli.local import settings, with_app
from interlock.cli.notice import running
from interlock.cli.screen import err, out, print_json
from interlock.cli.serve import Ready, login_page, ready, serve_on
from interlock.config import Settings
from interlock.telemetry import logs

LOOPBACK = "127.0.0.1"
BROWSER_S: Final = 3.0
"""How long a browser has to begin where we are about to end."""


def up(
    context: typer.Context,
    port: Annotated[
        int | None, typer.Option("--port", help="Which port; else 7400, or a free one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    choice: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the page; else only before a screen."),
    ] = None,
    has_worker: Annotated[
        bool | None,
        typer.Option("--worker/--no-worker", help="Run tools, too; else INTERLOCK_WORKER, or yes."),
    ] = None,
) -> None:
    """Run everything on this machine, pages, MCP and REST on one port, until it is stopped."""
    flags = context.find_root().obj
    if isinstance(flags, dict):
        flags.update(port=port, worker=has_worker)
    found = _told_to_be_quiet(replace(settings(context), host=LOOPBACK, processes=1))
    logs.set_up(found.log, found.log_level)
    is_opened = is_wanted(is_quiet=as_json, choice=choice)
    there = running(found.data)
    if there:
        page = _point(context, there, found, as_json=as_json)
        if is_opened:
            open_page(page, BROWSER_S)
        return

    async def tell(app: App) -> None:
        page = await login_page(app)
        _tell(await ready(app), page, as_json=as_json)
        if is_opened:
            open_page(page)  # who comes before we serve waits a moment

    is_chosen = port is not None or found.port != Settings(found.data).port
    try:
        with listening(found) as bound:
            serve_on(bound, found, tell)
    except CannotListen as no:
        if is_chosen:
            raise
        err.print(escape(f"{no.message} A free port is taken instead."), soft_wrap=True)
        with listening(replace(found, port=0)) as bound:
            serve_on(bound, found, tell)


def _told_to_be_quiet(found: Settings) -> Settings:
    """Return settings whose log is for a person who only wants to hear what is wrong."""
    level = "warning" if found.log_level == "info" else found.log_level
    return replace(found, log=found.log or "text", log_level=level)


def _point(context: typer.Context, url: str, found: Settings, *, as_json: bool) -> str:
    """Say that there is one already, and how to come in; return that address."""
    page = with_app(context, login_page)
    if as_json:
        print_json({"url": url, "page": page, "data": str(found.data), "is_new": False})
    else:
        out.print(escape(f"interlock is up already at {url}, on {found.data}"))
        out.print(escape(f"  open    {page}"))
    return page


def _tell(served: Ready, page: str, *, as_json: bool) -> None:
    found = served.settings
    token = "" if served.token is None else str(served.token)
    if as_json:
        print_json({
            "url": served.url, "page": page, "mcp": f"{served.url}/mcp",
            "rest": f"{served.url}/v1", "data": str(found.data),
            "database": found.database_shown, "token_file": token, "claude": served.claude,
            "pid": os.getpid(), "is_new": True,
        })  # fmt: skip
        sys.stdout.flush()
        return
    lines = [
        ("", f"interlock is up at {served.url}"),
        ("open", page),
        ("data", found.database_shown),
        ("Claude", served.claude),
        ("token", token or "make one: interlock token create NAME"),
        ("stop", "Ctrl-C"),
    ]
    for name, value in lines:
        out.print(escape(f"  {name:<8}{value}" if name else value))
    sys.stdout.flush()
