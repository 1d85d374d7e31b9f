"""Run the demo: a plan and a mission worked over MCP, a ticket built by a worker, then the proofs.

Plan and mission are worked by clients of the real SDK against servers that are killed in between;
the tools of the mission and the beads of the ticket are run by real workers, which are killed, too.
That nothing was lost is verified at the end.
"""

import asyncio
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Final

import typer

from interlock.app import LOCAL, open_app
from interlock.cli.screen import out, print_text, progress
from interlock.config import Settings, load
from interlock.kernel.check.report import Report, check
from interlock.service.verify import verify
from interlock.workflows.built_in import BUILT_IN

NAME: Final = "interlock"
WORKED: Final = {
    "plan": "two agents over MCP, a person, and a server that dies",
    "mission": "agents over MCP, a person at the gates, real tools on a month of orders",
    "ticket": "an agent that codes, tests that are run for it, a request, and one merge",
}
"""What is worked against a server, and what there is to see."""

BOUNDS: Final = {"plan": 2, "mission": 1, "ticket": 2}
"""What is checked here, in seconds; `interlock workflow check` goes further."""


def demo(context: typer.Context) -> None:
    """Work a plan and a mission over MCP, build a ticket; kill, resume, and prove it all.

    Without --data the database is made in a new temporary folder and stays there to be looked at.
    Nothing leaves this machine.
    """
    begun = time.monotonic()
    given = context.find_root().obj
    data = given.get("data") if isinstance(given, dict) else None
    folder = Path(data) if data else Path(tempfile.mkdtemp(prefix="interlock-demo-"))
    print_text(f"The database is {folder / 'interlock.db'}")
    plan, mission, ticket = (_work(folder, title) for title in WORKED)
    out.print("\n[bold]checks[/bold]  everything that could have happened, within bounds")
    reports = [_check(one) for one in BOUNDS]
    is_sound = not any(report.findings for report in reports)
    out.print("\n[bold]audit verify[/bold]  everything that did happen")
    is_proved = asyncio.run(_verified(load({"data": str(folder)}, {})))
    is_well = bool(plan and mission and ticket) and is_sound and is_proved
    took = time.monotonic() - begun
    print_text(f"\n{'✓' if is_well else '✕'} all of it took {took:.0f} s")
    if plan and mission and ticket:
        _tell_where(folder, plan, mission, ticket)
    raise typer.Exit(0 if is_well else 1)


def _tell_where(folder: Path, plan: str, mission: str, ticket: str) -> None:
    command = f"{_program()} --data {shlex.quote(str(folder))}"
    out.print("\n[bold]look around[/bold]")
    for words, what in (
        (f"plan show {plan}", "how the plan stands"),
        (f"plan context {plan}", "everything a new session needs"),
        (f"mission context {mission}", "the same of the mission, and what it came to"),
        (f"audit export --unit {mission}", "what happened, as it is hashed"),
        (f"ticket status {ticket}", "how the ticket ended"),
    ):
        print_text(f"  {command} {words:<42} {what}")
    # The last line, by itself, to be copied as it is.
    print_text(f"\nlook at all of it in a browser, and connect your own client:\n\n  {command} up")


def _program() -> str:
    """Return what to type to be understood where the demo was started."""
    called = sys.argv[0]
    is_known = shutil.which(NAME) is not None or Path(called).name != NAME
    return NAME if is_known else shlex.quote(called)


def _work(folder: Path, title: str) -> str:
    """Work a unit; return its id, or nothing if something went wrong."""
    out.print(f"\n[bold]{title}[/bold]  {WORKED[title]}")
    try:
        return asyncio.run(_play_of(title)(folder))
    except Exception as error:  # noqa: BLE001 (whatever it is, it is told and the exit code is 1)
        print_text("\n".join(f"  ✕ {line}" for line in _wrong(error)))
        return ""


def _play_of(title: str) -> Callable[[Path], Coroutine[None, None, str]]:
    """Load what takes the MCP SDK only when it is wanted (see ``session``)."""
    from interlock.cli.demo import mission, plan, ticket  # noqa: PLC0415 (as said)

    return {"plan": plan.play, "mission": mission.play, "ticket": ticket.play}[title]


def _wrong(error: BaseException) -> list[str]:
    """Return what went wrong, one line for each error of a group."""
    if isinstance(error, BaseExceptionGroup):
        return [line for one in error.exceptions for line in _wrong(one)]
    return [f"{type(error).__name__}: {error}"]


def _check(name: str) -> Report:
    built, begun, most = BUILT_IN[name], time.monotonic(), BOUNDS[name]
    with progress(f"checking {name}") as tell:
        found = check(built.scope(most), tell)
    took = time.monotonic() - begun
    bound = f"up to {most} {built.bound}"
    print_text(
        f"  {name:<8} {bound:<13} {found.states:>7,} states {found.moves:>9,} moves "
        f"{len(found.findings)} findings {took:>5.1f} s"
    )
    return found


async def _verified(found: Settings) -> bool:
    async with open_app(found) as app:
        verdict = await verify(app.engine, LOCAL)
    for finding in verdict.findings:
        print_text(f"  ✕ {finding}")
    held = "every hash, edge, state, tally and pair holds"
    if not verdict.findings:
        print_text(f"  {verdict.units} units, {verdict.entries} entries: {held}")
    return bool(verdict.units) and not verdict.findings
