"""``interlock audit``: prove what happened, or write it out; also of units that were deleted."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from interlock.app import App, notary_of
from interlock.cli.files import write_text
from interlock.cli.local import plain, with_app
from interlock.cli.screen import print_json, print_lines
from interlock.service.access import require
from interlock.service.checkpoint import Checkpoint, public_text, read_lines
from interlock.service.errors import NotFound
from interlock.service.export import audit_lines
from interlock.service.notary import Notary, read_public
from interlock.service.verify import Verdict, verify
from interlock.service.witness import Witnessed, compare

app = typer.Typer(name="audit", help="What happened, and the proof of it.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Unit = Annotated[str, typer.Option("--unit", help="Only this unit.")]


@app.command("verify")
def verify_audit(
    context: typer.Context,
    unit: Unit = "",
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="Compare all tenants with this file of checkpoints."),
    ] = None,
    key: Annotated[
        str, typer.Option("--key", help="The public key of its lines; else ours of the folder.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Check every hash, every move, and that the log makes the state; exit 1 if it does not."""

    async def work(app: App) -> tuple[Verdict, Witnessed]:
        tenant = await _tenant(app, unit)
        if checkpoint is None:
            return await verify(app.engine, tenant, unit), Witnessed()
        verdict = Verdict()
        for one in await app.engine.store.tenants():
            verdict.add(await verify(app.engine, one))
        return verdict, await _compare(app, checkpoint, key)

    verdict, witnessed = with_app(context, work, sees_deleted=True)
    verdict.findings += witnessed.findings
    if as_json:
        told = {"units": verdict.units, "entries": verdict.entries, "erased": verdict.erased}
        if checkpoint is not None:
            told |= {"heads": witnessed.heads}
        findings = [asdict(one) for one in verdict.findings]
        notes = {"notes": witnessed.notes} if checkpoint is not None else {}
        print_json({**told, "findings": findings, **notes})
    else:
        _tell(verdict, witnessed)
    raise typer.Exit(1 if verdict.findings else 0)


async def _compare(app: App, file: Path, key: str) -> Witnessed:
    notary = replace(notary_of(app.settings), file=file)
    public = read_public(key) if key else notary.public()
    return await compare(app.engine, *read_lines(notary.lines(), public))


def _tell(verdict: Verdict, witnessed: Witnessed) -> None:
    print_lines(f"[yellow]![/yellow] {plain(note)}" for note in witnessed.notes)
    print_lines(f"[red]✕[/red] {plain(one)}" for one in verdict.findings)
    if verdict.erased:
        told = f"{verdict.erased:,} units were erased; {verdict.entries:,} hashes of them are left"
        print_lines([f"[yellow]erased[/yellow] {told}"])
    elif not verdict.findings:
        held = "chains, edges, states, tallies and pairs hold"
        if witnessed.heads:
            held += f", and so do {witnessed.heads:,} heads of checkpoints"
        told = f"{verdict.units:,} units, {verdict.entries:,} entries: {held}"
        print_lines([f"[green]✓[/green] {told}"])


@app.command("checkpoint")
def take_checkpoint(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="Where to append; outside the database.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Sign where every audit ends and append it to a file; what is cut later is found by it."""

    async def work(app: App) -> tuple[Notary, Checkpoint | None]:
        await _tenant(app, "")
        notary = notary_of(app.settings)
        notary = notary if file is None else replace(notary, file=file)
        return notary, await notary.take(app.engine)

    notary, made = with_app(context, work, sees_deleted=True)
    if made is None:
        return
    public = public_text(notary.public())
    if as_json:
        print_json({
            "file": str(notary.file), "checkpoint": made.number, "at": made.at,
            "units": made.units, "heads": len(made.heads), "incarnation": made.incarnation,
            "public_key": public,
        })  # fmt: skip
        return
    told = f"checkpoint {made.number}: {made.units:,} units, {len(made.heads):,} new heads"
    print_lines([
        f"[green]✓[/green] {told}, in {plain(notary.file)}",
        f"[dim]  public key {public}: keep it where nobody changes it[/dim]",
    ])  # fmt: skip


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
