"""What went wrong with a ticket: this time and every time before, and what people did about it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple, cast

from interlock.doors.web.chips import shortened
from interlock.doors.web.ticket.book import Attempt, Book
from interlock.doors.web.ticket.council import Seat, outcome_chip, seats_of
from interlock.service.errors import CorruptState
from interlock.ticketing.checked import Json, part
from interlock.workflows.ticket.phases import BLOCKED, BY_NAME

CODING: Final = "CODING"


class Occurrence(NamedTuple):
    """One time that a ticket was blocked."""

    number: int
    code: str
    message: str
    previous: str
    at: int
    seats: tuple[Seat, ...]
    # How it ended, and when; empty while it has not.
    way: str
    left_at: int | None
    attempt: int


def occurrences(book: Book, until: Attempt) -> tuple[Occurrence, ...]:
    """Return the times that a ticket was blocked, up to an attempt, the last one first."""
    found = []
    for one in book.attempts[: until.number]:
        if one.phase == BLOCKED:
            # Of a past that cannot be read any more nothing can be told but that it was.
            with suppress(CorruptState):
                found.append(_occurrence(book, one))
    return tuple(reversed(found))


def _occurrence(book: Book, attempt: Attempt) -> Occurrence:
    stood = book.stood(attempt)
    fields = stood.unit.fields
    error = cast("Mapping[str, object]", fields["error"] or {})
    previous = str(fields["previous"] or "")
    return Occurrence(
        cast("int", fields["occurrence"]), str(error.get("code") or ""),
        str(error.get("message") or ""),
        shortened(BY_NAME[previous].label) if previous in BY_NAME else "",
        attempt.entered_at,
        # Beads are no assignments: those that there are belong to the phase before.
        () if previous == CODING
        else tuple(_seat(seat, part(error, "members")) for seat in seats_of(stood)),
        attempt.by.replace("_", " ").lower(), attempt.left_at, attempt.number,
    )  # fmt: skip


def _seat(seat: Seat, members: Json) -> Seat:
    """Return a member with what had become of its work before blocking has withdrawn the rest."""
    outcome = members.get(seat.name)
    return seat._replace(chip=outcome_chip(str(outcome))) if outcome else seat
