"""The council as people see it: who has drafted what, who gave which points, who won and why.

A round is shown as it stood when it was left. Points are shown only once the vote is over, as the
members themselves are told nothing before. What the winner then changed has its inspiration.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from interlock.commands.ticket.status import OUTCOMES
from interlock.doors.web.chips import Chip, Look
from interlock.doors.web.guest import Guest
from interlock.doors.web.ticket.book import Attempt, Book
from interlock.errors import InterlockError
from interlock.kernel.seen import Part
from interlock.kernel.snapshot import Snapshot
from interlock.store.rows import part_number
from interlock.ticketing import canonical
from interlock.ticketing.checked import Json, part, rows
from interlock.ticketing.context import ALTERNATIVE
from interlock.ticketing.vote import POINTS_MAX
from interlock.workflows.ticket.phases import AUDITS, BY_NAME, PHASES, REFINES, ROUNDS, VOTES

Fields = Mapping[str, object]
DOMAINS: Final = ("interview", "prd", "beads")
ASSIGNMENT: Final = "assignment"
CRITERIA: Final = 5
HEAT: Final = 5
"""Into so many shades points are sorted, beside none."""

LOOKS: Final[Mapping[str, Look]] = {
    "completed": "done", "working": "active", "waiting": "idle", "withdrawn": "idle",
}  # fmt: skip
WORDS: Final = {
    "completed": "Answered", "working": "At work", "waiting": "Not begun", "withdrawn": "Withdrawn",
    "timed_out": "Out of time", "invalid_output": "No valid answer", "failed": "Failed",
}  # fmt: skip


class Seat(NamedTuple):
    """A member in a round: what it was asked to do, and what came of it."""

    name: str
    model: str
    part: str
    chip: Chip
    message: str
    rejected: int
    draft: Json | None = None
    is_winner: bool = False


class Cell(NamedTuple):
    """The points that a member gave a draft; None where it gave none."""

    points: int | None
    heat: int


class Ballot(NamedTuple):
    """The votes of a member, by draft."""

    voter: str
    cells: tuple[Cell, ...]


class Vote(NamedTuple):
    """A vote that is over."""

    drafts: tuple[str, ...]
    ballots: tuple[Ballot, ...]
    totals: tuple[int, ...]
    winner: str
    is_tie: bool


class Change(NamedTuple):
    """Something that a refinement has changed, and whose idea it was."""

    kind: str
    item: str
    reason: str
    whose: str
    item_there: str
    is_declared: bool


@dataclass(frozen=True, slots=True)
class Council:
    """A domain's rounds, as far as they have come."""

    domain: str
    seats: tuple[Seat, ...]
    # Who votes, while they do; who refines or audits.
    voters: tuple[Seat, ...]
    others: tuple[Seat, ...]
    vote: Vote | None
    winner: str
    quorum: int
    changes: tuple[Change, ...] | None
    coverage: Json | None
    files: Json | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the texts are that a ticket has made, by their digests."""

    guest: Guest
    answers: Mapping[int, str]

    async def read(self, digest: str) -> str:
        """Return a text; empty where there is none."""
        store = self.guest.engine.store
        content = await store.content(self.guest.person.tenant, digest) if digest else None
        return "" if content is None else content.decode("utf-8", "replace")

    async def document(self, fields: Fields, name: str) -> Json | None:
        """Return a document that the ticket held; None where it held none."""
        held = cast("Mapping[str, str]", fields.get("documents") or {})
        return read_document(await self.read(held.get(name, "")))

    async def answer(self, name: str) -> Json | None:
        """Return what was handed in for an assignment."""
        return read_document(await self.read(self.answers.get(part_number(name), "")))


def read_document(text: str) -> Json | None:
    """Return a kept document, be it JSON or YAML; None where it cannot be read."""
    if not text:
        return None
    try:
        found: object = json.loads(text) if text.startswith("{") else canonical.read(text)
    except (ValueError, InterlockError):
        return None
    return found if isinstance(found, Mapping) else None


async def shelf_of(guest: Guest, unit: str) -> Shelf:
    """Find what was handed in for each assignment of a ticket."""
    kept = await guest.engine.store.artifacts(guest.person.tenant, unit)
    ordered = sorted(kept, key=lambda one: one.version)
    return Shelf(guest, {one.part: one.digest for one in ordered if one.name == "answer"})


async def council_of(book: Book, shelf: Shelf, chosen: Attempt) -> Council | None:
    """Return the council of an attempt's domain, as it had come by then."""
    domain = BY_NAME[chosen.phase].group
    if domain not in DOMAINS:
        return None if domain != "discovery" else await _scan(book, shelf, chosen)
    drafting = book.latest(_of(ROUNDS, domain, without=VOTES), chosen)
    if drafting is None:
        return None
    voting = book.latest(_of(VOTES, domain), chosen, drafting.number)
    refining = book.latest(_of(REFINES, domain), chosen, drafting.number)
    auditing = book.latest(_of(AUDITS, domain), chosen, drafting.number)
    fields = book.after(chosen)
    roster = _roster(fields)
    winner = cast("int", fields["winner"]) if refining else -1
    seats = await _drafts(book, shelf, drafting, winner)
    vote = await _vote(book, shelf, voting, winner) if voting and not voting.is_current else None
    working = chosen.phase in (*REFINES, *AUDITS)
    return Council(
        domain, seats,
        voters=seats_of(book.stood(voting)) if voting and voting.is_current else (),
        others=seats_of(book.stood(chosen)) if working else (),
        vote=vote, winner=roster[winner] if refining and winner < len(roster) else "",
        quorum=cast("int", fields["quorum"]),
        changes=_changes(await shelf.document(fields, f"changes/{domain}"), seats)
        if refining and not refining.is_current else None,
        coverage=await shelf.document(fields, f"coverage/{domain}") if auditing else None,
        files=None,
    )  # fmt: skip


