"""``interlock delete``: let nobody find a unit any more that has ended."""

import sys
from typing import Annotated

import typer

from interlock.cli.local import Json, RequestId, call, plain, show
from interlock.service.errors import InvalidInput


def delete(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The id of a unit that has ended.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Delete a unit: nobody finds it any more, its audit stays. Only an owner does."""
    if not yes:
        if not sys.stdin.isatty():
            message = "Deleting is asked about, and nobody is here to answer."
            raise InvalidInput(message, fix="Say --yes.")
        typer.confirm(f"Delete {name}? Nobody finds it any more", abort=True)
    answer = call(context, "delete_unit", {"id": name, "request_id": request_id})
    lines = [f"[green]✓[/green] {plain(name)} is deleted; interlock audit still proves it"]
    show(answer, lines, as_json=as_json)
