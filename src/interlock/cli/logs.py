"""``interlock logs``: what workers tell about a unit while they work on it."""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Final, cast

import typer

from interlock.cli.local import Json, call, plain, show, with_verbs
from interlock.cli.screen import print_lines
from interlock.commands.verbs import Verbs
from interlock.workflows.built_in import WORKFLOWS

Told = Mapping[str, object]
EVERY_S: Final = 1.0
PAGE: Final = 1_000
LOOKS: Final = {"err": "red", "note": "cyan"}
"""How a stream is coloured."""


def logs(
    context: typer.Context,
    unit: Annotated[str, typer.Argument(help="The id of a ticket or any other unit.")],
    member: Annotated[str, typer.Option("--member", help="Only of this member.")] = "",
    part: Annotated[str | None, typer.Option("--part", help="Only of this part.")] = None,
    after: Annotated[int, typer.Option("--after", help="Only lines after this number.")] = 0,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on until the unit has ended.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what workers have told about a unit, line by line."""
    asked: dict[str, object] = {"id": unit, "member": member, "after": after, "limit": PAGE}
    asked |= {} if part is None else {"part_id": part}
    if follow and not as_json:
        with_verbs(context, lambda verbs: _follow(verbs, asked))
        return
    answer = call(context, "read_logs", asked)
    lines = list(_lines(answer.data)) or ["[dim]nothing was told yet[/dim]"]
    if not answer.data["is_whole"]:
        lines.append(f"[dim]more[/dim]  --after {answer.data['last']}")
    show(answer, lines, as_json=as_json)


async def _follow(verbs: Verbs, asked: dict[str, object]) -> None:
    """Print lines as they come, until the unit has ended and all of them were printed."""
    while True:
        # Asked first: what is told before the end is read after it.
        is_over = await _is_over(verbs, str(asked["id"]))
        data = (await verbs.call("read_logs", asked)).data
        print_lines(_lines(data))
        asked["after"] = data["last"]
        if not data["is_whole"]:
            continue
        if is_over:
            return
        await asyncio.sleep(EVERY_S)


async def _is_over(verbs: Verbs, unit: str) -> bool:
    data = (await verbs.call("get_unit", {"id": unit, "limit": 1})).data
    machine = WORKFLOWS[str(data["workflow"])].unit
    return machine.status(str(data["status"])).kind == "terminal"


def _lines(data: Told) -> Iterator[str]:
    for row in cast("list[Told]", data["lines"]):
        at = datetime.fromtimestamp(cast("int", row["at"]) / 1000, UTC).strftime("%H:%M:%S")
        who = plain(row["member"] or row["part_id"])
        colour = LOOKS.get(str(row["stream"]), "")
        text = plain(row["text"])
        shown = f"[{colour}]{text}[/{colour}]" if colour else text
        yield f"[dim]{at}[/dim]  [bold]{who}[/bold]  {shown}"
