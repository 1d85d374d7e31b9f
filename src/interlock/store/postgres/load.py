"""Answer what a script asks for by trips to PostgreSQL.

Every answer carries the version of the unit it was read at. A script that was given one version
and then reads another has seen two moments; it is told that it is stale and begins again.
"""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from interlock.store.gates import GateRow
from interlock.store.postgres.trips import Row, Trips
from interlock.store.rows import (
    PartRow,
    Tally,
    part_id,
    part_number,
    read_fields,
    read_part,
    read_unit,
)
from interlock.store.script import (
    Answer,
    Around,
    Branching,
    Find,
    Found,
    Gap,
    GateAt,
    Heads,
    Kinds,
    Latest,
    Load,
    Loaded,
    Place,
    Reply,
    Stale,
    Surroundings,
)

NUMBER_BITS: Final = 62
"""A larger number cannot even be asked for."""

# Where the columns of a unit and of a part begin in the rows of load and around.
UNIT_AT: Final = 4
PART_AT: Final = 17
AROUND_PART_AT: Final = 8

Queues = tuple[list[str] | None, list[str] | None]


def queues(kinds: Kinds) -> Queues:
    """Return kinds and statuses as a function takes them: two lists of one length, or none."""
    if not kinds:
        return None, None
    pairs = [(kind, status) for kind, statuses in kinds for status in statuses]
    return [kind for kind, _ in pairs], [status for _, status in pairs]


def heads(unit: str, kinds: Kinds, rows: Iterable[Row]) -> Found:
    """Sort the heads of queues by kind; each row has the columns of a part."""
    found: dict[str, list[PartRow]] = {kind: [] for kind, _ in kinds}
    for row in rows:
        part = read_part(unit, row)
        found[part.part.kind].append(part)
    return {kind: tuple(parts) for kind, parts in found.items()}


def number_of(unit: str, part: str | None) -> int | None:
    """Return the number of a part of this unit; None for a name that can be none of its parts."""
    if part is None:
        return None
    try:
        number = part_number(part)
    except ValueError:
        return None
    is_its = part_id(unit, number) == part and number.bit_length() <= NUMBER_BITS
    return number if is_its else None


async def load(trips: Trips, tenant: str, ask: Load) -> Loaded | None:
    """Load a unit with the part and the heads that were asked for; None if there is none."""
    kinds, statuses = queues(ask.kinds)
    principal, request, _ = ask.key or (None, None, None)
    part = number_of(ask.unit, ask.part)
    sent = trips.here()
    first, *rest = await trips.read(
        "call_load", tenant, ask.unit, part, kinds, statuses, principal, request
    )
    trips.learn(sent, first[0])
    if first[UNIT_AT] is None:
        return None
    return Loaded(
        read_unit(first[UNIT_AT:PART_AT]),
        None if first[PART_AT] is None else read_part(ask.unit, first[PART_AT:]),
        heads(ask.unit, ask.kinds, (row[PART_AT:] for row in rest)),
        None if first[2] is None else Reply(first[2], first[3]),
        first[1],
    )


Later = Heads | Around | Find | Gap | Place | Latest | GateAt
"""What a script asks once it has loaded something."""


async def answer(
    trips: Trips,
    tenant: str,
    ask: Later,
    version: int | None,
) -> Answer:
    """Answer any other question of a script that was given this version of the unit."""
    match ask:
        case Heads():
            kinds, statuses = queues(ask.kinds)
            rows = await trips.read(
                "call_heads", tenant, ask.unit, kinds, statuses, list(ask.without)
            )
            _same(version, rows)
            return heads(ask.unit, ask.kinds, (row[1:] for row in rows[1:]))
        case Find():
            return await _find(trips, tenant, ask, version)
        case Gap() | Place() | Latest():
            return await _number(trips, tenant, ask, version)
        case Around():
            return await _around(trips, tenant, ask, version)
        case GateAt():
            return await _gate(trips, tenant, ask, version)
        case _:
            assert_never(ask)


