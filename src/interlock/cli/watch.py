"""``interlock ticket watch``: how far a ticket is, as it goes on, until somebody is asked.

At a terminal bars that fill, elsewhere a line for each change, with ``--json`` one document a line.
It ends with the ticket, or at a gate with what there is to do.
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Annotated, Final, NamedTuple, Protocol, Self, cast

import typer
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from interlock.cli.local import plain, with_verbs
from interlock.cli.screen import out, print_lines
from interlock.commands.verbs import Verbs
from interlock.workflows.ticket.phases import BLOCKED, ENDED, PHASES

Told = Mapping[str, object]
EVERY_S: Final = 1.0
PAGE: Final = 1_000
LINE_MAX: Final = 200
OPEN: Final = ("waiting", "working")
ASKED: Final = ("needs you", "to do")
"""Columns of the board in which somebody is asked, unless a worker has something to do there."""

WAY: Final = tuple(phase.name for phase in PHASES if phase.group not in ("done", "errors"))


class Moment(NamedTuple):
    """How a ticket stands."""

    phase: str
    label: str
    title: str
    # How many phases lie behind it, and how many beads are done of how many.
    behind: int
    done: int
    beads: int
    # What is worked on: the part, and what it is in words.
    work: tuple[tuple[str, str], ...]
    is_asked: bool

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to be watched any more."""
        return self.is_asked or self.phase in ENDED

    def told(self) -> dict[str, object]:
        """Return it as a document."""
        return {
            "phase": self.phase, "label": self.label,
            "beads": {"done": self.done, "of": self.beads},
            "work": [{"part_id": part, "what": what} for part, what in self.work],
            "is_over": self.is_over,
        }  # fmt: skip


class Screen(Protocol):
    """Where it is shown."""

    def show(self, now: Moment, line: str) -> None:
        """Show how it stands, and the last line that was told about the work."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def watch(
    context: typer.Context,
    ticket: Annotated[str, typer.Argument(help="The ticket's id.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document a line, for each change.")
    ] = False,
) -> None:
    """Follow a ticket until it has ended or somebody is asked; a blocked one ends with 1."""
    screen: Screen = Documents() if as_json else Bars() if out.is_terminal else Lines()
    last, waits = with_verbs(context, lambda verbs: _followed(verbs, ticket, screen))
    if as_json:
        _print_line({**last.told(), "waits": [plain_of(one) for one in waits]})
    else:
        print_lines(_ending(ticket, last, waits))
    if last.phase == BLOCKED:
        raise typer.Exit(1)


async def _followed(verbs: Verbs, ticket: str, screen: Screen) -> tuple[Moment, list[Told]]:
    """Show a ticket until it is over; return how it stands then, and what is waited for."""
    after: object = 0
    line = ""
    with screen:
        while True:
            data = (await verbs.call("ticket_status", {"ticket_id": ticket})).data
            now = moment(data)
            after, line = await _line(verbs, ticket, after, line)
            screen.show(now, line if now.work else "")
            if now.is_over:
                break
            await asyncio.sleep(EVERY_S)
    if now.phase in ENDED:
        return now, []
    found = (await verbs.call("explain", {"id": ticket})).data
    return now, cast("list[Told]", found.get("waits") or [])


async def _line(verbs: Verbs, ticket: str, after: object, before: str) -> tuple[object, str]:
    """Return the last line that workers have told, and its number."""
    line = before
    while True:
        asked = {"id": ticket, "after": after, "limit": PAGE}
        data = (await verbs.call("read_logs", asked)).data
        rows = cast("list[Told]", data["lines"])
        after = data["last"]
        line = str(rows[-1]["text"])[:LINE_MAX] if rows else line
        if data["is_whole"]:
            return after, line


def moment(data: Told) -> Moment:
    """Return how a ticket stands, from what its status says."""
    phase = cast("Told", data["phase"])
    name = str(phase["name"])
    error = cast("Told", data.get("error") or {})
    place = str(error.get("previous_status") or name)
    work = tuple(_work(data))
    beads = cast("list[Told]", data.get("beads") or [])
    return Moment(
        name, str(phase["label"]), str(data["title"]),
        len(WAY) if name == "COMPLETED" else WAY.index(place) if place in WAY else 0,
        sum(one["status"] == "done" for one in beads), len(beads), work,
        is_asked=phase["column"] in ASKED and not work,
    )  # fmt: skip


def _work(data: Told) -> Iterator[tuple[str, str]]:
    """Yield what is open: assignments that nobody has done, beads that somebody builds."""
    most = f" of {data['tries_max']}" if data.get("tries_max") else ""
    for one in cast("list[Told]", data.get("work") or []):
        if one["outcome"] in OPEN:
            who = one.get("member") or one.get("role") or ""
            waits = ", not begun" if one["outcome"] == "waiting" else ""
            yield str(one["part_id"]), f"{one.get('task', '')}, {who}{waits}"
    for number, one in enumerate(cast("list[Told]", data.get("beads") or []), 1):
        if one["status"] == "in_progress":
            tries = cast("int", one.get("tries") or 0) + 1
            yield str(one["bead_id"]), f"bead {number} {one['title']}, attempt {tries}{most}"


def _ending(ticket: str, last: Moment, waits: list[Told]) -> Iterator[str]:
    """Tell how it ended, or what there is to do."""
    if last.phase in ENDED:
        is_good = last.phase == "COMPLETED"
        sign = "[green]✓[/green]" if is_good else "[yellow]-[/yellow]"
        yield f"{sign} {plain(last.title)}: {plain(last.label)}"
        yield f"[dim]proof[/dim]  interlock ticket evidence {plain(ticket)}"
        return
    colour = "red" if last.phase == BLOCKED else "yellow"
    yield f"[{colour}]waits[/{colour}]  {plain(last.label)}"
    for one in waits:
        yield f"  {plain(one['what'])}"
        yield f"  {plain(one['url'])}"
        for said in cast("list[Told]", one["calls"]):
            if "command_line" in said:
                yield f"  {plain(said['command_line'])}"


def plain_of(wait: Told) -> dict[str, object]:
    """Return what is waited for without what only programs send."""
    lines = [
        call["command_line"] for call in cast("list[Told]", wait["calls"]) if "command_line" in call
    ]
    named = {name: wait[name] for name in ("state", "what", "who", "url")}
    return {**named, "command_lines": lines}


def _print_line(document: Told) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stdout.flush()


# -- screens -----------------------------------------------------------------------------------


class _Plain:
    """A screen that only ever adds: what was told is told once."""

    def __init__(self) -> None:
        self._before: tuple[Moment, str] | None = None

    def show(self, now: Moment, line: str) -> None:
        """Tell it, where it is another one."""
        if (now, line) != self._before:
            self.tell(now, line, None if self._before is None else self._before[0])
        self._before = (now, line)

    def tell(self, now: Moment, line: str, before: Moment | None) -> None:
        """Write it down."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left behind."""


