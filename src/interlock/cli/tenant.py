"""``interlock tenant``: whose data this is, and what it is called."""

from typing import Annotated

import typer

from interlock.cli.local import Json, call, plain, show

app = typer.Typer(name="tenant", help="Whose data this is.", no_args_is_help=True)


@app.command("show")
def show_tenant(context: typer.Context, as_json: Json = False) -> None:
    """Say whose data this is."""
    answer = call(context, "get_tenant", {})
    show(answer, [f"{plain(answer.data['tenant'])}  {plain(answer.data['name'])}"], as_json=as_json)


@app.command("rename")
def rename(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is called from now on.")],
    as_json: Json = False,
) -> None:
    """Give everything here another name; only an owner does."""
    answer = call(context, "rename_tenant", {"name": name})
    show(answer, [f"[green]✓[/green] it is called {plain(answer.data['name'])}"], as_json=as_json)