async def _number(
    trips: Trips, tenant: str, ask: Gap | Place | Latest, version: int | None
) -> int | None:
    rows = await trips.read(NUMBERS[type(ask)], tenant, *ask)
    _same(version, rows)
    found: int | None = rows[0][1]
    return found


NUMBERS: Final = {Gap: "call_gap", Place: "call_place", Latest: "call_latest"}


async def _gate(trips: Trips, tenant: str, ask: GateAt, version: int | None) -> GateRow | None:
    rows = await trips.read("call_gate_at", tenant, ask.unit, ask.part, ask.name or None)
    _same(version, rows)
    _, *found = rows[0]
    return None if found[0] is None else GateRow(*found)


def _same(version: int | None, rows: Sequence[Row], column: int = 0) -> None:
    """Refuse to mix two moments: the first row says at which version it was read."""
    if not rows or (version is not None and rows[0][column] != version):
        raise Stale


async def _find(trips: Trips, tenant: str, ask: Find, version: int | None) -> tuple[PartRow, ...]:
    wanted = [number_of(ask.unit, one) for one in ask.ids]
    of, to = number_of(ask.unit, ask.of), number_of(ask.unit, ask.to)
    rows = await trips.read(
        "call_find", tenant, ask.unit, ask.whom, ask.kind, of, to,
        list(ask.statuses) or None, [one for one in wanted if one is not None],
    )  # fmt: skip
    _same(version, rows)
    found = [read_part(ask.unit, row[1:]) for row in rows[1:]]
    if ask.whom == "ids":
        # Who names parts gets them in the order they were named in.
        found.sort(key=lambda part: wanted.index(part.number))
    return tuple(found)


async def _around(trips: Trips, tenant: str, ask: Around, version: int | None) -> Surroundings:
    unit, part = ask.unit, ask.part
    parent = None if part is None or part.part.parent is None else str(part.part.parent)
    rows = await trips.read(
        "call_around", tenant, unit,
        None if part is None else part.number,
        number_of(unit, parent) if "parent" in ask.sees else None,
        number_of(unit, ask.current) if "current" in ask.sees else None,
        number_of(unit, ask.head) if "children" in ask.sees else None,
        part is not None and part.feeds > 0 and "dependents" in ask.sees,
        part is not None and part.branches > 0 and "conditions" in ask.sees,
    )  # fmt: skip
    _same(version, rows, 1)
    by_what: dict[str, list[Row]] = {}
    for row in rows[1:]:
        by_what.setdefault(row[0], []).append(row)
    return Surroundings(
        _one(unit, by_what.get("parent", ())),
        _one(unit, by_what.get("current", ())),
        _tally(by_what.get("children", ())),
        _tally(by_what.get("dependents", ())),
        _conditions(unit, by_what.get("condition", ()), by_what.get("between", ())),
    )


def _one(unit: str, rows: Sequence[Row]) -> PartRow | None:
    return read_part(unit, rows[0][AROUND_PART_AT:]) if rows else None


def _tally(rows: Iterable[Row]) -> Tally:
    tally: dict[str, dict[str, int]] = {}
    for row in rows:
        amount, kind, status = row[1], row[AROUND_PART_AT + 1], row[AROUND_PART_AT + 2]
        if isinstance(amount, int):
            tally.setdefault(str(kind), {})[str(status)] = amount
    return tally


def _conditions(unit: str, rows: Iterable[Row], between: Iterable[Row]) -> tuple[Branching, ...]:
    counts: dict[object, dict[str, int]] = {}
    for row in between:
        amount = row[1]
        if isinstance(amount, int):
            counts.setdefault(row[2], {})[str(row[AROUND_PART_AT + 2])] = amount
    found = []
    for _, _, place, expression, action, params, target, is_later, *part in rows:
        bare = Branching(str(expression), str(action), read_fields(str(params)))
        status = part[2]
        if isinstance(target, int) and status is not None:
            bare = bare._replace(
                target=part_id(unit, target), target_status=str(status),
                is_later=bool(is_later), between=counts.get(place, {}),
            )  # fmt: skip
        found.append(bare)
    return tuple(found)
