"""The command ``interlock``: its top level, and the one place where errors become exit codes.

Exit codes: 0 fine, 1 something was found, 2 wrong use or bad input.
"""

import io
import os
import sys
from typing import Annotated, Final

import typer

import interlock
from interlock.cli import (
    audit,
    checkup,
    db,
    delete,
    doctor,
    explain,
    expression,
    inbox,
    logs,
    mcp,
    mission,
    plan,
    project,
    serve,
    tenant,
    ticket,
    token,
    tools,
    up,
    user,
    webhook,
    workflow,
    workspace,
)
from interlock.cli.demo import run as demo
from interlock.cli.files import NotWritable
from interlock.cli.screen import out, print_error
from interlock.errors import InterlockError

STANDARD_OUTPUT: Final = 1

app = typer.Typer(
    name="interlock",
    help="Keeps the place of long AI-agent work: interlocked state machines that can be proved.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.add_typer(plan.app, name="plan")
app.add_typer(mission.app, name="mission")
app.add_typer(project.app, name="project")
app.add_typer(ticket.app, name="ticket")
app.command("logs")(logs.logs)
app.command("inbox")(inbox.inbox)
app.command("decide")(inbox.decide)
app.command("approve")(inbox.approve)
app.command("list")(explain.list_units)
app.command("explain")(explain.explain)
app.command("delete")(delete.delete)
app.command("up")(up.up)
app.command("serve")(serve.serve)
app.add_typer(checkup.app, name="worker")
app.add_typer(workspace.app, name="workspace")
app.add_typer(mcp.app, name="mcp")
app.add_typer(audit.app, name="audit")
app.add_typer(webhook.app, name="webhook")
app.command("link")(webhook.link)
app.add_typer(token.app, name="token")
app.add_typer(user.app, name="user")
app.add_typer(tenant.app, name="tenant")
app.command("login-link")(user.login_link)
app.add_typer(workflow.app, name="workflow")
app.add_typer(tools.app, name="tools")
app.add_typer(db.app, name="db")
app.command("doctor")(doctor.doctor)
app.command("demo")(demo.demo)
app.command("expression")(expression.expression)


def _version(value: bool) -> None:
    if value:
        out.print(f"interlock {interlock.__version__}")
        raise typer.Exit


@app.callback()
def top(
    context: typer.Context,
    data: Annotated[
        str | None,
        typer.Option("--data", help="The data folder; else INTERLOCK_DATA, else the platform's."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            help="A PostgreSQL address; else INTERLOCK_DATABASE, where a password is not seen.",
        ),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option("--server", help="A server to speak to; else INTERLOCK_SERVER, else none."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="A profile of the settings file; else INTERLOCK_PROFILE."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Hold the options that stand before any command."""
    del version
    context.obj = {"data": data, "database": database, "server": server, "profile": profile}


def run() -> None:
    """Run the command line; what was refused on purpose is told in words, never as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that lacks our signs shows question marks.
            stream.reconfigure(errors="replace")
    try:
        _run()
    except InterlockError as error:
        print_error(error)
        sys.exit(2)
    except OSError as error:
        # Nobody reads the rest of what we print, or there is no room for it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), STANDARD_OUTPUT)
        if not isinstance(error, BrokenPipeError):
            print_error(NotWritable(f"The result cannot be written: {error.strerror}."))
        sys.exit(2)


def _run() -> None:
    try:
        app(prog_name="interlock")
    finally:
        if sys.__stdout__ is not None:  # it is None in a process that was started without one
            sys.__stdout__.flush()
