"""``interlock explain``: why something stands where it does, and the call that moves it."""

from typing import Annotated

import typer

from interlock.cli.local import call, plain, show


def explain(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The id of a unit or a part.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say why a unit or part is where it is, what must change for it to move, and who can."""
    answer = call(context, "explain", {"id": name})
    lines = [plain(line) for line in str(answer.data["text"]).splitlines()]
    # For people it stands among the lines already.
    told = answer if as_json else answer.model_copy(update={"next_action": ""})
    show(told, lines, as_json=as_json)


def list_units(
    context: typer.Context,
    workflow: Annotated[str, typer.Option("--workflow", help="Only units of this workflow.")] = "",
    limit: Annotated[int, typer.Option("--limit", help="How many, up to 200.")] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where a list ended.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List what there is, the last changed first."""
    arguments = {"workflow": workflow, "limit": limit, "cursor": cursor}
    answer = call(context, "list_units", arguments)
    units = answer.data["units"]
    lines = [
        f"{row['id']}  {row['status']:<16} {plain(row['name'] or '')}"
        for row in (units if isinstance(units, list) else [])
    ]
    if not lines:
        lines = ["There is nothing yet. Begin: interlock plan create NAME --question … --step …"]
    show(answer, lines, as_json=as_json)
