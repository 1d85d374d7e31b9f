"""``interlock plan show``: a plan as a table with its progress, live where that is wanted."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, cast

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from interlock.cli.local import Json, call, plain, show, with_verbs
from interlock.cli.screen import out
from interlock.commands.verbs import Verbs
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Envelope
from interlock.workflows.plan.workflow import ENDED

MARKS: Final = {
    "pending": "·", "in_progress": "▸", "awaiting_input": "?", "completed": "✓",
    "skipped": "–", "failed": "✕",
}  # fmt: skip
WIDTH: Final = 40
EVERY_S: Final = 0.5


def show_plan(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Keep it up to date until the plan has ended.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show a plan: its steps, who holds what, how far it is."""
    if watch and as_json:
        message = "--watch shows a plan as it changes; --json prints one document."
        raise InvalidInput(message, fix="Use one of them.")
    if watch:
        with_verbs(context, lambda verbs: _follow(verbs, plan))
        return
    answer = call(context, "get_plan_status", {"plan_id": plan})
    if as_json:
        show(answer, [], as_json=True)
    else:
        out.print(drawn(answer))


async def _follow(verbs: Verbs, plan: str) -> None:
    """Draw the plan again and again until it has ended."""
    with Live(console=out, auto_refresh=False) as live:
        while True:
            answer = await verbs.call("get_plan_status", {"plan_id": plan})
            live.update(drawn(answer), refresh=True)
            if answer.status in ENDED:
                return
            await asyncio.sleep(EVERY_S)


def drawn(answer: Envelope) -> RenderableType:
    """Return a plan as a picture for a terminal."""
    data = answer.data
    head = Text.from_markup(f"[bold]{plain(data['name'])}[/bold]  {answer.status}")
    progress = cast("int", data["progress"])
    bar = ProgressBar(total=100, completed=progress, width=WIDTH)
    line = Table.grid(padding=(0, 1))
    line.add_row(bar, f"{progress} %")
    table = Table(box=None, padding=(0, 1), show_header=False)
    for row in sorted(steps_of(data), key=lambda row: cast("int", row["order"])):
        mark = MARKS.get(str(row["status"]), " ")
        held = f"held by {plain(row['holder'])}" if row.get("holder") else ""
        come_to = plain(row.get("summary") or row.get("failure") or held)
        table.add_row(mark, str(row["order"]), plain(row["title"]), str(row["status"]), come_to)
    parts: list[RenderableType] = [head, line, table]
    gate = data.get("gate")
    if isinstance(gate, dict):
        asked = f"[yellow]?[/yellow] {plain(gate.get('summary', ''))}  [dim]{gate['url']}[/dim]"
        parts.append(Text.from_markup(asked))
    if answer.next_action:
        parts.append(Text.from_markup(f"[dim]next[/dim]  {plain(answer.next_action)}"))
    return Group(*parts)


def steps_of(data: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the steps that a status lists."""
    for name, rows in data.items():
        if name.endswith("_steps") and isinstance(rows, list):
            yield from (row for row in rows if isinstance(row, dict))
