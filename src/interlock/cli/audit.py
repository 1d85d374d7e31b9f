"""``interlock audit``: prove what happened, or write it out; also of units that were deleted."""

from pathlib import Path
from typing import Annotated

import typer

from interlock.app import App
from interlock.cli.files import write_text
from interlock.cli.local import plain, with_app
from interlock.cli.screen import print_json, print_lines
from interlock.service.access import require
from interlock.service.errors import NotFound
from interlock.service.export import audit_lines
from interlock.service.verify import Verdict, verify

app = typer.Typer(name="audit", help="What happened, and the proof of it.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Unit = Annotated[str, typer.Option("--unit", help="Only this unit.")]


@app.command("verify")
def verify_audit(context: typer.Context, unit: Unit = "", as_json: Json = False) -> None:
    """Check every hash, every move, and that the log makes the state; exit 1 if it does not."""

    async def work(app: App) -> Verdict:
        tenant = await _tenant(app, unit)
        return await verify(app.engine, tenant, unit)

    verdict = with_app(context, work, sees_deleted=True)
    if as_json:
        findings = [
            {
                "unit": one.unit, "sequence": one.sequence, "what": one.what,
                "expected": one.expected, "found": one.found,
            }
            for one in verdict.findings
        ]  # fmt: skip
        told = {"units": verdict.units, "entries": verdict.entries, "erased": verdict.erased}
        print_json({**told, "findings": findings})
    else:
        _tell(verdict)
    raise typer.Exit(1 if verdict.findings else 0)


def _tell(verdict: Verdict) -> None:
    print_lines(f"[red]✕[/red] {plain(one)}" for one in verdict.findings)
    if verdict.erased:
        told = f"{verdict.erased:,} units were erased; {verdict.entries:,} hashes of them are left"
        print_lines([f"[yellow]erased[/yellow] {told}"])
    elif not verdict.findings:
        held = "chains, edges, states, tallies and pairs hold"
        told = f"{verdict.units:,} units, {verdict.entries:,} entries: {held}"
        print_lines([f"[green]✓[/green] {told}"])


@app.command("export")
def export_audit(
    context: typer.Context,
    unit: Unit = "",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file to write.")] = None,
) -> None:
    """Write the audit out, one JSON document a line, exactly as it is stored and hashed."""

    async def work(app: App) -> list[str]:
        tenant = await _tenant(app, unit)
        return [line async for line in audit_lines(app.engine, tenant, unit)]

    write_text(out, "\n".join(with_app(context, work, sees_deleted=True)))


async def _tenant(app: App, unit: str) -> str:
    """Return whose audit the caller may read; raises where they may not, or it has no such unit."""
    caller = await app.caller()
    require(caller, "read", "Reading the audit")
    if unit and (not unit.isascii() or await app.engine.store.whole(caller.tenant, unit) is None):
        raise NotFound(unit)
    return caller.tenant
