"""``interlock workflow``: look at a workflow, check it, draw it, export it, explain a snapshot."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from interlock.cli.bounds import bounded, find, from_bounds
from interlock.cli.screen import err, out, print_json, progress
from interlock.cli.trace import picture_of
from interlock.errors import InterlockError
from interlock.kernel.check.explore import explore
from interlock.kernel.check.pytest_file import pytest_file
from interlock.kernel.check.report import Report, report
from interlock.kernel.draw.dot import dot
from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.explain import explain as explain_snapshot
from interlock.kernel.export import export as export_workflow
from interlock.kernel.machine import Machine
from interlock.kernel.read import read_snapshot
from interlock.picture import svg
from interlock.workflows.built_in import BUILT_IN

app = typer.Typer(help="Look at workflows, prove them sound, draw them.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A workflow: plan, mission or ticket.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write here instead.")]


class NotReadable(InterlockError):
    """A file cannot be read or written, or holds no JSON."""

    code = "NOT_READABLE"
    http = 422


@app.command("list")
def list_workflows(*, as_json: AsJson = False) -> None:
    """List the workflows."""
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
    if as_json:
        print_json(rows)
        return
    table = Table("name", "made of", "statuses", "about", box=None, pad_edge=False)
    for row in rows:
        kinds = row["kinds"]
        made = " > ".join(kinds[:2]) + (f", {', '.join(kinds[2:])}" if kinds[2:] else "")
        table.add_row(str(row["name"]), made, str(row["statuses"]), str(row["about"]))
    out.print(table)


@app.command()
def show(name: Name, *, as_json: AsJson = False) -> None:
    """Show the machines and the interlock of a workflow."""
    flow = find(name).flow
    if as_json:
        print_json(export_workflow(flow))
        return
    out.print(f"[bold]{flow.name}[/bold]  {flow.doc}\n")
    for machine in flow.machines():
        _show_machine(machine)
    out.print("[bold]interlock[/bold]")
    for lift in flow.lifts:
        out.print(f"  lift     {lift.name}: when {lift.when.words()}, fire {lift.fire}")
    for cascade in flow.cascades:
        at = " or ".join(cascade.enters) or f"leaving {' or '.join(cascade.leaves)}"
        done = f"fire {cascade.fire} on every {cascade.to}" if cascade.fire else cascade.do
        out.print(f"  cascade  {cascade.name}: {cascade.of} {at}: {done}")
    for pair in flow.pairs:
        out.print(f"  pair     {' or '.join(pair.units)}: {pair.holds.words()}")


def _show_machine(machine: Machine) -> None:
    table = Table("", "status", "kind", "goes to", box=None, pad_edge=False, title_justify="left")
    table.title = f"[bold]{machine.name}[/bold]"
    for status in machine.statuses:
        mark = {"gate": "◇", "terminal": "■"}.get(status.kind, "○")
        start = " (start)" if status.name == machine.initial else ""
        edges = [f"{e.target} ({e.on})" for e in machine.edges if e.source == status.name]
        table.add_row(mark, status.name + start, status.kind, ", ".join(edges) or "-")
    out.print(table)
    out.print()


@app.command()
def check(
    name: Name,
    *,
    steps: Annotated[int | None, typer.Option(help="For plan: up to so many steps.")] = None,
    hops: Annotated[int | None, typer.Option(help="For mission: up to so many hops.")] = None,
    beads: Annotated[int | None, typer.Option(help="For ticket: so many beads.")] = None,
    as_json: AsJson = False,
    picture: Annotated[
        int | None, typer.Option(help="Draw the trace of this finding (SVG; see --output).")
    ] = None,
    output: Output = None,
    pytest: Annotated[
        Path | None, typer.Option(help="Write a failing test for each finding here.")
    ] = None,
) -> None:
    """Explore everything a workflow can do within bounds, and report what is unsound.

    Exit code 0: no findings; 1: findings; 2: wrong use.
    """
    built = find(name)
    bound = from_bounds(built, {"steps": steps, "hops": hops, "beads": beads})
    scope = built.scope(bounded(built, bound))
    begun = time.monotonic()
    with progress(f"checking {name}") as tell:
        walk = explore(scope, tell)
        found = report(walk).timed(time.monotonic() - begun)
    if pytest is not None:
        code = f'BUILT_IN["{name}"].scope({bound})'
        imports = "from interlock.workflows.built_in import BUILT_IN"
        findings = [one.finding for one in found.findings]
        _write(pytest, pytest_file(walk.graph, findings, imports, code))
    if picture is not None:
        _write(output, svg(picture_of(walk.graph, found, picture)))
    _tell(found, as_json=as_json, is_quiet=picture is not None and output is None)
    raise typer.Exit(1 if found.findings else 0)


def _tell(found: Report, *, as_json: bool, is_quiet: bool) -> None:
    if is_quiet:
        return
    if as_json:
        print_json(found.data())
    else:
        out.print(found.text(), markup=False)


@app.command()
def diagram(
    name: Name,
    *,
    kind: Annotated[str, typer.Option("--format", help="svg or mermaid.")] = "svg",
    output: Output = None,
) -> None:
    """Draw a workflow: its machines side by side, with their interlock."""
    flow = find(name).flow
    if kind not in ("svg", "mermaid"):
        message = f"There is no format {kind!r}."
        raise NotReadable(message, fix="Use --format svg or --format mermaid.")
    _write(output, mermaid(flow) if kind == "mermaid" else svg(dot(flow)))


@app.command()
def export(name: Name, *, output: Output = None) -> None:
    """Print a workflow as data: every status, edge, rule and interlock row."""
    _write(output, json.dumps(export_workflow(find(name).flow), indent=2, ensure_ascii=False))


@app.command()
def explain(
    name: Name,
    snapshot: Annotated[Path, typer.Argument(help="A JSON file: unit and parts, by status.")],
    *,
    part: Annotated[str | None, typer.Option(help="Explain this part instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a unit or part is where it is, who can move it, and with which call."""
    flow = find(name).flow
    seen = read_snapshot(flow, _read(snapshot))
    if part is not None and part not in seen.ids:
        message = f"The snapshot has no part {part!r}."
        raise NotReadable(message, fix=f"Its parts: {', '.join(seen.ids) or 'none'}.")
    why = explain_snapshot(flow, seen, part)
    if as_json:
        calls = [{**asdict(call), "args": dict(call.args)} for call in why.calls]
        print_json({"kind": why.kind, "status": why.status, "is_ended": why.is_ended,
                    "calls": calls, "facts": [asdict(fact) for fact in why.facts]})  # fmt: skip
        return
    out.print(why.text(), markup=False)


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        message = f"{path} cannot be read as JSON: {exc}."
        raise NotReadable(message, fix="Name a readable file with one JSON document.") from exc


def _write(path: Path | None, text: str) -> None:
    if path is None:
        out.file.write(text.rstrip() + "\n")
        return
    try:
        path.write_text(text.rstrip() + "\n", encoding="utf-8")
    except OSError as exc:
        message = f"{path} cannot be written: {exc}."
        raise NotReadable(message, fix="Name a file in a folder that exists.") from exc
    err.print(f"wrote {path}", markup=False)
