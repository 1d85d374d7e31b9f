"""The book of a ticket: every attempt of every phase, and the ticket as it stood in each.

Read from the audit once, so that a page can look at several moments. What an answer brings (its
documents, who has won) is written in the commit that leaves the phase; ``after`` sees that, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from interlock.commands.ticket.history import told_attempts
from interlock.doors.web.chips import shortened
from interlock.doors.web.guest import Guest
from interlock.kernel.replay import Folding
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from interlock.service.errors import CorruptState, NotFound
from interlock.service.record import Body, read_body, read_records
from interlock.store.port import AuditRow
from interlock.workflows.ticket.phases import BY_NAME

PAGE: Final = 1_000


class Attempt(NamedTuple):
    """A time that the ticket was in a phase; ``last`` is None while it still is."""

    number: int
    phase: str
    label: str
    group: str
    # The how-manieth time it was in this phase.
    time: int
    first: int
    last: int | None
    entered_at: int
    left_at: int | None
    # What it was left by.
    by: str

    @property
    def is_current(self) -> bool:
        """Whether the ticket is there now."""
        return self.last is None


@dataclass(frozen=True, slots=True)
class Book:
    """What happened to a ticket."""

    unit: str
    flow: Workflow
    rows: Sequence[AuditRow]
    attempts: tuple[Attempt, ...]
    # As it stands now, where the book goes so far: nothing needs to be folded for that.
    live: Snapshot | None = None

    def named(self, number: int | None) -> Attempt:
        """Return an attempt by its number; the current one where none is named."""
        if number is None:
            return self.attempts[-1]
        if not 1 <= number <= len(self.attempts):
            raise NotFound(f"{self.unit}: attempt {number}")
        return self.attempts[number - 1]

    def latest(self, phases: Sequence[str], until: Attempt, since: int = 0) -> Attempt | None:
        """Return the last attempt of one of these phases, up to one and after a number."""
        found = (
            one for one in self.attempts[since : until.number] if one.phase in phases
        )  # fmt: skip
        return max(found, key=lambda one: one.number, default=None)

    def stood(self, attempt: Attempt) -> Snapshot:
        """Return the ticket as it stood right before it left a phase, or as it stands in it."""
        if attempt.last is None and self.live is not None:
            return self.live
        return self._at(attempt.last or self.rows[-1].link.sequence)

    def after(self, attempt: Attempt) -> Mapping[str, object]:
        """Return what the ticket held once the commit was done that left a phase."""
        if attempt.last is None:
            return self.stood(attempt).unit.fields
        until = attempt.last + 1
        leaving = _mark(self._body(until))
        while until < len(self.rows) and _mark(self._body(until + 1)) == leaving:
            until += 1
        return self._at(until).unit.fields

    def _body(self, sequence: int) -> Body:
        return _read(self.rows[sequence - 1].link.body)

    def _at(self, sequence: int) -> Snapshot:
        folding = Folding(self.flow)
        for row in self.rows[:sequence]:
            try:
                for record in read_records(row.link.body):
                    folding.take(record)
            except (KeyError, TypeError, ValueError) as exc:
                why = f"its entry {row.link.sequence} cannot be folded"
                raise CorruptState(self.unit, why) from exc
        return folding.snapshot()


def _read(text: str) -> Body:
    """Read an entry; one that somebody has damaged says nothing: verifying names it."""
    try:
        body: object = read_body(text)
    except ValueError:
        body = {}
    return body if isinstance(body, dict) else {}


def _mark(body: Body) -> tuple[object, object, object]:
    """Return what entries of one commit have in common."""
    return body.get("event"), body.get("at"), body.get("actor")


async def read_book(
    guest: Guest, unit: str, until: int | None = None, live: Snapshot | None = None
) -> Book:
    """Read the book of a ticket, up to an entry of its audit where one is named."""
    store, tenant = guest.engine.store, guest.person.tenant
    rows: list[AuditRow] = []
    while True:
        more = await store.audit(tenant, unit, rows[-1].link.sequence if rows else 0, PAGE)
        rows += more
        if len(more) < PAGE:
            break
    rows = rows[:until]
    if not rows:
        raise NotFound(unit)
    told = told_attempts((one.link.sequence, one.link.at, _read(one.link.body)) for one in rows)
    # A phase that no inventory has is one that somebody wrote into the audit by hand.
    known = [one for one in told if str(one["phase"]) in BY_NAME]
    attempts = tuple(_attempt(number, one) for number, one in enumerate(known, 1))
    return Book(unit, guest.engine.running(unit).flow, rows, attempts, live)


def _attempt(number: int, told: Mapping[str, object]) -> Attempt:
    return Attempt(
        number, str(told["phase"]), shortened(str(told["label"])), str(told["group"]),
        cast("int", told["attempt"]), cast("int", told["first"]),
        cast("int | None", told.get("last")), cast("int", told["entered_at"]),
        cast("int | None", told.get("left_at")), str(told.get("by", "")),
    )  # fmt: skip
