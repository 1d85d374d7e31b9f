"""``interlock tools``: which tools there are, and try one as a worker would run it."""

import asyncio
import json
from typing import Annotated

import typer

from interlock.app import around_of
from interlock.cli.local import plain, settings
from interlock.cli.screen import print_json, print_lines
from interlock.errors import InterlockError
from interlock.telemetry.logs import set_up
from interlock.toolbox.around import Around
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.child import DEADLINE_S, refresh, run_in_child
from interlock.toolbox.kept import NAME as KEPT
from interlock.toolbox.tool import Described

app = typer.Typer(help="Look at the tools there are, and try one.", no_args_is_help=True)


class InvalidArguments(InterlockError):
    """What a tool shall be run with is no JSON object."""

    code = "INVALID_ARGUMENTS"
    http = 422


@app.command("list")
def list_tools(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the tools: those that come along, those of Python modules, those of MCP servers."""
    found = settings(context)
    around = around_of(found)
    catalog = Catalog(around, found.data / KEPT)
    # All of them: whoever looks wants to see what there is now.
    asyncio.run(refresh(catalog, tuple(server.name for server in around.servers)))
    tools = catalog.describe().values()
    if as_json:
        rows = [{**one._asdict(), "missing": _missing(one, around)} for one in tools]
        print_json({"tools": rows, "problems": catalog.problems})
        return
    print_lines(_line(one, around) for one in tools)
    print_lines(f"[yellow]warning[/yellow] {plain(one)}" for one in catalog.problems)


@app.command("run")
def run_tool(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The tool, as in json_query or server.tool.")],
    arguments: Annotated[
        str, typer.Option("--json", help='Its arguments: one JSON object, as {"value": 1}.')
    ] = "{}",
    deadline_s: Annotated[
        float, typer.Option("--deadline", min=0.1, help="After how many seconds it is ended.")
    ] = DEADLINE_S,
) -> None:
    """Run a tool in a process of its own and print how it ended; exit 1 if it failed."""
    found = settings(context)
    given = _object(arguments)
    set_up(found.log, found.log_level)  # what the tool prints is told on standard error
    running = run_in_child(name, given, around=around_of(found), deadline_s=deadline_s)
    outcome = asyncio.run(running)
    print_json(outcome._asdict())
    raise typer.Exit(1 if outcome.failure else 0)


def _line(one: Described, around: Around) -> str:
    missing = _missing(one, around)
    needs = f"\n  [yellow]not configured: {plain(', '.join(missing))}[/yellow]" if missing else ""
    about = " ".join(one.doc.split())
    return f"[bold]{plain(one.name)}[/bold]  {plain(about)}{needs}"


def _missing(one: Described, around: Around) -> list[str]:
    return sorted(set(one.resources) - around.resources())


def _object(text: str) -> dict[str, object]:
    fix = 'Send one object, as {"value": 1}.'
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise InvalidArguments(f"The arguments are no JSON: {exc}.", fix=fix) from exc
    if not isinstance(found, dict):
        raise InvalidArguments("The arguments are no JSON object.", fix=fix)
    return found
