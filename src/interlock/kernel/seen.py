"""What a decision may look at: a unit, the parts its event names, and tallies of the rest.

A slice is a list of names from ``SLICES``. Whoever loads it (the store, the snapshot, the
checker) fills those and leaves the others ``UNSEEN``; touching what was not loaded is an error,
so the cost of a decision cannot quietly grow with the size of its unit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn

from interlock.kernel.expression import Expression
from interlock.kernel.rules import NO_ARGS

PartId = str | int
Tally = Mapping[str, Mapping[str, int]]
"""Kind -> status -> how many parts of that kind stand there; statuses nobody is in are absent."""

ALWAYS: Final = {
    "unit": "the unit's status and fields",
    "tally": "its parts by kind and status, which stands in the unit's own row",
}
SLICES: Final = {
    "part": "the part the event is about",
    "next": "the part the queue would hand out next, as the part the event is about",
    "parent": "the parent of that part",
    "current": "the part that the unit's field `current` points at",
    "children": "parts under the part, or else under its parent, by kind and status",
    "dependents": "parts that need the part, by kind and status",
    "conditions": "branches that hang on the part, each with its target and the range up to it",
    "gate": "the digest of what a person was shown",
}


class Actor(NamedTuple):
    """Who acts: user, agent, worker or system; an agent may act on behalf of a user.

    ``channel`` is the way they came in by; no rule looks at it.
    """

    kind: str
    id: str = ""
    session: str = ""
    on_behalf_of: str = ""
    channel: str = ""


class Event(NamedTuple):
    """Something that happened or is asked, about a unit or one of its parts."""

    name: str
    actor: Actor
    part: PartId | None = None
    args: Mapping[str, object] = NO_ARGS


@dataclass(slots=True, eq=False)
class Unit:
    """A unit as it stands. Treated as a value: never changed after it was made."""

    status: str
    fields: dict[str, object]


@dataclass(slots=True, eq=False)
class Part:
    """A part as it stands. Treated as a value: never changed after it was made."""

    kind: str
    status: str
    fields: dict[str, object]
    parent: PartId | None = None
    needs: tuple[PartId, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Where a branch points: whether that part still waits, comes later, and what lies between."""

    part: PartId
    status: str
    is_later: bool
    between: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Branch:
    """A condition that hangs on a part, as far as deciding needs it."""

    expression: Expression
    action: str
    params: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    target: Target | None = None


class SliceError(AssertionError):
    """A rule touched something its slice does not name: a bug in the rule, never in the caller."""


class Unseen:
    """Stands for a slice that was not loaded; any use of it is an error."""

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse to have attributes."""
        raise SliceError(name)

    def __getitem__(self, key: object) -> NoReturn:
        """Refuse to be looked into."""
        raise SliceError(key)

    def __iter__(self) -> NoReturn:
        """Refuse to be walked over."""
        message = "a slice that was not loaded"
        raise SliceError(message)

    def __bool__(self) -> NoReturn:
        """Refuse to be tested."""
        message = "a slice that was not loaded"
        raise SliceError(message)


UNSEEN: Final = Unseen()


def loaded(tally: Tally | Unseen) -> Tally:
    """Return a tally; raises SliceError for one that was not loaded."""
    if isinstance(tally, Unseen):
        raise SliceError("a tally that was not loaded")
    return tally


class NoPart(Part):
    """Stands where a rule about the unit would find a part; any use of it is an error."""

    __slots__ = ()

    def __init__(self) -> None:
        """Have nothing."""

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse to have anything."""
        raise SliceError(name)


NO_PART: Final = NoPart()


class Seen:
    """The loaded slice. ``waits`` is how many parts that the part needs are still open."""

    # Few rules see more than the unit, the tally and a part, so the rest is set when it is.
    parent: Part | Unseen | None = UNSEEN
    current: Part | Unseen | None = UNSEEN
    children: Tally | Unseen = UNSEEN
    dependents: Tally | Unseen = UNSEEN
    gate: str | Unseen = UNSEEN

    def __init__(
        self,
        unit: Unit,
        tally: Tally,
        part: Part | Unseen | None = UNSEEN,
        conditions: tuple[Branch, ...] | Unseen = UNSEEN,
        waits: int = 0,
    ) -> None:
        """Start with what almost every rule sees."""
        self.unit = unit
        self.tally = tally
        self.part = part
        self.conditions = conditions
        self.waits = waits
