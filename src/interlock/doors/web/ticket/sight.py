"""Everything that only the page of a ticket shows: its way, and the view of the phase it is in.

The view follows from the inventory's row of the phase. An attempt that was chosen is shown as the
ticket stood then; nothing can be done there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from interlock.commands.ticket.status import phase_told
from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest
from interlock.doors.web.now import Button, Now
from interlock.doors.web.ticket.approval import (
    NAMES,
    REVIEWED,
    Approval,
    approval_of,
    reopening,
    review_of,
)
from interlock.doors.web.ticket.book import Attempt, Book, read_book
from interlock.doors.web.ticket.building import Building, building_of
from interlock.doors.web.ticket.council import (
    Council,
    Seat,
    Shelf,
    council_of,
    seats_of,
    shelf_of,
)
from interlock.doors.web.ticket.interview import Interview, filled, interview_of, unplaced
from interlock.doors.web.ticket.track import Group, track
from interlock.doors.web.ticket.trouble import Occurrence, occurrences
from interlock.kernel.rules import USER
from interlock.kernel.why import Why
from interlock.service.errors import CorruptState
from interlock.service.read import Read
from interlock.ticketing.checked import part, rows
from interlock.workflows.ticket.phases import BY_NAME, REVIEW

WORKFLOW: Final = "ticket"
Fields = Mapping[str, object]
ASKS: Final = frozenset({"start", "answer_batch", "approve", "retry", "cancel", "merge"})
REVIEWING: Final = "review"
NEXT: Final = {
    "draft": ("Start it", "#draft"),
    "interview_qa": ("Answer", "#answers"),
    "approval": ("Review", "#approval"),
    "error": ("See what went wrong", "#trouble"),
    REVIEWING: ("Review", "#pull-request"),
}
ASKED: Final = {
    "draft": "Nothing happens until somebody starts it.",
    "interview_qa": "Questions wait for your answers.",
    "approval": "The {} waits for your approval.",
    "error": "It goes on when somebody retries it, or is given up.",
    REVIEWING: "The pull request waits for your review.",
}
"""By view what leads to it, and what is asked there."""


class Paper(NamedTuple):
    """A document that was approved."""

    name: str
    called: str
    can_reopen: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """What a ticket's page shows beyond any unit's."""

    groups: tuple[Group, ...]
    attempts: tuple[Attempt, ...]
    chosen: Attempt
    label: str
    view: str
    fields: Fields
    project: str
    # What this person may do now, by the event; nothing in the past.
    can: frozenset[str]
    council: Council | None = None
    interview: Interview | None = None
    approval: Approval | None = None
    troubles: tuple[Occurrence, ...] = ()
    # What was approved before, and whether it can be reopened.
    approved: tuple[Paper, ...] = ()
    members: tuple[str, ...] = ()
    # Who has an assignment now.
    round: tuple[Seat, ...] = ()
    form: Form | None = None
    building: Building | None = None

    @property
    def asking(self) -> str:
        """What is asked of people here, by the name of a view."""
        return REVIEWING if self.chosen.phase == REVIEW else self.view

    @property
    def reopenable(self) -> tuple[Paper, ...]:
        """What was approved and can be mended."""
        return tuple(one for one in self.approved if one.can_reopen)

    @property
    def lost(self) -> Mapping[str, str]:
        """What was written to questions that do not wait any more."""
        waiting = self.interview.waiting if self.interview else None
        return unplaced(self.form or {}, waiting.questions if waiting else ())

    def about(self) -> dict[str, object]:
        """Return what the ticket says of itself, and what its start has locked, in short."""
        config = part(self.fields, "config")
        members = [
            f"{one.get('name')}: {one.get('agent')} {one.get('model') or ''}".strip()
            for one in rows(config, "members")
        ]
        limits = part(config, "limits")
        said = {name: self.fields.get(name) for name in ("description", "policy", "note")}
        return {
            **said,
            "repository": config.get("repository"), "base_branch": config.get("base_branch"),
            "council": members,
            "limits": [
                f"{name.replace('_', ' ')}: {limit}"
                for name, limit in limits.items()
                if isinstance(limit, int)
            ],
        }  # fmt: skip

    def now(self, now: Now) -> Now:
        """Return the first line of the page with what leads to the view, where somebody waits."""
        word, place = NEXT.get(self.asking, ("", ""))
        is_asked = bool(self.can & (ASKS)) and self._is_waiting
        if not word or not is_asked:
            return self._working(now)
        others = tuple(one for one in now.buttons if one.look != "main")
        text = ASKED[self.asking].format(self.approval.called if self.approval else "")
        return now._replace(
            look="bad" if self.view == "error" else "", head="Waiting for you", text=text,
            buttons=(Button(word, place, "main"), *others),
        )  # fmt: skip

    def _working(self, now: Now) -> Now:
        """Return the line of a ticket that nobody waits for, with how far its round has come."""
        if now.look != "go" or not self.round or self.building is not None:
            return self._building(now)
        done = sum(seat.chip.look == "done" for seat in self.round)
        idle = sum(seat.chip.look == "idle" for seat in self.round)
        text = f"{done} of {len(self.round)} have answered."
        if idle:
            text += " What nobody has begun waits for a worker: interlock worker --agents."
        return now._replace(text=f"{text} Nothing is asked of you.")

    def _building(self, now: Now) -> Now:
        """Return the line of a ticket that is built, with what is done and what is left."""
        built = self.building
        if now.look != "go" or built is None or not built.live:
            return now
        told = "; ".join(one.what for one in built.live[:2])
        if built.estimate is not None:
            told += f". What is left takes {built.estimate.words}"
        return now._replace(text=f"{told}. Nothing is asked of you.")

    @property
    def _is_waiting(self) -> bool:
        """Whether what is asked for is there."""
        if self.view == "interview_qa":
            return self.interview is not None and self.interview.waiting is not None
        return self.view != "approval" or "approve" in self.can


def is_decided_here(phase: str) -> bool:
    """Say whether the page of a ticket has the form for what a phase asks of people."""
    view = BY_NAME[phase].view
    return phase == REVIEW or (view in NEXT and (view != "approval" or bool(review_of(phase))))


async def sight_of(
    guest: Guest, read: Read, why: Why, form: Form | None = None, at: int | None = None
) -> tuple[Sight, int | None]:
    """Return what is shown of a ticket, and the entry it is shown at; None for the present.

    ``at`` is an entry of the audit; an attempt is asked for by its number.
    """
    row = read.whole.row
    book = await read_book(guest, row.id, at, None if at is not None else read.snapshot)
    chosen = book.named(guest.number("attempt"))
    is_past = at is not None or not chosen.is_current
    fields = book.after(chosen) if is_past else row.unit.fields
    told = phase_told(row)
    can = frozenset() if is_past or not guest.may("decide") else _can(why)
    labels = {} if at is not None else {book.attempts[-1].phase: str(told["label"])}
    shelf = await shelf_of(guest, row.id)
    view = BY_NAME[chosen.phase].view
    sight = Sight(
        track(book.attempts, labels), book.attempts, chosen,
        labels.get(chosen.phase, chosen.label), view, fields, await _project(guest, fields), can,
        council=await _council(book, shelf, chosen),
        interview=await _interview(shelf, fields, view, form),
        approval=await _approval(guest, book, chosen, fields, form),
        troubles=occurrences(book, chosen),
        approved=_approved(fields, chosen, can),
        members=tuple(cast("Sequence[str]", fields["roster"] or ())),
        round=() if is_past else seats_of(book.stood(chosen)), form=form,
        building=await _building(shelf, book, chosen, fields, read),
    )  # fmt: skip
    return sight, at if chosen.is_current else chosen.last


async def _council(book: Book, shelf: Shelf, chosen: Attempt) -> Council | None:
    """Return the council, as far as the past can still be read."""
    try:
        return await council_of(book, shelf, chosen)
    except CorruptState:
        return None


async def _building(
    shelf: Shelf, book: Book, chosen: Attempt, fields: Fields, read: Read
) -> Building | None:
    """Return how far it was built, as far as the past can still be read."""
    try:
        return await building_of(shelf, book, chosen, fields, read.whole.due)
    except CorruptState:
        return None


def _can(why: Why) -> frozenset[str]:
    return frozenset(call.event for call in why.calls if USER in call.actors)


async def _project(guest: Guest, fields: Fields) -> str:
    """Return what the project is called; an id that nobody knows is told as it is."""
    name = str(fields["project"] or "")
    row = await guest.engine.store.projects.find(guest.person.tenant, name) if name else None
    return name if row is None else row.name


async def _interview(
    shelf: Shelf, fields: Fields, view: str, form: Form | None
) -> Interview | None:
    if view != "interview_qa":
        return None
    held = cast("Mapping[str, str]", fields["documents"] or {})
    found = interview_of(await shelf.read(held.get("session", "")))
    if found is None or found.waiting is None or form is None:
        return found
    questions = tuple(filled(form, one) for one in found.waiting.questions)
    return found._replace(waiting=found.waiting._replace(questions=questions))


async def _approval(
    guest: Guest, book: Book, chosen: Attempt, fields: Fields, form: Form | None
) -> Approval | None:
    name = review_of(chosen.phase)
    if not name:
        return None
    # An attempt that is over showed what was approved there; after it the next phase has begun.
    held = fields if chosen.is_current else book.stood(chosen).unit.fields
    return await approval_of(guest, book.unit, name, held, (form or {}).get("content_digest", ""))


def _approved(fields: Fields, chosen: Attempt, can: frozenset[str]) -> tuple[Paper, ...]:
    """Return the documents there are beside the one that waits, and which can be reopened."""
    held = cast("Mapping[str, str]", fields["documents"] or {})
    return tuple(
        Paper(name, NAMES[name], reopening(name) in can)
        for name in REVIEWED
        if name in held and name != review_of(chosen.phase)
    )
