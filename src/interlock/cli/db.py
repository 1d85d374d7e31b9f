"""``interlock db``: bring a database to the schema of this program; index its documents anew."""

import asyncio

import typer

from interlock.app import App, migrate
from interlock.cli.local import settings, with_app
from interlock.cli.screen import print_lines
from interlock.service.index import index_due, reindex

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
