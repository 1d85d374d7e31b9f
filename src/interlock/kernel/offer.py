"""What a queue hands out: asked of one part alone, of the unit alone, and of both together.

A store finds the head of a queue by an index, not by asking every part. For that the test of a
queue is taken apart: what it says about the part (``rank``) is kept with the part, what it says
about the unit (``takes``) with the unit. Both halves may say yes too often, never no; the whole
test is asked of the few parts that are left (``head``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from interlock.kernel.draft import Draft
from interlock.kernel.forms import (
    All,
    Any,
    Both,
    Check,
    Count,
    Either,
    Form,
    Free,
    Functions,
    In,
    Is,
    Named,
    Not,
)
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.look import NOBODY
from interlock.kernel.seen import Event, Part, Seen, Tally, Unit
from interlock.kernel.table import claimable
from interlock.kernel.workflow import PartKind, Workflow

FIRST: Final = 0
IN_TURN: Final = 1
NO_UNIT: Final = Unit("", {})


class Candidate(Protocol):
    """A part that a store found, as far as a queue must know it."""

    @property
    def part(self) -> Part:
        """The part itself."""

    @property
    def waits(self) -> int:
        """How many parts that it needs are still open."""

    @property
    def ord(self) -> int:
        """Where it stands in the order."""


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Queue(Generic[C]):
    """The queue of one kind of part."""

    flow: Workflow
    kind: PartKind
    # The statuses of a part in which the queue may hand it out.
    statuses: tuple[str, ...]
    _part: Check
    _unit: Check
    _whole: Check
    _first: Check

    def rank(self, part: Part, waits: int) -> int | None:
        """Return when the part would be handed out, as far as it alone can say; None is never."""
        draft = self._draft(NO_UNIT, {}, part, waits)
        if part.status not in self.statuses or not self._part(draft):
            return None
        return FIRST if self._first(draft) else IN_TURN

    def takes(self, unit: Unit, tally: Tally) -> bool:
        """Say whether anything may be handed out, as far as the unit alone can say."""
        rule = self.flow.table.rules[self.kind.claim]
        if rule.unit_statuses is not None and unit.status not in rule.unit_statuses:
            return False
        if not tally.get(self.kind.name):
            return False
        return self._unit(self._draft(unit, tally, None, 0))

    def head(self, unit: Unit, tally: Tally, found: Iterable[C]) -> C | None:
        """Return which of the parts found is handed out next."""
        best: tuple[bool, int] | None = None
        head: C | None = None
        for one in found:
            draft = self._draft(unit, tally, one.part, one.waits)
            if not self._whole(draft):
                continue
            rank = (not self._first(draft), one.ord)
            if best is None or rank < best:
                best, head = rank, one
        return head

    def _draft(self, unit: Unit, tally: Tally, part: Part | None, waits: int) -> Draft:
        seen = Seen(unit, tally, part, waits=waits)
        return Draft(self.flow, seen, Event(self.kind.claim, NOBODY), 0)


def queues(flow: Workflow) -> Mapping[str, Queue[C]]:
    """Return the queues of a workflow by kind of part."""
    return {kind.name: _queue(flow, kind) for kind in flow.parts if kind.claim}


def _queue(flow: Workflow, kind: PartKind) -> Queue[C]:
    whole = kind.claimable or Both(())
    rule = flow.table.rules[kind.claim]
    admitted = rule.part_statuses
    known = kind.machine.names()
    return Queue(
        flow,
        kind,
        tuple(s for s in known if admitted is None or s in admitted),
        _half(whole, flow.functions, _is_about_part, unknown=True),
        _half(whole, flow.functions, _is_about_unit, unknown=True),
        claimable(kind.claimable, flow),
        _half(kind.first or Not(Both(())), flow.functions, _is_about_part, unknown=False),
    )


def _half(form: Form, functions: Functions, keeps: "Keeps", *, unknown: bool) -> Check:
    """Compile what a form says about one side; what it says of others counts as ``unknown``."""
    if isinstance(form, Not):
        inner = _half(form.test, functions, keeps, unknown=not unknown)
        return lambda d: not inner(d)
    if isinstance(form, Both | Either):
        checks = tuple(_half(test, functions, keeps, unknown=unknown) for test in form.tests)
        if isinstance(form, Both):
            return lambda d: all(check(d) for check in checks)
        return lambda d: any(check(d) for check in checks)
    return form.compile(functions) if keeps(form) else lambda _: unknown


class Keeps(Protocol):
    """Says whether a leaf of a form is about the side in question."""

    def __call__(self, leaf: Form, /) -> bool:
        """Answer for one leaf."""


def _is_about_part(leaf: Form) -> bool:
    if isinstance(leaf, In | Is):
        return leaf.who == "part"
    return isinstance(leaf, Free) or (isinstance(leaf, Named) and leaf.name in LEASE_FUNCTIONS)


def _is_about_unit(leaf: Form) -> bool:
    if isinstance(leaf, In | Is):
        return leaf.who == "unit"
    return isinstance(leaf, All | Any | Count) and leaf.of == "unit"
