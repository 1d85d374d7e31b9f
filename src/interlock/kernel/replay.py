"""Turn decisions into records, and records back into a snapshot: the log is enough.

A decision speaks of roles (the part, its parent, all of a kind), so it does not grow with the
unit. A record names ids: it is what an audit keeps, and folding the records of a unit from
nothing gives the unit as it stands. ``apply`` is the same fold over one decision.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from interlock.kernel.entries import Cause, Decision, Drop, Entry, Move, New, Write
from interlock.kernel.look import family_head
from interlock.kernel.seen import Actor, Event, Part, PartId, Unit
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.kernel.workflow import Workflow

UNCAUSED = Cause("event", "")
NameOf = Callable[[str, int], str]
UNNAMED = "places shift when parts are made or dropped: name the parts, and pass name_of"


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the log, naming ids. ``change`` is begin, move, write, new, drop or arrange.

    No decision arranges parts: their order means nothing to a rule, so whoever keeps them may
    change it and say so in the log.
    """

    change: str
    event: str
    actor: Actor
    at: int
    kind: str
    is_unit: bool = False
    ids: tuple[PartId, ...] = ()
    signal: str = ""
    source: str = ""
    target: str = ""
    cause: Cause = UNCAUSED
    reason: str = ""
    field: str = ""
    value: object = None
    fields: tuple[tuple[str, object], ...] = ()
    after: PartId | None = None
    parent: PartId | None = None
    needs: tuple[PartId, ...] = ()
    feeds: tuple[PartId, ...] = ()


def begun(flow: Workflow, snapshot: Snapshot, actor: Actor, at: int = 0) -> tuple[Record, ...]:
    """Return the records of a unit that was just made, with its first parts."""
    unit = snapshot.unit
    first = Record(
        "begin", "begin", actor, at, flow.unit.name, is_unit=True,
        target=unit.status, fields=tuple(unit.fields.items()),
    )  # fmt: skip
    parts = (
        Record(
            "new", "begin", actor, at, part.kind, ids=(snapshot.name(place),),
            target=part.status, fields=tuple(part.fields.items()),
            after=snapshot.name(place - 1) if place else None,
            parent=part.parent, needs=part.needs,
        )
        for place, part in enumerate(snapshot.parts)
    )  # fmt: skip
    return (first, *parts)


def records(
    flow: Workflow, snapshot: Snapshot, decision: Decision, name_of: NameOf | None = None
) -> tuple[Record, ...]:
    """Resolve a decision against the snapshot it was made from."""
    log: list[Record] = []
    now = snapshot
    made: list[PartId] = []
    # Whose family an event is about does not change while it is carried out.
    above = family_head(flow, snapshot, decision.event.part)
    for entry in decision.entries:
        record = _record(now, decision, entry, made, name_of, above)
        if record.change == "new":
            made.append(record.ids[0])
        log.append(record)
        now = _fold_one(flow, now, record)
    return tuple(log)


def fold(flow: Workflow, snapshot: Snapshot | None, log: Iterable[Record]) -> Snapshot:
    """Fold records into a snapshot; a log that starts with ``begin`` needs none to start from."""
    now = snapshot
    for record in log:
        if record.change == "begin":
            now = Snapshot(Unit(record.target, dict(record.fields)))
        elif now is None:
            message = "a log without a beginning needs a snapshot"
            raise ValueError(message)
        else:
            now = _fold_one(flow, now, record)
    if now is None:
        message = "an empty log makes no snapshot"
        raise ValueError(message)
    return now


def apply(
    flow: Workflow, snapshot: Snapshot, decision: Decision, name_of: NameOf | None = None
) -> Snapshot:
    """Return the snapshot after a decision."""
    return fold(flow, snapshot, records(flow, snapshot, decision, name_of))


def _record(
    now: Snapshot,
    decision: Decision,
    entry: Entry,
    made: list[PartId],
    name_of: NameOf | None,
    above: PartId | None,
) -> Record:
    event, at = decision.event, decision.at
    is_unit = not isinstance(entry, New) and entry.who == "unit"
    head = Record("", event.name, event.actor, at, entry.kind, is_unit=is_unit)
    if isinstance(entry, New):
        return _new(now, head, event, entry, made, name_of)
    ids = _ids(now, event, entry, above)
    if isinstance(entry, Move):
        return replace(
            head, change="move", ids=ids, signal=entry.signal, source=entry.source,
            target=entry.target, cause=entry.cause, reason=entry.reason,
        )  # fmt: skip
    if isinstance(entry, Write):
        return replace(head, change="write", ids=ids, field=entry.field, value=entry.value)
    return replace(head, change="drop", ids=ids, reason=entry.reason)


def _new(
    now: Snapshot,
    head: Record,
    event: Event,
    entry: New,
    made: list[PartId],
    name_of: NameOf | None,
) -> Record:
    number = len(now.parts)
    name: PartId = name_of(entry.kind, number) if name_of else number
    last = now.name(number - 1) if number else None
    after = _one(now, event, entry.after) if entry.after else last
    if entry.after and made and after == event.part:
        after = made[-1]
    return replace(
        head, change="new", ids=(name,), target=entry.status,
        fields=tuple(entry.fields.items()), after=after,
        parent=_one(now, event, entry.parent) if entry.parent else None,
        needs=(*(made[i] for i in entry.needs), *entry.uses), feeds=entry.feeds,
    )  # fmt: skip


