"""How many bytes of memory rows take: counted for what is remembered, not asked of the system.

Names of fields are not counted: all rows share them (``rows.read_fields``). What two rows share
otherwise is counted twice, so that the sum is rather too large than too small.
"""

from collections.abc import Mapping
from itertools import compress
from operator import is_not
from sys import getsizeof
from typing import Final

from interlock.store.rows import PartRow, UnitRow

PART_BYTES: Final = 480
"""What a remembered part takes beside its fields: the row, its names and numbers, its place."""
UNIT_BYTES: Final = 1_600
"""The same of a unit, with its counts and the heads of its queues."""

PLAIN: Final = frozenset((str, int, float))
"""What holds nothing else: asked by its type, which is quicker than asking what it is not."""


def unit_weight(row: UnitRow) -> int:
    """Return the bytes of a unit that is remembered, without its parts."""
    return UNIT_BYTES + _nested(row.unit.fields)


def part_weight(row: PartRow) -> int:
    """Return the bytes of a part that is remembered."""
    return PART_BYTES + _nested(row.part.fields)


def growth(before: Mapping[str, object], after: Mapping[str, object]) -> int:
    """Return by how many bytes fields are heavier than before; what they share is not weighed.

    Every commit comes by here, and most of what it writes again is what it has read.
    """
    if after is before:
        return 0
    if before.keys() != after.keys():
        return _nested(after) - _nested(before)
    found = getsizeof(after) - getsizeof(before)
    # Fields are copied, so those of the same names stand in the same order.
    for name in compress(after, map(is_not, after.values(), before.values())):
        found += _weight(after[name]) - _weight(before[name])
    return found


def _nested(fields: Mapping[str, object]) -> int:
    """Return the bytes of a mapping and of all that is in it."""
    found = getsizeof(fields)
    # A call only for what is nested: every part that is read comes by here.
    for value in fields.values():
        if type(value) in PLAIN:
            found += getsizeof(value)
        elif value:
            found += _weight(value)
    return found


def _weight(value: object) -> int:
    if type(value) in PLAIN:
        return getsizeof(value)
    if not value:
        return 0
    if isinstance(value, Mapping):
        # Names of what others have sent are each row's own.
        return _nested(value) + sum(map(getsizeof, value))
    if isinstance(value, tuple):
        return getsizeof(value) + sum(map(_weight, value))
    return getsizeof(value)