async def _scan(book: Book, shelf: Shelf, chosen: Attempt) -> Council:
    """Return the round before the council: one member has looked for the files that matter."""
    fields = book.after(chosen)
    files = await shelf.document(fields, "relevant_files")
    return Council(
        "discovery", (), (), seats_of(book.stood(chosen)), None, "", 1, None, None, files
    )


def _of(phases: Sequence[str], domain: str, without: Sequence[str] = ()) -> tuple[str, ...]:
    return tuple(
        one.name
        for one in PHASES
        if one.group == domain and one.name in phases and one.name not in without
    )


def _roster(fields: Fields) -> tuple[str, ...]:
    return tuple(cast("Sequence[str]", fields["roster"] or ()))


# -- members -----------------------------------------------------------------------------------


def seats_of(snapshot: Snapshot) -> tuple[Seat, ...]:
    """Return who has an assignment, in the council's order."""
    members = rows(part(snapshot.unit.fields, "config"), "members")
    models = {
        str(one.get("name")): f"{one.get('agent', '')} {one.get('model', '')}" for one in members
    }
    found = [
        (cast("int", one.fields["place"]), _seat(str(name), one, models))
        for name, one in zip(snapshot.ids, snapshot.parts, strict=True)
        if one.kind == ASSIGNMENT
    ]
    return tuple(seat for _, seat in sorted(found, key=lambda pair: pair[0]))


def _seat(name: str, assignment: Part, models: Mapping[str, str]) -> Seat:
    fields = assignment.fields
    failure = cast("Fields", fields["failure"] or {})
    outcome = OUTCOMES.get(assignment.status) or str(failure.get("class", "failed"))
    member = str(fields["member"] or fields["role"])
    return Seat(
        member, models.get(member, "").strip(), name,
        outcome_chip(outcome),
        str(failure.get("message") or ""), cast("int", fields["rejected"] or 0),
    )  # fmt: skip


def outcome_chip(outcome: str) -> Chip:
    """Return what came of a member's work as it is shown."""
    return Chip(LOOKS.get(outcome, "bad"), WORDS.get(outcome, outcome))


async def _drafts(book: Book, shelf: Shelf, drafting: Attempt, winner: int) -> tuple[Seat, ...]:
    """Return the members with what they have drafted."""
    stood = book.stood(drafting)
    roster = _roster(stood.unit.fields)
    drafts = cast("Sequence[str]", stood.unit.fields["drafts"])
    found = []
    for seat in seats_of(stood):
        place = roster.index(seat.name) if seat.name in roster else len(drafts)
        digest = drafts[place] if place < len(drafts) else ""
        draft = read_document(await shelf.read(digest))
        found.append(seat._replace(draft=draft, is_winner=place == winner))
    return tuple(found)


# -- votes -------------------------------------------------------------------------------------


async def _vote(book: Book, shelf: Shelf, voting: Attempt, winner: int) -> Vote | None:
    """Return what was voted; None where nobody had to."""
    stood = book.stood(voting)
    fields = stood.unit.fields
    roster = _roster(fields)
    digests = cast("Sequence[str]", fields["drafts"])
    places = [place for place, digest in enumerate(digests) if digest]
    sums = cast("Sequence[int]", fields["totals"] or ())
    seats = seats_of(stood)
    if not seats or not places:
        return None
    drafts = tuple(roster[place] for place in places)
    ballots = []
    for seat in seats:
        points = part(await shelf.answer(seat.part) or {}, "points")
        ballots.append(Ballot(seat.name, tuple(_cell(points.get(name)) for name in drafts)))
    totals = tuple(sums[place] if place < len(sums) else 0 for place in places)
    best = max(totals)
    name = roster[winner] if 0 <= winner < len(roster) else ""
    return Vote(drafts, tuple(ballots), totals, name, is_tie=totals.count(best) > 1)


def _cell(points: object) -> Cell:
    if not isinstance(points, int):
        return Cell(None, 0)
    return Cell(points, min(HEAT, points * HEAT // (POINTS_MAX * CRITERIA)))


# -- what the winner changed -------------------------------------------------------------------


def _changes(found: Json | None, seats: Sequence[Seat]) -> tuple[Change, ...]:
    """Return what was changed; a draft is known to its author only by a number."""
    others = [seat.name for seat in seats if seat.draft is not None and not seat.is_winner]
    names = {ALTERNATIVE.format(number): name for number, name in enumerate(others, 1)}
    told = []
    for row in rows(found or {}, "changes"):
        came = part(row, "inspiration")
        whose = str(came.get("draft") or "")
        told.append(
            Change(
                str(row.get("type")),
                str(row.get("item")),
                str(row.get("reason") or ""),
                names.get(whose, whose),
                str(came.get("item") or ""),
                row.get("is_declared") is True,
            )
        )
    return tuple(told)
