"""Compare what a store holds after a command with what the kernel says must stand there."""

from collections.abc import Iterable, Iterator, Mapping

from interlock.kernel.replay import Record
from interlock.kernel.seen import Part, PartId
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.kernel.tally import tally
from interlock.service.engine import Running
from interlock.service.read import snapshot_of
from interlock.service.record import read_records
from interlock.store.port import AuditRow, Whole
from interlock.store.rows import PartRow
from tests.conformance.planting import part_rows, taken

Fact = tuple[str, object, object]
"""What is compared, what it must be, and what it is."""


def frozen(value: object) -> object:
    """Return a value with every sequence as a tuple, so that JSON's lists compare with ours."""
    if isinstance(value, Mapping):
        return {name: frozen(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return tuple(frozen(one) for one in value)
    return value


def wrong(facts: Iterable[Fact]) -> list[str]:
    """Say which facts are not as they must be."""
    return [
        f"{what}: expected {must!r}, found {found!r}"
        for what, must, found in facts
        if must != found
    ]


def state_facts(running: Running, must: Snapshot, whole: Whole) -> Iterator[Fact]:
    """Yield everything that the rows of a unit say, beside what they must say."""
    row, found = whole.row, snapshot_of(running, whole)
    yield "the unit's status", must.unit.status, found.unit.status
    yield "the unit's fields", must.unit.fields, found.unit.fields
    yield "the order of the parts", must.ids, found.ids
    counts = {kind: dict(counted) for kind, counted in row.tally.items() if counted}
    yield "the tally", tally(must.parts), counts
    yield "what the queues may hand out", taken(running, must), row.takes
    is_over = must.unit.status in running.flow.table.terminal
    yield "whether it has ended", is_over, row.ended_at is not None
    yield "the conditions", _conditions(must), _conditions(found)
    for right, stored in zip(part_rows(running, must), whole.parts, strict=False):
        yield from _part_facts(right, stored)
    for name, part in zip(must.ids, must.parts, strict=True):
        if name in found.ids:
            yield f"{name}: parent and needs", (part.parent, part.needs), _ties(found.part(name))


def _ties(part: Part) -> tuple[PartId | None, tuple[PartId, ...]]:
    return part.parent, part.needs


def _part_facts(must: PartRow, found: PartRow) -> Iterator[Fact]:
    name = must.id
    yield f"{name}: kind", must.part.kind, found.part.kind
    yield f"{name}: status", must.part.status, found.part.status
    yield f"{name}: fields", _timeless(must.part.fields), _timeless(found.part.fields)
    yield f"{name}: open needs", must.waits, found.waits
    yield f"{name}: rank in the queue", must.offer, found.offer
    yield f"{name}: place for it alone", must.slot, found.slot
    # These two may say too many after something was dropped, never too few.
    yield f"{name}: parts that need it", max(must.feeds, found.feeds), found.feeds
    yield f"{name}: branches", max(must.branches, found.branches), found.branches


def _timeless(fields: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return fields without the instants in them: the kernel has no clock, a database its own."""
    return [(name, _without_instant(value)) for name, value in fields.items()]


def _without_instant(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_without_instant(one) for one in value)
    if isinstance(value, Mapping):
        return {name: _without_instant(one) for name, one in value.items() if name != "at"}
    return value


def _conditions(snapshot: Snapshot) -> dict[PartId, list[tuple[object, ...]]]:
    """Return the branches whose part and target are still there."""

    def stands(row: Condition) -> bool:
        return row.target is None or row.target in snapshot.ids

    told: dict[PartId, list[tuple[object, ...]]] = {
        part: [
            (r.expression.source, r.action, frozen(dict(r.params)), r.target)
            for r in rows
            if stands(r)
        ]
        for part, rows in snapshot.conditions.items()
        if part in snapshot.ids
    }
    return {part: rows for part, rows in told.items() if rows}


def audit_facts(must: tuple[Record, ...], entries: Iterable[AuditRow]) -> Iterator[Fact]:
    """Yield the records of the kernel beside those of the audit.

    When it was is compared with the entry itself: not every store goes by the clock of the test.
    """
    entries = tuple(entries)
    found = [record for row in entries for record in read_records(row.link.body)]
    right, told = _plain(must), _plain(found)
    times = {row.link.at for row in entries}
    yield (
        "that all was at one time",
        [min(times)] * len(found) if times else [],
        [r.at for r in found],
    )
    yield "how many records there are", len(right), len(told)
    for place, (one, other) in enumerate(zip(right, told, strict=False)):
        yield f"record {place}", one, other


def _plain(log: Iterable[Record]) -> list[dict[str, object]]:
    """Return records as values that can be compared.

    Where a new part stands is compared by the order of the parts. Fields that were written one
    after the other to the same thing stand in one entry, which has no order.
    """
    told: list[dict[str, object]] = []
    run: list[dict[str, object]] = []
    for record in log:
        plain = _one(record)
        if run and (record.change != "write" or _thing(run[-1]) != _thing(plain)):
            told += sorted(run, key=_field)
            run = []
        if record.change == "write":
            run.append(plain)
        else:
            told.append(plain)
    return told + sorted(run, key=_field)


def _thing(plain: dict[str, object]) -> tuple[object, ...]:
    return plain["is_unit"], plain["kind"], plain["ids"]


def _field(plain: dict[str, object]) -> str:
    return str(plain["field"])


def _one(record: Record) -> dict[str, object]:
    told: dict[str, object] = {
        "change": record.change, "event": record.event, "actor": record.actor,
        "kind": record.kind, "is_unit": record.is_unit, "ids": record.ids,
        "signal": record.signal, "source": record.source, "target": record.target,
        "reason": record.reason, "field": record.field, "value": frozen(record.value),
        "fields": frozen(dict(record.fields)), "parent": record.parent,
        "needs": record.needs, "feeds": record.feeds,
    }  # fmt: skip
    if record.change == "move":
        told["cause"] = (record.cause.kind, record.cause.name)
    return told
