"""The beads of a ticket as they stand: what each needs, who builds it, how often it was tried.

Made from a snapshot and the audit, so that the past can be shown like the present. Reports of
attempts are large: here they are only counted, the page of a bead reads them.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.doors.web.chips import Chip, chip
from interlock.doors.web.ticket.book import Book
from interlock.doors.web.ticket.graph import Node
from interlock.kernel.seen import Part
from interlock.kernel.snapshot import Snapshot
from interlock.service.record import Body, read_body
from interlock.store.port import ArtifactRow
from interlock.store.rows import part_number
from interlock.ticketing.checked import Json, rows
from interlock.workflows.ticket.bead import BEAD

KIND: Final = "bead"
ATTEMPT: Final = "answer"
"""How the report of an attempt is called where it is kept, among what its bead has."""

BUILT: Final = "done"


class Bead(NamedTuple):
    """A bead."""

    number: int
    part: str
    title: str
    status: str
    chip: Chip
    # The numbers of the beads that it needs, and which of those are not done.
    needs: tuple[int, ...]
    waits: tuple[int, ...]
    member: str
    commit: str
    # What was learnt from attempts that failed, for the next one.
    notes: tuple[Json, ...]
    # How many reports of attempts are kept.
    reports: int
    turns: "Turns"


class Turns(NamedTuple):
    """When a bead was taken up the last time, and how long it took from first to last."""

    begun_at: int | None = None
    took_s: float | None = None


NO_TURNS: Final = Turns()


def beads_of(snapshot: Snapshot, book: Book, kept: Sequence[ArtifactRow]) -> tuple[Bead, ...]:
    """Return the beads in their order."""
    places = snapshot.of_kind(KIND)
    numbers = {str(snapshot.ids[place]): number for number, place in enumerate(places, 1)}
    done = {name for name in numbers if snapshot.part(name).status == BUILT}
    counts: dict[int, int] = {}
    for row in kept:
        if row.name == ATTEMPT:
            counts[row.part] = counts.get(row.part, 0) + 1
    known = turns(book) if places else {}
    return tuple(
        _bead(name, snapshot.part(name), numbers, done, (counts, known)) for name in numbers
    )


def _bead(
    name: str,
    bead: Part,
    numbers: Mapping[str, int],
    done: set[str],
    known: tuple[Mapping[int, int], Mapping[str, Turns]],
) -> Bead:
    counts, when = known
    fields = bead.fields
    needs = [str(need) for need in bead.needs if str(need) in numbers]
    return Bead(
        numbers[name], name, str(fields.get("title") or ""), bead.status,
        chip(BEAD, bead.status),
        tuple(sorted(numbers[need] for need in needs)),
        tuple(sorted(numbers[need] for need in needs if need not in done)),
        str(fields.get("member") or ""), str(fields.get("commit") or ""),
        tuple(rows(fields, "notes")),
        counts.get(part_number(name), 0), when.get(name, NO_TURNS),
    )  # fmt: skip


def turns(book: Book) -> Mapping[str, Turns]:
    """Return by part when it was taken up, and how long it took, as the audit tells it."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    took: dict[str, float] = {}
    for row in book.rows:
        if '"move"' not in row.link.body or '"ids"' not in row.link.body:
            continue
        body = _read(row.link.body)
        for name in map(str, cast("Sequence[str]", body.get("ids") or ())):
            if body.get("target") in ("in_progress", "claimed"):
                first.setdefault(name, row.link.at)
                last[name] = row.link.at
            elif body.get("target") == BUILT and name in first:
                took[name] = (row.link.at - first[name]) / 1000
    return {name: Turns(at, took.get(name)) for name, at in last.items()}


def _read(text: str) -> Body:
    """Read an entry; one that somebody has damaged says nothing."""
    try:
        return read_body(text)
    except ValueError:
        return {}


def nodes(unit: str, beads: Sequence[Bead], more: str = "") -> list[Node]:
    """Return beads as they are drawn, each with its page; ``more`` is what follows the address."""
    return [
        Node(
            one.number,
            one.title,
            one.chip,
            one.needs,
            f"/units/{unit}/beads/{one.number}{more}",
        )
        for one in beads
    ]
