"""``interlock tenant``: whose data this is, what it is called, and that it is erased."""

from typing import Annotated

import typer

from interlock.app import App, erase_tenant
from interlock.cli.local import Json, call, plain, show, with_app
from interlock.cli.screen import err, print_json, print_lines
from interlock.service.erase import NotNamed, erasing
from interlock.store.erasing import Erased

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


@app.command("erase")
def erase(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name or the id of the tenant.")],
    yes: Annotated[
        str, typer.Option("--yes", help="The same again: nothing is asked then.", metavar="NAME")
    ] = "",
    as_json: Json = False,
) -> None:
    """Erase everything that was ever said here, for ever; only an owner does."""

    async def may(app: App) -> None:
        await erasing(app.engine, await app.caller(), name)

    async def work(app: App) -> Erased:
        return await erase_tenant(app, name)

    with_app(context, may)
    again = yes or _asked(name)
    if again != name:
        raise NotNamed("That is not the name: nothing was erased.", fix="Type the same name again.")
    erased = with_app(context, work)
    if as_json:
        print_json(erased._asdict())
        return
    kept = f"of {erased.entries:,} entries of the audit the hashes are left"
    print_lines([
        f"[green]✓[/green] erased: {erased.rows:,} rows; {kept}",
        *(f"[yellow]warning[/yellow] {plain(one)} still has it" for one in erased.left),
        "[dim]Copies elsewhere, exports and backups are not reached from here.[/dim]",
    ])  # fmt: skip


def _asked(name: str) -> str:
    err.print(f"This erases all of [bold]{plain(name)}[/bold]: units, documents, people, tokens.")
    err.print("Nobody can bring it back.")
    return str(typer.prompt("Type the name again", default="", show_default=False, err=True))
