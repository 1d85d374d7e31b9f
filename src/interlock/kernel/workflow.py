"""A workflow: one unit machine, its part machines, and the interlock between them.

The rows are the truth; ``Table`` is the same thing compiled for speed when the workflow is made.
Making one checks that the rows fit together (known names, registered functions, known slices):
a workflow that exists can be run, and whether it is *sound* is what the checker says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlock.errors import InterlockError
from interlock.kernel.expression import Grammar
from interlock.kernel.forms import Form, Functions
from interlock.kernel.machine import Machine
from interlock.kernel.refusal import Legal
from interlock.kernel.rules import Cascade, Lift, Pair, Rule
from interlock.kernel.table import Table, compile_table
from interlock.kernel.timer import Timer
from interlock.kernel.trouble import Trouble
from interlock.kernel.validate import mistakes

if TYPE_CHECKING:
    from interlock.kernel.snapshot import Snapshot
    from interlock.kernel.why import Wait

PLAIN: Final = Grammar(roots=frozenset({"result"}), default_root="result")

LEASE_MS: Final = 30 * 60 * 1000
"""How long a claim is good without a sign of life, unless the kind or the unit says otherwise."""


class InvalidWorkflow(InterlockError):
    """The rows of a workflow do not fit together."""

    code = "INVALID_WORKFLOW"
    http = 422


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a unit or part. Fields that no rule reads (``is_read`` False) are not explored.

    A field with ``during`` lives in those statuses only: moving to any other one sets it back to
    its default. A lease ends that way, whatever ends it.
    """

    name: str
    default: object = None
    is_read: bool = True
    during: tuple[str, ...] = ()


def lease(*during: str) -> tuple[Field, ...]:
    """Return what a part that can be claimed carries: holder, number of the claim, is it overdue.

    The lease lives while the part is in ``during``; the number outlives it, and is the fence.
    """
    return (
        Field("holder", during=during),
        Field("fence", 0),
        Field("lapsed", default=False, during=during),
    )


@dataclass(frozen=True, slots=True)
class PartKind:
    """What a unit is made of: its machine, its fields, its parent kind, how it is queued.

    ``closed`` are the statuses in which a part no longer holds back those that need it;
    ``claim`` is the event that takes one, ``claimable`` when it can be taken, ``first`` which
    ones go before their turn. ``verbs`` says which events the queue's other words stand for.
    At most one part of a unit may be in the statuses ``alone``: a store holds that true by a
    unique key. Parts that are not ``is_ordered`` are interchangeable. ``timer`` says when their
    time is up; what is claimed has none, because its time is the lease's.
    """

    machine: Machine
    fields: tuple[Field, ...] = ()
    parent: str = ""
    closed: frozenset[str] = frozenset()
    is_ordered: bool = True
    claim: str = ""
    claimable: Form | None = None
    first: Form | None = None
    verbs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    alone: frozenset[str] = frozenset()
    lease_ms: int = LEASE_MS
    timer: Timer | None = None

    @property
    def name(self) -> str:
        """The kind's name, which is its machine's."""
        return self.machine.name

    def defaults(self) -> dict[str, object]:
        """Return the fields of a new part."""
        return {f.name: f.default for f in self.fields}


@dataclass(frozen=True)
class Workflow:
    """Everything that is special about one kind of work."""

    name: str
    unit: Machine
    parts: tuple[PartKind, ...]
    rules: tuple[Rule, ...]
    lifts: tuple[Lift, ...] = ()
    cascades: tuple[Cascade, ...] = ()
    pairs: tuple[Pair, ...] = ()
    fields: tuple[Field, ...] = ()
    functions: Functions = field(default_factory=lambda: MappingProxyType({}))
    groups: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # The language of the branches that hang on its parts.
    conditions: Grammar = PLAIN
    doc: str = ""
    # The field of a unit by which it is held until somebody repairs it, whatever its status.
    held: str = ""
    # When the unit's own time is up. Those of its parts end with it.
    timer: Timer | None = None
    # How a unit is blocked whose rows were found corrupt.
    trouble: Trouble | None = None
    # Says what a unit waits for, in the words of its workflow; it decides nothing, so other words
    # make no other version of it.
    waiting: "Callable[[Snapshot], tuple[Wait, ...]] | None" = field(default=None, compare=False)
    table: Table = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check that the rows fit together, then compile them."""
        wrong = mistakes(self)
        if wrong:
            raise InvalidWorkflow("; ".join(wrong), fix="Mend the rows named in the message.")
        object.__setattr__(self, "table", compile_table(self))

    def rule(self, event: str) -> Rule | None:
        """Return the row of one event, or None."""
        compiled = self.table.rules.get(event)
        return compiled.row if compiled else None

    def kind(self, name: str) -> PartKind:
        """Return one kind of part; raises KeyError for a kind the workflow does not have."""
        return self._kinds[name]

    @cached_property
    def _kinds(self) -> dict[str, PartKind]:
        return {part.name: part for part in self.parts}

    def timer_of(self, name: str) -> Timer | None:
        """Return the timer of the unit or of a kind of part."""
        return self.timer if name == self.unit.name else self.kind(name).timer

    def machine(self, name: str) -> Machine:
        """Return the machine of the unit or of a kind of part."""
        return self.unit if name == self.unit.name else self.kind(name).machine

    def machines(self) -> tuple[Machine, ...]:
        """Return the unit's machine, then those of its parts."""
        return (self.unit, *(p.machine for p in self.parts))

    def shape(self) -> str:
        """Say what the unit is made of, as ``unit > part > part below it, other part``."""
        return self._shape_under(self.unit.name, "")

    def _shape_under(self, name: str, parent: str) -> str:
        below = [kind.name for kind in self.parts if kind.parent == parent]
        words = [self._shape_under(kind, kind) for kind in below]
        # What has parts of its own comes first, so that the longest chain reads straight on.
        words.sort(key=lambda word: " > " not in word)
        return f"{name} > {', '.join(words)}" if words else name

    def defaults(self) -> dict[str, object]:
        """Return the fields of a new unit."""
        return {f.name: f.default for f in self.fields}

    def legal(self, unit_status: str, kind: str, part_status: str = "") -> tuple[Legal, ...]:
        """Return the events about a kind that the tables admit in these statuses."""
        known = self.table.legal
        place = (unit_status, kind, part_status)
        found = known.get(place)
        if found is None:
            found = known[place] = tuple(
                Legal(rule.row.event, rule.row.command, tuple(sorted(rule.row.actors)))
                for rule in self.table.rules.values()
                if rule.row.kind == kind and rule.admits(unit_status, part_status)
            )
        return found

    def nearest(self, event: str) -> str:
        """Return the known event whose name is most like ``event``, or the empty string."""
        return next(iter(get_close_matches(event, self.table.rules, n=1)), "")
