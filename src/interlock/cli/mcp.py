"""``interlock mcp``: the MCP door over standard input and output, for a client that starts it.

``interlock mcp install`` tells a client to do so.
"""

import asyncio
import os
import signal
from typing import Annotated

import typer

from interlock.app import open_app
from interlock.cli import install
from interlock.cli.local import reached, settings
from interlock.config import Settings
from interlock.service.errors import InvalidInput
from interlock.telemetry import logs
from interlock.telemetry.traces import tracing

app = typer.Typer(invoke_without_command=True, subcommand_metavar="[install]")
app.command("install")(install.install)


@app.callback()
def mcp(
    context: typer.Context,
    toolset: Annotated[
        str, typer.Option("--toolset", help="Which tools to offer; `interlock doctor` lists them.")
    ] = "research",
) -> None:
    """Serve an AI client over standard input and output; it acts as an agent, never as you."""
    if context.invoked_subcommand is not None:
        return
    from interlock.doors.mcp.tools import toolsets  # noqa: PLC0415 (see `talk`)

    found = settings(context)
    if toolset not in toolsets():
        message = f"There is no toolset {toolset[:80]!r}."
        raise InvalidInput(message, fix=f"The toolsets are {', '.join(toolsets())}.")
    # Whoever started us shows what we say there to people, if at all.
    logs.set_up(found.log or "text", "warning" if found.log_level == "info" else found.log_level)
    # A thread waits for input and cannot be woken. What was answered is durable already, so
    # being told to stop may end the process where it stands.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    with tracing(found, os.environ):
        asyncio.run(_serve(found, toolset))


async def _serve(found: Settings, toolset: str) -> None:
    from interlock.talk import speak  # noqa: PLC0415 (see there)

    async with open_app(reached(found), sweeps=True) as app:
        await speak(app, toolset)
