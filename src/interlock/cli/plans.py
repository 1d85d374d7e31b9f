"""``interlock plan list``: which plans are under way, and how far each is."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, cast

import typer

from interlock.cli.local import call, plain, show
from interlock.wire.envelope import Envelope

WIDE: Final = 10
"""How many characters a bar has."""

NONE_YET: Final = "No plan is under way. Begin: interlock plan create NAME --question … --step …"


def list_plans(
    context: typer.Context,
    is_all: Annotated[
        bool, typer.Option("--all", help="Also those that are completed or failed.")
    ] = False,
    status: Annotated[
        str | None, typer.Option("--status", help="Only plans in this status.")
    ] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only plans with this tag.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many, up to 200.")] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where a list ended.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List plans, the last changed first."""
    told = {"status": status, "tag": tag, "include_ended": is_all or None}
    wanted = {name: value for name, value in told.items() if value is not None}
    arguments = {"filter": wanted or None, "limit": limit, "cursor": cursor}
    answer = call(context, "list_active_plans", arguments)
    show(answer, list(_lines(answer)), as_json=as_json)


def _lines(answer: Envelope) -> Iterator[str]:
    rows = cast("list[Mapping[str, object]]", answer.data["plans"])
    if not rows:
        yield NONE_YET
        return
    yield f"[dim]{'plan':<17}  {'status':<15}  {'done':<{WIDE + 16}}  name[/dim]"
    yield from map(_line, rows)
    if "cursor" in answer.data:
        yield f"[dim]more[/dim]  --cursor {plain(answer.data['cursor'])}"


def _line(row: Mapping[str, object]) -> str:
    percent = cast("int", row["progress"])
    counts = cast("Mapping[str, int]", row["counts"])
    done = counts.get("completed", 0) + counts.get("skipped", 0)
    full = percent * WIDE // 100
    bar = "█" * full + "░" * (WIDE - full)
    share = f"{done}/{row['total_steps']}"
    asks = "  [yellow]a person must decide[/yellow]" if row["open_review"] else ""
    return (
        f"{row['plan_id']}  {row['status']:<15}  {bar} {percent:>3} %"
        f" {share:>9}  {plain(row['name'])}{asks}"
    )
