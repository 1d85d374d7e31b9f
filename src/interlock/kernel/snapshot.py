"""A whole unit in memory: the unit, its parts in order, and the branches that hang on them.

Stores keep rows and load slices; a snapshot is for those who need everything at once: replay,
explain, tests, the demo and the checker. Part ids are names, or simply places in the order (the
checker's states have no names). A snapshot is a value: changing it gives another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from interlock.kernel.expression import Expression
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.seen import Part, PartId, Unit
from interlock.kernel.workflow import Workflow


@dataclass(frozen=True, slots=True)
class Condition:
    """A branch as it is kept: hangs on a part, points at another one by id."""

    expression: Expression
    action: str
    params: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    target: PartId | None = None


Conditions = Mapping[PartId, tuple[Condition, ...]]
NO_CONDITIONS: Final[Conditions] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One unit with all its parts. ``ids`` empty means that a part's id is its place."""

    unit: Unit
    parts: tuple[Part, ...] = ()
    ids: tuple[str, ...] = ()
    conditions: Conditions = field(default_factory=lambda: NO_CONDITIONS)

    def place(self, part: PartId) -> int:
        """Return where a part stands in the order; raises KeyError for an unknown id."""
        if isinstance(part, int):
            if 0 <= part < len(self.parts):
                return part
            raise KeyError(part)
        try:
            return self.ids.index(part)
        except ValueError:
            raise KeyError(part) from None

    def name(self, place: int) -> PartId:
        """Return the id of the part at a place."""
        return self.ids[place] if self.ids else place

    def part(self, part: PartId) -> Part:
        """Return a part by id."""
        return self.parts[self.place(part)]

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Return the places of the parts of a kind, in order."""
        return tuple(i for i, p in enumerate(self.parts) if p.kind == kind)

    def key(self) -> tuple[object, ...]:
        """Return a value that two snapshots share exactly if they are the same.

        But for the branches: those are no part of the log, so a replayed snapshot has none.
        """
        unit = (self.unit.status, tuple(self.unit.fields.items()))
        parts = tuple(
            (p.kind, p.status, p.parent, p.needs, tuple(p.fields.items())) for p in self.parts
        )
        return (unit, parts, self.ids)

    def with_conditions(self, conditions: Conditions) -> "Snapshot":
        """Return the same unit with other branches."""
        return replace(self, conditions=conditions)


def waits(flow: Workflow, snapshot: Snapshot, part: Part) -> int:
    """Count the parts that ``part`` needs and that are not closed yet."""
    count = 0
    for need in part.needs:
        needed = snapshot.part(need)
        if needed.status not in flow.kind(needed.kind).closed:
            count += 1
    return count


def begin(flow: Workflow, *, unit: Mapping[str, object] = NO_ARGS) -> Snapshot:
    """Return a new unit in its initial status, with no parts yet."""
    return Snapshot(Unit(flow.unit.initial, {**flow.defaults(), **unit}))


def new_part(
    flow: Workflow,
    kind: str,
    fields: Mapping[str, object] = NO_ARGS,
    *,
    parent: PartId | None = None,
    needs: tuple[PartId, ...] = (),
) -> Part:
    """Return a new part in its initial status."""
    row = flow.kind(kind)
    return Part(kind, row.machine.initial, {**row.defaults(), **fields}, parent, needs)
