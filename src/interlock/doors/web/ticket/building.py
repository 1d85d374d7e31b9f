"""The second half of a ticket as people see it: checks, set-up, beads, tests, pull request, end.

What is at work now is told live, with the last lines of its worker. Everything else is documents
that were filed when a report was judged; which there are says how far it has come.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from markupsafe import Markup

from interlock.doors.web.ticket.beads import BUILT, Bead, beads_of, nodes, turns
from interlock.doors.web.ticket.book import Attempt, Book
from interlock.doors.web.ticket.council import Shelf
from interlock.doors.web.ticket.delivery import Cleaning, Merge, PullRequest, cleaning, merge, pull
from interlock.doors.web.ticket.failure import Failure, failure_of
from interlock.doors.web.ticket.gauge import Estimate, Gauge, estimate, gauges
from interlock.doors.web.ticket.graph import graph
from interlock.doors.web.ticket.reports import Check, Report, checks_of, report_of
from interlock.doors.web.ticket.tail import tail
from interlock.kernel.snapshot import Snapshot
from interlock.store.logs import LogRow
from interlock.ticketing.checked import Json, part, text
from interlock.workflows.ticket.phases import BLOCKED, BY_NAME

HALF: Final = ("pre_implementation", "implementation", "post_implementation")
AFTER: Final = ("done", "errors")
"""The groups of the second half, and those that may come after it."""

AGAIN_S: Final = 2
"""How often the page looks again while somebody works: lines are no entries of the audit."""

HELD: Final = {"bead": ("in_progress",), "assignment": ("claimed",)}
TASKS: Final = {
    "check": "Looking whether everything is ready", "plan": "Drafting the setup plan",
    "prepare": "Setting the workspace up", "test": "Testing everything",
    "integrate": "Making one commit of it", "publish": "Opening the pull request",
    "merge": "Merging the pull request", "clean": "Cleaning up",
    "restore": "Putting the working tree back",
}  # fmt: skip
"""What somebody does, by the task."""


class Live(NamedTuple):
    """Something that is worked on now."""

    part: str
    what: str
    who: str
    holder: str
    number: int
    most: int
    since: int | None
    until: int | None
    lines: Sequence[LogRow]

    @property
    def is_tried(self) -> bool:
        """Whether it is one attempt of several."""
        return self.most > 1


@dataclass(frozen=True, slots=True)
class Building:
    """How far a ticket has been built, at a moment."""

    beads: tuple[Bead, ...]
    drawing: Markup
    live: tuple[Live, ...]
    gauges: tuple[Gauge, ...]
    estimate: Estimate | None
    tree: Json
    checks: tuple[Check, ...] | None = None
    setup: Report | None = None
    test: Report | None = None
    integration: Report | None = None
    pull: PullRequest | None = None
    merge: Merge | None = None
    cleaning: Cleaning | None = None
    # What a blocked ticket stopped at.
    failure: Failure | None = None

    @property
    def done(self) -> int:
        """How many beads are done."""
        return sum(one.status == BUILT for one in self.beads)

    @property
    def again(self) -> int:
        """How often the page looks again by itself; 0 where nobody works."""
        return AGAIN_S if self.live else 0

    @property
    def branch(self) -> str:
        """The branch of the ticket."""
        return text(self.tree, "branch")

    @property
    def has_diff(self) -> bool:
        """Whether anything was built that can be looked at."""
        return self.integration is not None or any(one.reports for one in self.beads)


def is_begun(book: Book, chosen: Attempt) -> bool:
    """Say whether an attempt belongs to the second half of a ticket, or came after some of it."""
    if BY_NAME[chosen.phase].group not in (*HALF, *AFTER):
        return False
    return any(BY_NAME[one.phase].group in HALF for one in book.attempts[: chosen.number])


async def building_of(
    shelf: Shelf, book: Book, chosen: Attempt, fields: Mapping[str, object], due: Mapping[str, int]
) -> Building | None:
    """Return how far a ticket has been built; None before its blueprint was approved."""
    if not is_begun(book, chosen):
        return None
    guest = shelf.guest
    snapshot = book.stood(chosen)
    kept = await guest.engine.store.artifacts(guest.person.tenant, book.unit)
    beads = beads_of(snapshot, book, kept)
    finished = [one.turns.took_s for one in beads if one.turns.took_s is not None]
    left = sum(one.status != BUILT for one in beads)
    papers = _Papers(shelf, fields)
    return Building(
        beads, graph(nodes(book.unit, beads)), await live_of(shelf, book, snapshot, due),
        gauges(fields),
        estimate(finished, left, cast("int", fields.get("parallel") or 1)),
        part(fields, "tree"),
        checks=await papers.checks(), setup=await papers.report("execution_setup_report"),
        test=await papers.report("final_test_report"),
        integration=await papers.report("integration_report"),
        pull=pull(await papers.read("pull_request_report"), fields),
        merge=merge(await papers.read("merge_report")),
        cleaning=cleaning(await papers.read("cleanup_report")),
        failure=await failure_of(shelf, book.unit, fields, beads, kept)
        if chosen.phase == BLOCKED else None,
    )  # fmt: skip


class _Papers(NamedTuple):
    """The reports that a ticket held."""

    shelf: Shelf
    fields: Mapping[str, object]

    async def read(self, name: str) -> Json | None:
        return await self.shelf.document(self.fields, name)

    async def report(self, name: str) -> Report | None:
        found = await self.read(name)
        return None if found is None else report_of(found)

    async def checks(self) -> tuple[Check, ...] | None:
        found = await self.read("preflight_report")
        return None if found is None else checks_of(found)


async def live_of(
    shelf: Shelf, book: Book, snapshot: Snapshot, due: Mapping[str, int]
) -> tuple[Live, ...]:
    """Return what is worked on; nothing in the past."""
    if book.live is not snapshot:
        return ()
    most = cast("int", snapshot.unit.fields.get("tries_max") or 1)
    begun = turns(book)
    numbers = {str(snapshot.ids[place]): n for n, place in enumerate(snapshot.of_kind("bead"), 1)}
    found = []
    for place, one in enumerate(snapshot.parts):
        name, fields = str(snapshot.ids[place]), one.fields
        if one.status not in HELD.get(one.kind, ()) or not fields.get("holder"):
            continue
        task = str(fields.get("task") or "")
        is_tried = one.kind == "bead" or task in ("prepare", "test")
        title = f"Bead {numbers[name]}: {fields.get('title')}" if name in numbers else ""
        when = begun.get(name)
        found.append(Live(
            name, title or TASKS.get(task, task),
            str(fields.get("member") or "the worker"), str(fields["holder"]),
            cast("int", fields.get("tries") or 0) + 1, most if is_tried else 1,
            when.begun_at if when else None, due.get(name),
            await tail(shelf.guest, book.unit, name),
        ))  # fmt: skip
    return tuple(found)
