"""Give the checker's states names: its parts are places, a store's parts have ids.

A state that was explored knows its parts by their places. In a store they are called
``<unit>.<number>``, and so must every field and argument that speaks of a part.
"""

from collections.abc import Mapping
from typing import Final, cast

from interlock.kernel.check.space import State
from interlock.kernel.seen import Part, PartId, Unit
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.store.rows import part_id

SPEAK_OF_PARTS: Final = frozenset(
    {"current", "outputs", "ready", "inputs", "output", "makes", "uses"}
)
"""The fields and arguments of the three workflows that hold ids of parts."""


def part_name(unit: str, place: PartId) -> str:
    """Return what the part at a place is called in a store."""
    return part_id(unit, cast("int", place) + 1)


def named(unit: str, value: object, *, is_part: bool = False) -> object:
    """Return a value with every place that stands for a part replaced by the part's name."""
    if isinstance(value, Mapping):
        return {
            word: named(unit, one, is_part=word in SPEAK_OF_PARTS) for word, one in value.items()
        }
    if isinstance(value, list | tuple):
        return tuple(named(unit, one, is_part=is_part) for one in value)
    if is_part and type(value) is int:
        return part_name(unit, value)
    return value


def named_fields(unit: str, fields: Mapping[str, object]) -> dict[str, object]:
    """Return fields or arguments with names in them."""
    return cast("dict[str, object]", named(unit, fields))


def named_state(
    unit: str, state: State, conditions: Mapping[int, tuple[Condition, ...]]
) -> Snapshot:
    """Return an explored state as the snapshot of a unit of this name."""
    whole, parts = state
    return Snapshot(
        Unit(whole.status, named_fields(unit, whole.fields)),
        tuple(_part(unit, part) for part in parts),
        tuple(part_name(unit, place) for place in range(len(parts))),
        {part_name(unit, at): _conditions(unit, rows) for at, rows in conditions.items()},
    )


def _part(unit: str, part: Part) -> Part:
    parent = None if part.parent is None else part_name(unit, part.parent)
    needs = tuple(part_name(unit, need) for need in part.needs)
    return Part(part.kind, part.status, named_fields(unit, part.fields), parent, needs)


def _conditions(unit: str, rows: tuple[Condition, ...]) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            row.expression,
            row.action,
            row.params,
            None if row.target is None else part_name(unit, row.target),
        )
        for row in rows
    )
