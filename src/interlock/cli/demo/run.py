"""Run the demo: play each workflow, then check all three."""

import time

import typer

from interlock.cli.demo import mission, plan, ticket
from interlock.cli.demo.stage import Stage
from interlock.cli.screen import out, progress
from interlock.kernel.check.report import Report, check
from interlock.workflows.built_in import BUILT_IN

PLAYS = {"plan": plan.play, "mission": mission.play, "ticket": ticket.play}
BOUNDS = {"plan": 3, "mission": 1, "ticket": 1}
"""Small enough that the demo ends within a minute or two; the tests go further."""


def demo() -> None:
    """Play a plan, a mission and a ticket from start to end in memory, then prove all three."""
    begun = time.monotonic()
    ends = {name: _play(name) for name in PLAYS}
    out.print("\n[bold]checks[/bold]")
    reports = {name: _check(name) for name in PLAYS}
    out.print()
    for name, stage in ends.items():
        mark = "✓" if stage.now.unit.status == _success(name) else "✕"
        out.print(f"{name:<8} {stage.now.unit.status:<10} {mark}  {stage.close()}")
    sound = not any(one.findings for one in reports.values())
    took = time.monotonic() - begun
    out.print(
        f"{'all three are sound within their bounds' if sound else 'FINDINGS'}; took {took:.0f} s"
    )
    ended = all(stage.now.unit.status == _success(name) for name, stage in ends.items())
    raise typer.Exit(0 if sound and ended else 1)


def _play(name: str) -> Stage:
    out.print(f"\n[bold]{name}[/bold]  {BUILT_IN[name].flow.doc}")
    return PLAYS[name]()


def _check(name: str) -> Report:
    begun = time.monotonic()
    with progress(f"checking {name}") as tell:
        found = check(BUILT_IN[name].scope(BOUNDS[name]), tell).timed(time.monotonic() - begun)
    took = time.monotonic() - begun
    out.print(
        f"  {name:<8} {BUILT_IN[name].bound} up to {BOUNDS[name]}: {found.states:>7,} states, "
        f"{found.moves:>9,} moves, {len(found.findings)} findings, {took:.1f} s"
    )
    return found


def _success(name: str) -> str:
    return next(s.name for s in BUILT_IN[name].flow.unit.statuses if s.is_success)
