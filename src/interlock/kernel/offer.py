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
from interlock.kernel.joined import joined
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
    # The statuses of a part in which the queue may hand it out, and those of its unit.
    statuses: tuple[str, ...]
    units: frozenset[str]
    claim: Event
    _part: Check
    _unit: Check
    _whole: Check
    _first: Check

    def rank(self, part: Part, waits: int) -> int | None:
        """Return when the part would be handed out, as far as it alone can say; None is never."""
        if part.status not in self.statuses:
            return None
        draft = self._draft(NO_UNIT, {}, part, waits)
        if not self._part(draft):
            return None
        return FIRST if self._first(draft) else IN_TURN

    def takes(self, unit: Unit, tally: Tally) -> bool:
        """Say whether anything may be handed out, as far as the unit alone can say."""
        if unit.status not in self.units or not tally.get(self.kind.name):
            return False
        return self._unit is YES or self._unit(self._draft(unit, tally, None, 0))

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
        return Draft(self.flow, seen, self.claim, 0)


def queues(flow: Workflow) -> Mapping[str, Queue[C]]:
    """Return the queues of a workflow by kind of part."""
    return {kind.name: _queue(flow, kind) for kind in flow.parts if kind.claim}


def _queue(flow: Workflow, kind: PartKind) -> Queue[C]:
    whole = kind.claimable or Both(())
    first = kind.first or Either(())
    rule = flow.table.rules[kind.claim]
    parts = kind.machine.names()
    return Queue(
        flow,
        kind,
        tuple(s for s in parts if rule.part_statuses is None or s in rule.part_statuses),
        frozenset(flow.unit.names()) if rule.unit_statuses is None else rule.unit_statuses,
        Event(kind.claim, NOBODY),
        _half(whole, flow.functions, _is_about_part, unknown=YES),
        _half(whole, flow.functions, _is_about_unit, unknown=YES),
        claimable(kind.claimable, flow),
        _half(first, flow.functions, _is_about_part, unknown=NO),
    )


def YES(_: Draft) -> bool:  # noqa: N802  a constant that can be called
    """Hold always."""
    return True


def NO(_: Draft) -> bool:  # noqa: N802
    """Never hold."""
    return False


def _half(form: Form, functions: Functions, keeps: "Keeps", *, unknown: Check) -> Check:
    """Compile what a form says about one side; what it says of others counts as ``unknown``."""
    if isinstance(form, Not):
        inner = _half(form.test, functions, keeps, unknown=NO if unknown is YES else YES)
        if inner in (YES, NO):
            return NO if inner is YES else YES
        return lambda d: not inner(d)
    if isinstance(form, Both):
        return _joined(form.tests, functions, keeps, unknown, ends=NO)
    if isinstance(form, Either):
        return _joined(form.tests, functions, keeps, unknown, ends=YES)
    return form.compile(functions) if keeps(form) else unknown


def _joined(
    tests: tuple[Form, ...], functions: Functions, keeps: "Keeps", unknown: Check, *, ends: Check
) -> Check:
    """Join tests of which the first with the answer of ``ends`` settles it."""
    found = [_half(test, functions, keeps, unknown=unknown) for test in tests]
    if ends in found:
        return ends
    checks = tuple(check for check in found if check not in (YES, NO))
    if not checks:
        return YES if ends is NO else NO
    if len(checks) == 1:
        return checks[0]
    return joined(checks, settles=ends is YES)


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
