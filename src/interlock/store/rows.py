"""Rows as Python sees them, and the one mapper between them and the kernel's units and parts.

Both stores use these functions and nothing else, so what a column means is said once. A row is a
value: whoever changes something makes another one. Those that every command reads have slots: a
field of a named tuple takes three times as long to read.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import is_not
from typing import Final, NamedTuple, cast

import orjson
from pydantic_core import from_json

from interlock.kernel.seen import Part, Unit
from interlock.store.errors import ArtifactPruned, CorruptState

ORD_GAP: Final = 1 << 20
"""How far apart the orders of two parts are that were made one after the other."""

# These live in columns of their own, because queues, leases and people filter by them.
LEASE_FIELDS: Final = ("holder", "fence", "lapsed")
PLACES: Final = ("role", "member", "site")
"""Fields of a part that say for whom it is and where: they have columns of their own."""

Value = str | int | bytes | None
Fields = dict[str, object]
Tally = Mapping[str, Mapping[str, int]]


@dataclass(slots=True)
class UnitRow:
    """A unit as it is stored. ``version`` is the number of its last audit entry."""

    id: str
    workflow: str
    digest: str
    unit: Unit
    tally: Tally
    version: int
    head: str
    made: int
    takes: str
    created_at: int = 0
    changed_at: int = 0
    ended_at: int | None = None


class BareRow(NamedTuple):
    """A unit's columns as they are, also where no unit can be made of them."""

    id: str
    workflow: str
    digest: str
    status: str
    version: int
    head: str
    made: int
    takes: str
    tally: str
    fields: str
    created_at: int
    changed_at: int
    ended_at: int | None


@dataclass(slots=True)
class PartRow:
    """A part as it is stored. Its ``needs`` are filled in only when a whole unit is read."""

    id: str
    number: int
    part: Part
    ord: int
    waits: int = 0
    feeds: int = 0
    branches: int = 0
    offer: int | None = None
    slot: str | None = None


def with_part(row: PartRow, part: Part, offer: int | None, slot: str | None) -> PartRow:
    """Return a row with the part as it stands now, its rank in the queue and the slot it takes."""
    return PartRow(
        row.id, row.number, part, row.ord, row.waits, row.feeds, row.branches, offer, slot
    )


def part_id(unit: str, number: int) -> str:
    """Return the name of a part: its unit's, a dot, and its number there."""
    return f"{unit}.{number}"


def part_number(part: str) -> int:
    """Return the number of a part within its unit; raises ValueError for what names no part."""
    return int(part.rpartition(".")[2])


def unit_of(name: str) -> str:
    """Return the unit that a name of a unit or part speaks of."""
    return name.partition(".")[0]


# What JSON does not know stays unknown, as it is to everybody else who writes it.
_AS_IS: Final = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
_SORTED: Final = _AS_IS | orjson.OPT_SORT_KEYS


def dump(value: object) -> str:
    """Return the one text of a value: keys sorted, no spaces, every character as itself.

    NaN, which is no JSON, is written as null: who takes values in asks for them ``exactly``.
    """
    try:
        return orjson.dumps(value, None, _SORTED).decode()
    except TypeError:
        return _plain(value, is_sorted=True)


def exactly(value: object) -> str:
    """Return the text of a value as ``dump`` does; raises ValueError where NaN is in it."""
    text = dump(value)
    return _plain(value, is_sorted=True) if "null" in text else text


