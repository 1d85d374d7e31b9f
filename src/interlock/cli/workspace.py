"""``interlock workspace``: the working trees on this machine, what they take, and what may go."""

import asyncio
import re
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from interlock.cli.local import Json, plain, settings, with_verbs
from interlock.cli.screen import print_json, print_lines, telling
from interlock.clock import DAY, HOUR, MINUTE, SystemClock, span
from interlock.commands.verbs import Verbs
from interlock.service.errors import InvalidInput
from interlock.worker.workspace.disk import ENDED, UNKNOWN, Kept, Pruned, kept, prune, state_of
from interlock.worker.workspace.room import ROOM, Site

app = typer.Typer(
    name="workspace", help="Working trees of tickets on this machine.", no_args_is_help=True
)

AGE: Final = re.compile(r"([0-9]{1,6})([smhd])")
UNITS: Final = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY}
SIZES: Final = ("B", "KiB", "MiB", "GiB", "TiB")
STEP: Final = 1024


@app.command("list")
def list_trees(context: typer.Context, as_json: Json = False) -> None:
    """List the working trees, the largest first: whose, how it stands, size, time at rest."""
    found = _found(context)[1]
    if as_json:
        print_json({"workspaces": [one.told() for one in found]})
        return
    if not found:
        print_lines(["There is no working tree on this machine."])
        return
    print_lines(_line(one) for one in found)
    print_lines([f"[dim]in all {_size(sum(one.size for one in found))}[/dim]"])


@app.command("prune")
def prune_trees(
    context: typer.Context,
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", help="Such as 7d, 12h, 30m; else INTERLOCK_WORKSPACE_DAYS."),
    ] = None,
    is_dry: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be removed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove the working trees of ended tickets that have rested for long enough."""
    days = settings(context).workspace_days
    older_ms = DAY * 1000 * days if older_than is None else _age(older_than)
    site, found = _found(context)
    if site is None:
        done = Pruned((), ())
    else:
        done = asyncio.run(prune(site, found, older_ms, is_dry=is_dry))
    if as_json:
        print_json(_told(done, is_dry=is_dry))
    else:
        print_lines(_pruned(done, older_ms, is_dry=is_dry))
    if done.failed:
        raise typer.Exit(1)


def _found(context: typer.Context) -> tuple[Site | None, list[Kept]]:
    """Look at what lies here, and ask the server how each ticket stands."""
    data = settings(context).data
    if not (data / ROOM).is_dir():
        return None, []
    clock = SystemClock()

    async def look(verbs: Verbs) -> tuple[Site, list[Kept]]:
        site = await Site.open(data, clock)
        total = len(site.trees())
        with telling() as say:
            return site, await kept(
                site, lambda one: state_of(verbs.call, one), clock.now(),
                lambda number: say(f"{number:,} of {total:,} working trees looked at"),
            )  # fmt: skip

    return with_verbs(context, look)


def _age(text: str) -> int:
    found = AGE.fullmatch(text.strip())
    if found is None:
        message = f"{text!r} is no stretch of time."
        raise InvalidInput(message, fix="Say a number and s, m, h or d, such as 7d.")
    return int(found[1]) * UNITS[found[2]] * 1000


def _line(one: Kept) -> str:
    colour = "green" if one.state in ENDED else "yellow" if one.state == UNKNOWN else "cyan"
    busy = "  [cyan]at work[/cyan]" if one.is_busy else ""
    return (
        f"{plain(one.ticket)}  [{colour}]{plain(one.state)}[/{colour}]  {_size(one.size)}"
        f"  [dim]at rest for {span(one.rested_ms)}[/dim]{busy}"
    )


def _pruned(done: Pruned, older_ms: int, *, is_dry: bool) -> Iterator[str]:
    word = "would remove" if is_dry else "removed"
    for one in done.removed:
        yield f"[green]✓[/green] {word} {plain(one.ticket)}  {_size(one.size)}"
    for ticket, why in done.failed:
        yield f"[red]✗[/red] {plain(ticket)} could not be removed: {plain(why)}"
    for one in done.kept:
        yield f"  [dim]kept {plain(one.ticket)}: {plain(_why(one, older_ms))}[/dim]"
    freed = sum(one.size for one in done.removed)
    yield f"{word} {len(done.removed)}, {_size(freed)}"


def _why(one: Kept, older_ms: int) -> str:
    """Say why a tree stays."""
    if one.state == UNKNOWN:
        return "the server knows no such ticket; remove the folder by hand if that is right"
    if one.state not in ENDED:
        return f"its ticket has not ended ({one.state})"
    if one.is_busy:
        return "a worker is at it"
    return f"at rest for {span(one.rested_ms)}, and not yet for {span(older_ms)}"


def _told(done: Pruned, *, is_dry: bool) -> dict[str, object]:
    return {
        "is_dry": is_dry,
        "removed": [one.told() for one in done.removed],
        "kept": [one.told() for one in done.kept],
        "failed": [{"ticket_id": name, "why": why} for name, why in done.failed],
        "freed_bytes": 0 if is_dry else sum(one.size for one in done.removed),
    }


def _size(count: float) -> str:
    """Say bytes as people do."""
    place = 0
    while count >= STEP and place < len(SIZES) - 1:
        count /= STEP
        place += 1
    return f"{count:.0f} {SIZES[0]}" if place == 0 else f"{count:.1f} {SIZES[place]}"
