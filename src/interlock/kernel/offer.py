"""What a queue hands out: asked of one part alone, of the unit alone, and of both together.

A store finds the head of a queue by an index, not by asking every part. For that the test of a
queue is taken apart: what it says about the part (``rank``) is kept with the part, what it says
about the unit (``takes``) with the unit. Both halves may say yes too often, never no; the whole
test is asked of the few parts that are left (``head``).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from interlock.kernel.draft import Draft
from interlock.kernel.fold import fold
from interlock.kernel.forms import (
    All,
    Any,
    Both,
    Check,
    Count,
    Either,
    Form,
    Free,
    In,
    Is,
    Named,
    Not,
)
from interlock.kernel.joined import joined
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.look import NOBODY
from interlock.kernel.seen import UNSEEN, Event, Part, Seen, Tally, Unit
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
    # For each of those statuses of a part: whether it may be handed out, and before all others.
    _parts: Mapping[str, tuple[Check, Check]]
    _unit: Check
    # The whole test for a pair of statuses, folded when it is first asked.
    _wholes: dict[tuple[str, str], Check] = field(default_factory=dict, compare=False)

    def rank(self, part: Part, waits: int) -> int | None:
        """Return when the part would be handed out, as far as it alone can say; None is never."""
        checks = self._parts.get(part.status)
        if checks is None:
            return None
        may, is_first = checks
        draft = self._draft(NO_UNIT, {}, part, waits)
        if not may(draft):
            return None
        return FIRST if is_first(draft) else IN_TURN

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
            part = one.part
            pair = (unit.status, part.status)
            whole = self._wholes.get(pair) or self._fold(*pair)
            draft = self._draft(unit, tally, part, one.waits)
            if not whole(draft):
                continue
            _, is_first = self._parts[part.status]
            rank = (not is_first(draft), one.ord)
            if best is None or rank < best:
                best, head = rank, one
        return head

    def _fold(self, unit: str, part: str) -> Check:
        """Return what is left of the whole test where unit and part stand so."""
        form = self.kind.claimable
        left = fold(form, unit, part) if form is not None and part in self._parts else False
        check: Check = YES if left else NO
        if not isinstance(left, bool):
            check = left.compile(self.flow.functions)
        self._wholes[unit, part] = check
        return check

    def _draft(self, unit: Unit, tally: Tally, part: Part | None, waits: int) -> Draft:
        return Draft(self.flow, Seen(unit, tally, part, UNSEEN, waits), self.claim, 0)


def queues(flow: Workflow) -> Mapping[str, Queue[C]]:
    """Return the queues of a workflow by kind of part."""
    return {kind.name: _queue(flow, kind) for kind in flow.parts if kind.claim}


def _queue(flow: Workflow, kind: PartKind) -> Queue[C]:
    whole = kind.claimable or Both(())
    first = kind.first or Either(())
    rule = flow.table.rules[kind.claim]
    names = kind.machine.names()
    statuses = [s for s in names if rule.part_statuses is None or s in rule.part_statuses]
    parts = {}
    for status in statuses:
        side = _part_side(flow, status)
        parts[status] = (_half(whole, side, unknown=YES), _half(first, side, unknown=NO))
    return Queue(
        flow,
        kind,
        tuple(statuses),
        frozenset(flow.unit.names()) if rule.unit_statuses is None else rule.unit_statuses,
        Event(kind.claim, NOBODY),
        parts,
        _half(whole, _unit_side(flow), unknown=YES),
    )


def YES(_: Draft) -> bool:  # noqa: N802  a constant that can be called
    """Hold always."""
    return True


def NO(_: Draft) -> bool:  # noqa: N802
    """Never hold."""
    return False


Side = Callable[[Form], Check | None]
"""Compiles a leaf of a form that is about the side in question; None for any other."""


def _half(form: Form, side: Side, *, unknown: Check) -> Check:
    """Compile what a form says about one side; what it says of others counts as ``unknown``."""
    if isinstance(form, Not):
        inner = _half(form.test, side, unknown=NO if unknown is YES else YES)
        if inner in (YES, NO):
            return NO if inner is YES else YES
        return lambda d: not inner(d)
    if isinstance(form, Both):
        return _joined(form.tests, side, unknown, ends=NO)
    if isinstance(form, Either):
        return _joined(form.tests, side, unknown, ends=YES)
    return side(form) or unknown


def _joined(tests: tuple[Form, ...], side: Side, unknown: Check, *, ends: Check) -> Check:
    """Join tests of which the first with the answer of ``ends`` settles it."""
    found = [_half(test, side, unknown=unknown) for test in tests]
    if ends in found:
        return ends
    checks = tuple(check for check in found if check not in (YES, NO))
    if not checks:
        return YES if ends is NO else NO
    if len(checks) == 1:
        return checks[0]
    return joined(checks, settles=ends is YES)


def _part_side(flow: Workflow, status: str) -> Side:
    """Return what a part in a status can say by itself."""

    def compiled(leaf: Form) -> Check | None:
        if isinstance(leaf, In) and leaf.who == "part":
            return YES if status in leaf.statuses else NO
        is_known = isinstance(leaf, Free) or (isinstance(leaf, Is) and leaf.who == "part")
        if is_known or (isinstance(leaf, Named) and leaf.name in LEASE_FUNCTIONS):
            return leaf.compile(flow.functions)
        return None

    return compiled


def _unit_side(flow: Workflow) -> Side:
    """Return what a unit can say by itself."""

    def compiled(leaf: Form) -> Check | None:
        is_known = isinstance(leaf, In | Is) and leaf.who == "unit"
        if is_known or (isinstance(leaf, All | Any | Count) and leaf.of == "unit"):
            return leaf.compile(flow.functions)
        return None

    return compiled
