"""``interlock db``: bring a database to the schema of this program; move it; prune and index it."""

import asyncio
from typing import Annotated

import typer

from interlock.app import App, copy_database, keeping_of, migrate, prune_old
from interlock.cli.bar import bar
from interlock.cli.local import Json, OnlyHere, settings, with_app
from interlock.cli.notice import running
from interlock.cli.screen import print_json, print_lines
from interlock.service.index import index_due, reindex
from interlock.store.moving import CopyRefused

app = typer.Typer(name="db", help="The database itself.", no_args_is_help=True)


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
    found = settings(context)
    if found.server:
        fix = "Run it on the machine of the server, without --server and INTERLOCK_SERVER."
        raise OnlyHere("This works on the data folder itself.", fix=fix)
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
