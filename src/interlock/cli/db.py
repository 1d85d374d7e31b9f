"""``interlock db``: bring a PostgreSQL database to the schema of this program."""

import asyncio

import typer

from interlock.app import migrate
from interlock.cli.local import settings
from interlock.cli.screen import print_lines

app = typer.Typer(name="db", help="The database itself.", no_args_is_help=True)


@app.command("migrate")
def migrate_database(context: typer.Context) -> None:
    """Apply what is missing of the schema; a SQLite file does so by itself when it is opened."""
    numbers = asyncio.run(migrate(settings(context)))
    told = ", ".join(f"{number:04d}" for number in numbers) if numbers else "nothing was missing"
    print_lines([f"[green]✓[/green] applied: {told}"])
