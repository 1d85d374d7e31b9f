"""``interlock db``: how the database stands, its backups, its schema, its moves and its age."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from interlock import upkeep
from interlock.app import App, copy_database, keeping_of, migrate, prune_old
from interlock.cli.bar import bar
from interlock.cli.local import Json, OnlyHere, plain, settings, with_app
from interlock.cli.notice import running
from interlock.cli.screen import print_json, print_lines
from interlock.clock import SystemClock, instant
from interlock.config import Settings
from interlock.service.index import index_due, reindex
from interlock.store.moving import CopyRefused
from interlock.store.status import Status

app = typer.Typer(name="db", help="The database itself.", no_args_is_help=True)


@app.command("status")
def tell_status(context: typer.Context, as_json: Json = False) -> None:
    """Say what the database is, how large, how durable, and what it lacks; nothing is changed."""
    found = _here(context)
    told, kept = upkeep.status(found), upkeep.last_kept(found)
    warned = upkeep.warnings(found, told.incarnation, SystemClock().now())
    if as_json:
        known = {"last": kept, "warnings": warned}
        print_json({"database": found.database_shown, **asdict(told), **known})
        return
    print_lines(f"{name:<12} {plain(value)}" for name, value in _standing(found, told, kept))
    print_lines(f"[yellow]{'warning':<12}[/yellow] {plain(one)}" for one in warned)


def _standing(found: Settings, told: Status, kept: dict[str, object]) -> Iterator[tuple[str, str]]:
    missing = ", ".join(f"{number:04d}" for number in told.pending)
    yield "database", found.database_shown
    yield "engine", f"{told.dialect} {told.version}"
    yield "schema", f"{told.schema:04d}, {f'lacks {missing}' if missing else 'up to date'}"
    yield "incarnation", told.incarnation
    if told.restored_at:
        yield "restored", f"{instant(told.restored_at)}, of a backup of {instant(told.taken_at)}"
    facts = ", ".join(f"{name} {value}" for name, value in told.facts.items() if name != "file")
    yield "durability", f"{told.durability} ({facts})"
    yield "size", f"{told.bytes:,} bytes"
    yield "rows", ", ".join(f"{count:,} {name}" for name, count in told.counts.items())
    yield "leases", f"{told.leases:,} live"
    for name, one in kept.items():
        yield name, f"last: {one}" if one else "none known"


@app.command("backup")
def back_up(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file to write; there must be none.")],
    as_json: Json = False,
) -> None:
    """Write everything, as it is at one instant, to one file; others may go on working."""
    with bar() as tell:
        manifest = upkeep.back_up(_here(context), file, partial(tell, "copying"))
    told = {"file": str(file), "sha256": manifest.digest, **asdict(manifest)}
    if as_json:
        print_json(told)
        return
    counted = f"{manifest.rows:,} rows of {len(manifest.tables)} tables"
    at = f"schema {manifest.schema:04d}, incarnation {manifest.incarnation}"
    print_lines([
        f"[green]✓[/green] {plain(file)}: {counted}, as of {instant(manifest.taken_at)}",
        f"[dim]  {at}, manifest {manifest.digest}[/dim]",
    ])  # fmt: skip


@app.command("restore")
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="What `interlock db backup` has written.")],
    force: Annotated[
        bool, typer.Option("--force", help="Also where there is a database: it is kept beside.")
    ] = False,
    erasures: Annotated[
        Path | None,
        typer.Option(help="A file of erasures, beside that of the data folder: they stay erased."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a database of a backup: a new incarnation, for which no old lease or link is good."""
    with bar() as tell:
        done = upkeep.restore(
            _here(context), file, partial(tell, "restoring"), is_forced=force, erasures=erasures
        )
    if as_json:
        print_json({
            "incarnation": done.incarnation, "former": done.manifest.incarnation,
            "taken_at": done.manifest.taken_at, "rows": done.manifest.rows, "kept": done.kept,
            "erased": done.erased,
        })  # fmt: skip
        return
    told = f"{done.manifest.rows:,} rows as of {instant(done.manifest.taken_at)}"
    lines = [
        f"[green]✓[/green] restored {told}; incarnation {done.incarnation}",
        "  Leases, request ids, sessions and links of before are not good any more.",
        "  Tokens are as they were then: revoke again what was revoked since.",
    ]
    lines += [f"  Erased since the backup, and erased again: {plain(one)}" for one in done.erased]
    if done.kept:
        lines.append(f"  The old database is kept: {plain(done.kept)}")
    print_lines(lines)


def _here(context: typer.Context) -> Settings:
    """Return the settings; raises where they name a server instead of a database."""
    found = settings(context)
    if found.server:
        message = f"This works on the database itself, and the settings name {found.server}."
        fix = "Run it on the machine of the server, without --server and INTERLOCK_SERVER."
        raise OnlyHere(message, fix=fix)
    return found


@app.command("migrate")
def migrate_database(context: typer.Context) -> None:
    """Apply what is missing of the schema; a SQLite file does so by itself when it is opened."""
    numbers = asyncio.run(migrate(settings(context)))
    told = ", ".join(f"{number:04d}" for number in numbers) if numbers else "nothing was missing"
    print_lines([f"[green]✓[/green] applied: {told}"])


@app.command("reindex")
def index_anew(context: typer.Context) -> None:
    """Index anew what was indexed by another embeddings model or by none."""

    async def work(opened: App) -> tuple[int, int]:
        queued, done = await reindex(opened.engine), 0
        while some := await index_due(opened.engine):
            done += some
        return queued, done

    queued, done = with_app(context, work)
    print_lines([f"[green]✓[/green] {queued} to be indexed anew; {done} done, the rest later"])


@app.command("copy")
def copy_everything(
    context: typer.Context,
    to: Annotated[
        str,
        typer.Option("--to", help="An empty PostgreSQL database; PGPASSWORD hides a password."),
    ],
    as_json: Json = False,
) -> None:
    """Copy everything from the SQLite file to PostgreSQL, and prove it; killed, it goes on."""
    found = _here(context)
    if serving := running(found.data):
        message = f"A server works with this folder: {serving}."
        raise CopyRefused(message, fix="Stop it first: nothing may change while it is copied.")
    with bar() as tell:
        copied = asyncio.run(copy_database(found, to, tell))
    if as_json:
        print_json({**copied._asdict(), "tables": dict(sorted(copied.tables.items()))})
        return
    rows = sum(copied.tables.values())
    before = f", {copied.resumed:,} of them before" if copied.resumed else ""
    print_lines([
        f"[green]✓[/green] {rows:,} rows of {len(copied.tables)} tables copied{before}",
        f"  every row compared; {copied.units:,} units folded from {copied.entries:,} entries",
        f"  incarnation {copied.source} became {copied.target}: claims of before are void",
        "[dim]next[/dim]  set INTERLOCK_DATABASE to it, and put the old file away",
    ])  # fmt: skip


@app.command("prune")
def prune_database(
    context: typer.Context,
    is_dry: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    as_json: Json = False,
) -> None:
    """Forget what is older than the settings say; servers do so by themselves every hour."""

    async def work(opened: App) -> dict[str, int]:
        keeping = keeping_of(opened.settings)
        return await prune_old(opened.engine, opened.calls, keeping, is_dry=is_dry)

    gone = with_app(context, work)
    if as_json:
        print_json({"is_dry": is_dry, "pruned": gone})
        return
    verb = "would be forgotten" if is_dry else "forgotten"
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(gone.items()) if count)
    print_lines([f"[green]✓[/green] {verb}: {told or 'nothing'}"])
