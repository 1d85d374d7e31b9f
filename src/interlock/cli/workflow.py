"""``interlock workflow``: look at a workflow, check it, draw it, export it, explain a snapshot."""

import json
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from interlock.cli.bounds import UnknownPart, bounded, find, from_bounds
from interlock.cli.explained import explained
from interlock.cli.files import read_json, write_text
from interlock.cli.screen import err, print_json, print_lines, print_text, progress
from interlock.cli.show import listed, shown
from interlock.cli.trace import picture_of
from interlock.kernel.check.explore import explore
from interlock.kernel.check.pytest_file import pytest_file
from interlock.kernel.check.report import Report, report
from interlock.kernel.check.walk import Walk
from interlock.kernel.draw.dot import dot
from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.explain import explain as explain_snapshot
from interlock.kernel.export import export as export_workflow
from interlock.kernel.read import read_snapshot
from interlock.kernel.validate import nearest
from interlock.picture import svg
from interlock.workflows.built_in import BUILT_IN

app = typer.Typer(help="Look at workflows, prove them sound, draw them.", no_args_is_help=True)


def _names(start: str) -> list[str]:
    return [name for name in BUILT_IN if name.startswith(start)]


Name = Annotated[
    str, typer.Argument(help="A workflow: plan, mission or ticket.", autocompletion=_names)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, nothing else.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file, not to the terminal.")
]


SHAPE = '{"unit": {"status": "…"}, "parts": [{"id": "…", "kind": "…", "status": "…"}]}'


@app.command("list")
def list_workflows(*, as_json: AsJson = False) -> None:
    """List the workflows that come with Interlock."""
    if as_json:
        rows = [
            {
                "name": name,
                "about": built.flow.doc,
                "kinds": [machine.name for machine in built.flow.machines()],
                "statuses": len(built.flow.unit.statuses),
                "rules": len(built.flow.rules),
            }
            for name, built in BUILT_IN.items()
        ]
        print_json(rows)
        return
    for built in BUILT_IN.values():
        print_lines(listed(built.flow))


@app.command()
def show(name: Name, *, as_json: AsJson = False) -> None:
    """Show a workflow: statuses and edges, events and who may send them, the interlock."""
    flow = find(name).flow
    if as_json:
        print_json(export_workflow(flow))
        return
    print_lines(shown(flow))


@app.command()
def check(
    name: Name,
    *,
    steps: Annotated[int | None, typer.Option(help="For plan: up to so many steps.")] = None,
    hops: Annotated[int | None, typer.Option(help="For mission: up to so many hops.")] = None,
    beads: Annotated[int | None, typer.Option(help="For ticket: up to so many beads.")] = None,
    as_json: AsJson = False,
    picture: Annotated[
        int | None, typer.Option(help="Draw finding N as SVG, on standard output or to --output.")
    ] = None,
    output: Output = None,
    pytest: Annotated[
        Path | None, typer.Option(help="Write a failing test for each finding to this file.")
    ] = None,
) -> None:
    """Explore everything a workflow can do within bounds, and report what is unsound.

    Exit code 0: no findings; 1: findings; 2: wrong use or bad input.
    """
    if as_json and picture is not None and output is None:
        message = "With --json the picture needs a file of its own."
        raise typer.BadParameter(message, param_hint="--output")
    built = find(name)
    bound = bounded(built, from_bounds(built, {"steps": steps, "hops": hops, "beads": beads}))
    begun = time.monotonic()
    with progress(f"checking {name}") as tell:
        walk = explore(built.scope(bound), tell)
        found = report(walk).timed(time.monotonic() - begun)
    if as_json:
        print_json(found.data())
    elif picture is None or output is not None:
        print_text(found.text())
        _hint(found, f"interlock workflow check {name} --{built.bound} {bound}")
    if pytest is not None:
        _keep(walk, found, pytest, f'BUILT_IN["{name}"].scope({bound})')
    if picture is not None:
        write_text(output, svg(picture_of(walk.graph, found, picture)))
    raise typer.Exit(1 if found.findings else 0)


def _hint(found: Report, command: str) -> None:
    """Say how to look at a finding and how to keep it."""
    if found.findings:
        err.print(f"See one:   {command} --picture 1 -o finding.svg", markup=False)
        err.print(f"Keep them: {command} --pytest test_findings.py", markup=False)


def _keep(walk: Walk, found: Report, path: Path, scope: str) -> None:
    if not found.findings:
        err.print(f"no findings, so {path} was not written", markup=False)
        return
    imports = "from interlock.workflows.built_in import BUILT_IN"
    findings = [one.finding for one in found.findings]
    write_text(path, pytest_file(walk.graph, findings, imports, scope))


@app.command()
def diagram(
    name: Name,
    *,
    kind: Annotated[
        Literal["svg", "mermaid"], typer.Option("--format", help="What to draw.")
    ] = "svg",
    output: Output = None,
) -> None:
    """Draw a workflow: its machines side by side, with their interlock."""
    flow = find(name).flow
    write_text(output, mermaid(flow) if kind == "mermaid" else svg(dot(flow)))


@app.command()
def export(name: Name, *, output: Output = None) -> None:
    """Print a workflow as data: every status, edge, rule and interlock row, as JSON."""
    write_text(output, json.dumps(export_workflow(find(name).flow), indent=2, ensure_ascii=False))


@app.command()
def explain(
    name: Name,
    snapshot: Annotated[Path, typer.Argument(help=f"A JSON file, as {SHAPE}.")],
    *,
    part: Annotated[str | None, typer.Option(help="Explain the part with this id instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a unit or part is where it is, who can move it, and with which call."""
    flow = find(name).flow
    seen = read_snapshot(flow, read_json(snapshot))
    if part is not None and part not in seen.ids:
        raise UnknownPart(f"The snapshot has no part {part!r}; {nearest(part, set(seen.ids))}")
    why = explain_snapshot(flow, seen, part)
    if as_json:
        print_json(explained(why))
        return
    print_text(why.text())