class Documents(_Plain):
    """One JSON document a line."""

    def tell(self, now: Moment, line: str, before: Moment | None) -> None:
        """Write a document."""
        del before
        _print_line({**now.told(), "line": line})


class Lines(_Plain):
    """A line for each change."""

    def tell(self, now: Moment, line: str, before: Moment | None) -> None:
        """Print what is different."""
        del line
        if now == before:
            return
        beads = (
            f", {now.done} of {now.beads} beads done" if now.done or now.phase == "CODING" else ""
        )
        work = "; ".join(what for _, what in now.work)
        print_lines([f"{plain(now.label)}{beads}{': ' if work else ''}{plain(work)}"])


class Bars:
    """Bars that fill, with what is worked on below them; they stay where they ended."""

    def __init__(self) -> None:
        """Begin with an empty bar."""
        self._bars = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"),
            console=out,
        )  # fmt: skip
        self._way = self._bars.add_task("Phases", total=len(WAY), told="")
        self._beads: TaskID | None = None
        self._live = Live(self._bars, console=out, refresh_per_second=4)

    def show(self, now: Moment, line: str) -> None:
        """Fill the bars."""
        self._bars.update(self._way, completed=now.behind, told=plain(now.label))
        if now.beads and self._beads is None:
            self._beads = self._bars.add_task("Beads", total=now.beads, told="")
        if self._beads is not None:
            told = f"{now.done} of {now.beads}"
            self._bars.update(self._beads, completed=now.done, total=now.beads or 1, told=told)
        below = [Text.from_markup(f"  [cyan]…[/cyan] {plain(what)}") for _, what in now.work]
        if line:
            below.append(Text.from_markup(f"    [dim]{plain(line)}[/dim]"))
        self._live.update(Group(self._bars, *below), refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave what was shown last."""
        self._live.stop()