def _one(now: Snapshot, event: Event, who: str) -> PartId | None:
    if who == "part":
        return event.part
    if who == "current":
        pointer = now.unit.fields.get("current")
        return pointer if isinstance(pointer, str | int) else None
    return None if event.part is None else now.part(event.part).parent


def _ids(
    now: Snapshot, event: Event, entry: Move | Write | Drop, above: PartId | None
) -> tuple[PartId, ...]:
    if entry.who == "unit":
        return ()
    if entry.who in ("part", "parent", "current"):
        one = _one(now, event, entry.who)
        return () if one is None else (one,)
    places: Iterable[int] = now.of_kind(entry.kind)
    if entry.who == "range" and isinstance(entry, Move):
        places = _between(now, event, entry.branch, places)
    elif entry.who == "dependents" and event.part is not None:
        places = [i for i in places if event.part in now.parts[i].needs]
    elif entry.who == "children":
        places = [i for i in places if above is not None and now.parts[i].parent == above]
    if isinstance(entry, Move):
        places = [i for i in places if now.parts[i].status == entry.source]
    elif isinstance(entry, Drop) and entry.sources:
        places = [i for i in places if now.parts[i].status in entry.sources]
    return tuple(now.name(i) for i in places)


def _between(now: Snapshot, event: Event, branch: int, places: Iterable[int]) -> list[int]:
    if event.part is None:
        return []
    row: Condition = now.conditions[event.part][branch]
    low = now.place(event.part)
    high = low if row.target is None else now.place(row.target)
    return [i for i in places if low < i < high]


def _fold_one(flow: Workflow, now: Snapshot, record: Record) -> Snapshot:
    if record.change == "new":
        return _insert(now, record)
    if record.change == "drop":
        return _remove(now, record.ids)
    if record.change == "arrange":
        return _arrange(now, record.ids)
    if record.is_unit:
        return replace(now, unit=_unit(flow, now.unit, record))
    parts = list(now.parts)
    for part in record.ids:
        place = now.place(part)
        old = parts[place]
        if record.change == "move" and record.source == record.target:
            continue
        if record.change == "move":
            fields = flow.table.cleared(old.kind, old.status, record.target, old.fields)
            parts[place] = Part(old.kind, record.target, fields, old.parent, old.needs)
        else:
            fields = {**old.fields, record.field: record.value}
            parts[place] = Part(old.kind, old.status, fields, old.parent, old.needs)
    return replace(now, parts=tuple(parts))


def _unit(flow: Workflow, unit: Unit, record: Record) -> Unit:
    if record.change == "move":
        if record.source == record.target:
            return unit
        fields = flow.table.cleared(record.kind, unit.status, record.target, unit.fields)
        return Unit(record.target, fields)
    return Unit(unit.status, {**unit.fields, record.field: record.value})


def _insert(now: Snapshot, record: Record) -> Snapshot:
    part = Part(record.kind, record.target, dict(record.fields), record.parent, record.needs)
    place = len(now.parts) if record.after is None else now.place(record.after) + 1
    name = record.ids[0]
    parts = (*now.parts[:place], part, *now.parts[place:])
    for fed in record.feeds:
        at = now.place(fed)
        at += at >= place
        old = parts[at]
        grown = Part(old.kind, old.status, old.fields, old.parent, (*old.needs, name))
        parts = (*parts[:at], grown, *parts[at + 1 :])
    if isinstance(name, int):
        if now.ids or place != len(now.parts):
            raise ValueError(UNNAMED)
        return replace(now, parts=parts)
    return replace(now, parts=parts, ids=(*now.ids[:place], name, *now.ids[place:]))


def _arrange(now: Snapshot, ids: tuple[PartId, ...]) -> Snapshot:
    """Put some parts in another order; together they stand where they stood before."""
    if not now.ids:
        raise ValueError(UNNAMED)
    sources = [now.place(part) for part in ids]
    parts, names = list(now.parts), list(now.ids)
    for target, source in zip(sorted(sources), sources, strict=True):
        parts[target], names[target] = now.parts[source], now.ids[source]
    return replace(now, parts=tuple(parts), ids=tuple(names))


def _remove(now: Snapshot, gone: tuple[PartId, ...]) -> Snapshot:
    if gone and not now.ids:
        raise ValueError(UNNAMED)
    places = {now.place(part) for part in gone}
    names = set(gone)
    parts = tuple(
        Part(p.kind, p.status, p.fields, p.parent, tuple(n for n in p.needs if n not in names))
        for i, p in enumerate(now.parts)
        if i not in places
    )
    ids = tuple(name for i, name in enumerate(now.ids) if i not in places)
    return replace(now, parts=parts, ids=ids)
