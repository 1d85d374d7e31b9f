"""How many bytes of memory rows take: counted for what is remembered, not asked of the system.

Names of fields are not counted: all rows share them (``rows.read_fields``). What two rows share
otherwise is counted twice, so that the sum is rather too large than too small.
"""

from collections.abc import Mapping
from sys import getsizeof
from typing import Final

from interlock.store.rows import PartRow, UnitRow

PART_BYTES: Final = 320
"""What a remembered part takes beside its fields: the row, its names and numbers, its place."""
UNIT_BYTES: Final = 1_600
"""The same of a unit, with its counts and the heads of its queues."""

TEXT_BYTES: Final = 49
"""What a text takes beside its characters; asking the system for it takes longer than all else."""
CHARACTER_BYTES: Final = 4
"""What a character takes at most where not all of a text are ASCII."""
NUMBER_BYTES: Final = 28
NUMBER_BITS: Final = 30
"""What a number takes, if it is not larger."""


def unit_weight(row: UnitRow) -> int:
    """Return the bytes of a unit that is remembered, without its parts."""
    return UNIT_BYTES + _nested(row.unit.fields)


def part_weight(row: PartRow) -> int:
    """Return the bytes of a part that is remembered."""
    return PART_BYTES + _nested(row.part.fields)


def _nested(fields: Mapping[str, object]) -> int:
    """Return the bytes of a mapping and of all that is in it."""
    found = getsizeof(fields)
    # A call only for what is nested: every part that is read comes by here.
    for value in fields.values():
        if type(value) is str and value.isascii():
            found += TEXT_BYTES + len(value)
        elif value:
            found += _weight(value)
    return found


def _weight(value: object) -> int:
    if not value:
        return 0
    if isinstance(value, str):
        size = 1 if value.isascii() else CHARACTER_BYTES
        return TEXT_BYTES + size * len(value)
    if isinstance(value, float) or (isinstance(value, int) and value.bit_length() < NUMBER_BITS):
        return NUMBER_BYTES
    if isinstance(value, Mapping):
        # Names of what others have sent may be each row's own.
        return _nested(value) + sum(map(getsizeof, value))
    if isinstance(value, tuple):
        return getsizeof(value) + sum(map(_weight, value))
    return getsizeof(value)
