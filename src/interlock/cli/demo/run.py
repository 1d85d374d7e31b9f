"""Run the demo: play each workflow, then check all three within their usual bounds."""

import time

import typer

from interlock.cli.demo import mission, plan, ticket
from interlock.cli.demo.stage import Stage
from interlock.cli.screen import out, print_text, progress
from interlock.kernel.check.report import Report, check
from interlock.workflows.built_in import BUILT_IN

PLAYS = {"plan": plan.play, "mission": mission.play, "ticket": ticket.play}


def demo() -> None:
    """Play a plan, a mission and a ticket from start to end in memory, then prove all three.

    Every move is printed with its cause: the event itself, a lift or a cascade.
    """
    begun = time.monotonic()
    stages = {name: _play(name) for name in PLAYS}
    out.print("\n[bold]checks[/bold]  everything that could have happened, within bounds")
    reports = [_check(name) for name in PLAYS]
    out.print("\n[bold]summary[/bold]")
    for name, stage in stages.items():
        print_text(f"  {name:<8} {_mark(name, stage)} {stage.now.unit.status:<10} {stage.close()}")
    is_sound = not any(one.findings for one in reports)
    verdict = "all three are sound within these bounds" if is_sound else "there are findings"
    took = time.monotonic() - begun
    print_text(f"  checks   {'✓' if is_sound else '✕'} {verdict}; all of it took {took:.0f} s")
    raise typer.Exit(0 if is_sound and all(map(_has_succeeded, PLAYS, stages.values())) else 1)


def _play(name: str) -> Stage:
    out.print(f"\n[bold]{name}[/bold]")
    print_text(f"  {BUILT_IN[name].flow.doc}")
    return PLAYS[name]()


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


def _mark(name: str, stage: Stage) -> str:
    return "✓" if _has_succeeded(name, stage) else "✕"


def _has_succeeded(name: str, stage: Stage) -> bool:
    return BUILT_IN[name].flow.unit.status(stage.now.unit.status).is_success