def _plain(value: object, *, is_sorted: bool) -> str:
    """Write what is JSON but not often met: numbers beyond 64 bits, half characters, depths."""
    return json.dumps(
        value, sort_keys=is_sorted, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


NESTED: Final = (list, dict)
"""What JSON nests values in."""


def freeze(value: object) -> object:
    """Return a value read from JSON with lists as tuples, as the kernel keeps them."""
    # Most of what is nested is plain: asking here saves a call for each of it.
    if isinstance(value, list):
        return tuple([freeze(one) if isinstance(one, NESTED) else one for one in value])
    if isinstance(value, dict):
        return {
            name: freeze(one) if isinstance(one, NESTED) else one for name, one in value.items()
        }
    return value


UNREADABLE: Final = (AttributeError, TypeError, ValueError)
"""What comes of reading a body that somebody has damaged."""

TALLY: Final = 8
"""Where the counts stand among the columns of ``load_unit``; the fields come next."""

NUMBERS: Final = (4, 6, 10, 11, 12)
"""Where numbers stand among them: the version, how many parts were made, and the times."""


def read_fields(text: str) -> Fields:
    """Return the fields of a body."""
    # Names that come again and again are shared: a part would take twice as much otherwise.
    fields: Fields = from_json(text, cache_strings="keys")
    for name, value in fields.items():
        if isinstance(value, NESTED):
            fields[name] = freeze(value)
    return fields


def read_tally(text: str) -> Tally:
    """Return how many parts of each kind stand where."""
    tally: Tally = from_json(text, cache_strings="keys")
    if type(tally) is not dict:
        raise TypeError("it counts nothing")
    return tally


def told_fields(text: str) -> Fields:
    """Return the fields of a body that is only told; none where they cannot be read."""
    try:
        return read_fields(text)
    except UNREADABLE:
        return {}


def told_tally(text: str) -> Tally:
    """Return the counts of a unit that is only told; none where they cannot be read."""
    try:
        return read_tally(text)
    except UNREADABLE:
        return {}


def read_unit(row: Sequence[object]) -> UnitRow:
    """Make a unit of the columns of ``load_unit``; raises ``CorruptState``."""
    try:
        return _unit(row)
    except UNREADABLE as exc:
        raise CorruptState(str(row[0]), f"its row cannot be read ({exc})") from exc


def read_listed(row: Sequence[object]) -> tuple[UnitRow, str]:
    """Make a unit of the columns of a list, and say what is wrong with it; it hides no others."""
    try:
        return _unit(row), ""
    except UNREADABLE as exc:
        numbers = {place: 0 for place in NUMBERS if not isinstance(row[place], int)}
        texts = dict.fromkeys((TALLY, TALLY + 1), "{}")
        left = {**dict(enumerate(row)), **numbers, **texts}
        return _unit(tuple(left.values())), f"cannot be read ({exc})"


def _unit(row: Sequence[object]) -> UnitRow:
    name, workflow, digest, status, version, head, made, takes, tally, fields, *times = row
    created, changed, ended = times
    unit = Unit(str(status), read_fields(str(fields)))
    return UnitRow(
        str(name), str(workflow), str(digest), unit, read_tally(str(tally)),
        _int(version), str(head), _int(made), str(takes), _int(created), _int(changed),
        None if ended is None else _int(ended),
    )  # fmt: skip


def read_part(unit: str, row: Sequence[object]) -> PartRow:
    """Make a part of the columns of ``load_part``; raises ``CorruptState``."""
    try:
        return _part(unit, row)
    except UNREADABLE as exc:
        raise CorruptState(f"{unit}.{row[0]}", f"its row cannot be read ({exc})") from exc


def _part(unit: str, row: Sequence[object]) -> PartRow:
    number, kind, status, order, parent, waits, feeds, branches, offer, slot, *rest = row
    holder, fence, lapsed, body = rest
    fields = read_fields(str(body))
    if "fence" in fields:
        fields["holder"], fields["fence"], fields["lapsed"] = holder, fence, bool(lapsed)
    above = None if parent is None else part_id(unit, _int(parent))
    part = Part(str(kind), str(status), fields, above)
    number, order, waits, feeds, branches = _ints(number, order, waits, feeds, branches)
    return PartRow(
        part_id(unit, number), number, part, order, waits, feeds, branches,
        None if offer is None else _int(offer), None if slot is None else str(slot),
    )  # fmt: skip


def part_body(part: Part) -> str:
    """Return the body of a part: its fields, but for those with columns of their own.

    Their names stay in it, so that reading gives the fields back in the order of the workflow.
    """
    fields = part.fields
    if "fence" in fields:
        fields = {**fields, "holder": None, "fence": 0, "lapsed": False}
    # As in ``dump``, which sorts: a call in between would be made four times a command.
    try:
        return orjson.dumps(fields, None, _AS_IS).decode()
    except TypeError:
        return _plain(fields, is_sorted=False)


def has_new_body(before: Part, after: Part) -> bool:
    """Say whether the body of a part has changed, which it mostly has not."""
    old, new = before.fields, after.fields
    return has_changed(old, new, LEASE_FIELDS)


def has_same_place(before: Part, after: Part) -> bool:
    """Say whether the columns that are taken from a part's body are as they were."""
    old, new = before.fields, after.fields
    for name in PLACES:  # noqa: SIM110 (a generator would cost more than all of it)
        if old.get(name) != new.get(name):
            return False
    return True


def has_changed(old: Fields, new: Fields, but_for: tuple[str, ...] = ()) -> bool:
    """Say whether fields must be written; true in place of 1 is a change, as it is in JSON."""
    # Fields are copied, never taken out or put in another order, and what has not been touched is
    # the very same object.
    for name in compress(new, map(is_not, new.values(), old.values())):
        value, was = new[name], old[name]
        if name not in but_for and (value != was or type(value) is not type(was)):
            return True
    return False


def part_columns(row: PartRow) -> tuple[Value, ...]:
    """Return what changes of a part, in the order of ``update_part`` and ``insert_part``."""
    fields = row.part.fields
    places = (fields.get(name) for name in PLACES)
    return (
        row.part.status,
        row.ord,
        row.waits,
        row.feeds,
        row.branches,
        row.offer,
        row.slot,
        *(None if place is None else str(place) for place in places),
        *lease_columns(row.part),
    )


def lease_columns(part: Part) -> tuple[str | None, int, int]:
    """Return who holds a part, the number of the last claim, and whether its lease ran out."""
    fields = part.fields
    if "fence" not in fields:
        return None, 0, 0
    holder, fence = fields["holder"], fields["fence"]
    return (
        None if holder is None else str(holder),
        fence if isinstance(fence, int) else 0,
        1 if fields["lapsed"] else 0,
    )


def _int(value: object) -> int:
    return _ints(value)[0]


def _ints(*values: object) -> tuple[int, ...]:
    for value in values:
        if not isinstance(value, int):
            message = f"a row holds {value!r} where a number must be"
            raise TypeError(message)
    return cast("tuple[int, ...]", values)


def unpruned(digest: str, content: bytes, pruned_at: Value) -> bytes:
    """Return content that is there; raises ``ArtifactPruned`` where it is gone."""
    if isinstance(pruned_at, int):
        raise ArtifactPruned(digest, pruned_at)
    return content
