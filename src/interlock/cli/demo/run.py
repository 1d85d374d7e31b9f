"""Run the demo: three plays on a real database, killed once in the middle, then the proofs.

The plays run in a process of their own. It is killed from outside with SIGKILL while it works,
started again, and goes on where it was: that nothing was lost is verified at the end.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

from interlock.app import LOCAL, App, open_app
from interlock.cli.demo import mission, plan, ticket
from interlock.cli.demo.stage import Run
from interlock.cli.local import settings
from interlock.cli.screen import out, print_text, progress
from interlock.clock import SystemClock
from interlock.config import Settings, load
from interlock.kernel.check.report import Report, check
from interlock.service.verify import verify
from interlock.workflows.built_in import BUILT_IN

PLAYS: Final = {"plan": plan.play, "mission": mission.play, "ticket": ticket.play}
KILLED_AFTER: Final = 90
"""Lines told before the first process is killed: somewhere in the mission."""


def demo(context: typer.Context) -> None:
    """Play a plan, a mission and a ticket on a SQLite file, kill it, resume, and prove it all.

    Every move is printed with its cause: the event itself, a lift or a cascade. Without --data
    the database is made in a new temporary folder and stays there to be looked at.
    """
    begun = time.monotonic()
    given = context.find_root().obj
    data = given.get("data") if isinstance(given, dict) else None
    folder = Path(data) if data else Path(tempfile.mkdtemp(prefix="interlock-demo-"))
    name = SystemClock().new_id("demo")
    print_text(f"The database is {folder / 'interlock.db'}")
    is_played = _play_twice(folder, name)
    out.print("\n[bold]checks[/bold]  everything that could have happened, within bounds")
    reports = [_check(one) for one in PLAYS]
    is_sound = not any(report.findings for report in reports)
    out.print("\n[bold]audit verify[/bold]  everything that did happen")
    is_proved = asyncio.run(_verified(load({"data": str(folder)}, os.environ)))
    took = time.monotonic() - begun
    is_well = is_played and is_sound and is_proved
    print_text(f"\n{'✓' if is_well else '✕'} all of it took {took:.0f} s")
    print_text(f"  look around: interlock --data {folder} list")
    raise typer.Exit(0 if is_well else 1)


def _play_twice(folder: Path, name: str) -> bool:
    """Play, kill in the middle, play again; say whether both went as they should."""
    command = [sys.executable, "-m", "interlock", "--data", str(folder), "demo-plays", name]
    code = _told(command, kill_after=KILLED_AFTER)
    if code != -signal.SIGKILL:
        print_text(f"  the plays ended by themselves, with {code}, before they could be killed")
        return False
    out.print("\n[bold red]killed[/bold red]  SIGKILL from outside; the same plays, started again:")
    return _told(command) == 0


def _told(command: list[str], kill_after: int = 0) -> int:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(  # noqa: S603  our own command
        command, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        for number, line in enumerate(process.stdout or (), 1):
            out.print(escape(line.rstrip("\n")))
            if number == kill_after:
                process.kill()
                break
        return process.wait()


def plays(
    context: typer.Context, name: Annotated[str, typer.Argument(help="Names this performance.")]
) -> None:
    """Play the three plays; played again under the same name, they go on where they were."""
    with asyncio.Runner() as runner:
        runner.run(_nothing())  # makes the loop that everything below runs in
        opened = open_app(settings(context))
        app: App = runner.run(opened.__aenter__())
        try:
            _play_all(app, runner, name)
        finally:
            runner.run(opened.__aexit__(None, None, None))


async def _nothing() -> None:
    """Do nothing."""


def _play_all(app: App, runner: asyncio.Runner, name: str) -> None:
    def run(work: Coroutine[None, None, object]) -> object:
        return runner.run(work)

    for title, play in PLAYS.items():
        out.print(f"\n[bold]{title}[/bold]")
        print_text(f"  {BUILT_IN[title].flow.doc}")
        told: Run[object] = run
        stage = play(app.engine, told, f"{name}-{title}")
        is_good = BUILT_IN[title].flow.unit.status(stage.status).is_success
        print_text(f"  {'✓' if is_good else '✕'} {stage.status}: {escape(stage.close())}")


def _check(name: str) -> Report:
    built, begun = BUILT_IN[name], time.monotonic()
    with progress(f"checking {name}") as tell:
        found = check(built.scope(built.usual), tell)
    took = time.monotonic() - begun
    bound = f"up to {built.usual} {built.bound}"
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
