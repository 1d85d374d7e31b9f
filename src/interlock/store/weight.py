"""How many bytes of memory rows take: counted for what is remembered, not asked of the system.

Names of fields are not counted: all rows share them (``rows.read_fields``). What two rows share
otherwise is counted twice, so that the sum is rather too large than too small.
"""

from collections.abc import Mapping
from sys import getsizeof
from typing import Final

from interlock.store.rows import PartRow, UnitRow

PART_BYTES: Final = 480
"""What a remembered part takes beside its fields: the row, its names and numbers, its place."""
UNIT_BYTES: Final = 1_600
"""The same of a unit, with its counts and the heads of its queues."""


def unit_weight(row: UnitRow) -> int:
    """Return the bytes of a unit that is remembered, without its parts."""
    return UNIT_BYTES + _nested(row.unit.fields)


def part_weight(row: PartRow) -> int:
    """Return the bytes of a part that is remembered."""
    return PART_BYTES + _nested(row.part.fields)


def _nested(fields: Mapping[str, object]) -> int:
    """Return the bytes of a mapping and of all that is in it."""
    found = getsizeof(fields)
    # A loop for most of it and a call only for what is nested: every commit comes by here.
    for value in fields.values():
        if type(value) is str:
            found += getsizeof(value)
        elif value:
            found += _weight(value)
    return found


def _weight(value: object) -> int:
    if isinstance(value, Mapping):
        # Names of what others have sent are each row's own.
        return _nested(value) + sum(map(getsizeof, value))
    if isinstance(value, tuple):
        return getsizeof(value) + sum(map(_weight, value))
    return getsizeof(value)
