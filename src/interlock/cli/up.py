"""``interlock up``: everything on this machine, on one port, for nobody else."""

import os
import sys
from dataclasses import replace
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.markup import escape

from interlock.app import App
from interlock.cli.listening import CannotListen, listening
from interlock.cli.local import settings, with_app
from interlock.cli.notice import running
from interlock.cli.screen import err, out, print_json
from interlock.cli.serve import Ready, login_page, ready, serve_on
from interlock.config import Settings
from interlock.telemetry import logs

LOOPBACK = "127.0.0.1"


def up(
    context: typer.Context,
    port: Annotated[
        int | None, typer.Option("--port", help="Which port; else 7400, or a free one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Run everything on this machine, MCP and REST on one port, until it is stopped."""
    flags = context.find_root().obj
    if isinstance(flags, dict):
        flags.update(port=port)
    found = replace(settings(context), host=LOOPBACK, processes=1)
    logs.set_up(found.log or "text", "warning" if found.log_level == "info" else found.log_level)
    there = running(found.data)
    if there:
        _point(context, there, found, as_json=as_json)
        return

    async def tell(app: App) -> None:
        _tell(await ready(app), await login_page(app), as_json=as_json)

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


def _point(context: typer.Context, url: str, found: Settings, *, as_json: bool) -> None:
    """Say that there is one already, and how to come in."""
    port = urlsplit(url).port or found.port
    page = with_app(
        context, lambda app: login_page(replace(app, settings=replace(found, port=port)))
    )
    if as_json:
        print_json({"url": url, "page": page, "data": str(found.data), "is_new": False})
        return
    out.print(escape(f"interlock is up already at {url}, on {found.data}"))
    out.print(escape(f"  open    {page}"))


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
