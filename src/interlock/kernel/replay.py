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
from interlock.kernel.snapshot import NO_CONDITIONS, Condition, Conditions, Snapshot
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
        now = fold(flow, now, (record,))
    return tuple(log)


def fold(flow: Workflow, snapshot: Snapshot | None, log: Iterable[Record]) -> Snapshot:
    """Fold records into a snapshot; a log that starts with ``begin`` needs none to start from."""
    folding = Folding(flow, snapshot)
    for record in log:
        folding.take(record)
    if folding.is_empty:
        message = "an empty log makes no snapshot"
        raise ValueError(message)
    return folding.snapshot()


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


class Folding:
    """A unit while records are folded into it; the cost of one follows what it changes.

    What a snapshot costs is paid once, when somebody asks for it.
    """

    def __init__(self, flow: Workflow, snapshot: Snapshot | None = None) -> None:
        """Begin with a snapshot, or with nothing where the log begins with ``begin``."""
        self.flow = flow
        self._unit: Unit | None = None
        self._parts: dict[PartId, Part] = {}
        self._order: list[PartId] = []
        self._conditions: Conditions = NO_CONDITIONS
        if snapshot is not None:
            self._unit, self._conditions = snapshot.unit, snapshot.conditions
            self._order = [snapshot.name(place) for place in range(len(snapshot.parts))]
            self._parts = dict(zip(self._order, snapshot.parts, strict=True))

    def take(self, record: Record) -> None:
        """Fold one record in; raises KeyError for a part that is not there."""
        if record.change == "begin":
            self._unit = Unit(record.target, dict(record.fields))
            self._parts, self._order, self._conditions = {}, [], NO_CONDITIONS
            return
        unit = self._known()
        if record.change == "new":
            self._insert(record)
        elif record.change == "drop":
            self._remove(record.ids)
        elif record.change == "arrange":
            self._arrange(record.ids)
        elif record.is_unit:
            self._unit = _unit(self.flow, unit, record)
        else:
            for part in record.ids:
                name = self._name(part)
                self._parts[name] = _part(self.flow, self._parts[name], record)

    def about(self, record: Record) -> list[Unit | Part]:
        """Return what a record changes as it stands before it is taken; raises KeyError as well."""
        if record.is_unit:
            return [self._known()]
        return [self._parts[self._name(part)] for part in record.ids]

    @property
    def is_empty(self) -> bool:
        """Whether nothing has begun yet."""
        return self._unit is None

    def snapshot(self) -> Snapshot:
        """Return the unit as it stands now."""
        unit = self._known()
        parts = tuple([self._parts[name] for name in self._order])
        names = tuple([name for name in self._order if isinstance(name, str)])
        return Snapshot(unit, parts, names, self._conditions)

    def _known(self) -> Unit:
        if self._unit is None:
            message = "a log without a beginning needs a snapshot"
            raise ValueError(message)
        return self._unit

    @property
    def _is_named(self) -> bool:
        return bool(self._order) and isinstance(self._order[0], str)

    def _name(self, part: PartId) -> PartId:
        """Return the name of a part that may be named by its place."""
        if isinstance(part, int) and not 0 <= part < len(self._order):
            raise KeyError(part)
        return self._order[part] if isinstance(part, int) else part

    def _place(self, part: PartId) -> int:
        if isinstance(part, int):
            self._name(part)
            return part
        if part not in self._parts:
            raise KeyError(part)
        # Parts are mostly made and looked for at the end.
        last = len(self._order) - 1
        return last if self._order[last] == part else self._order.index(part)

    def _insert(self, record: Record) -> None:
        part = Part(record.kind, record.target, dict(record.fields), record.parent, record.needs)
        end = len(self._order)
        place = end if record.after is None else self._place(record.after) + 1
        name = record.ids[0]
        if isinstance(name, int) and (self._is_named or place != end):
            raise ValueError(UNNAMED)
        for fed in record.feeds:
            known = self._name(fed)
            old = self._parts[known]
            needs = (*old.needs, name)
            self._parts[known] = Part(old.kind, old.status, old.fields, old.parent, needs)
        self._parts[name] = part
        self._order.insert(place, name)

    def _arrange(self, ids: tuple[PartId, ...]) -> None:
        """Put some parts in another order; together they stand where they stood before."""
        if not self._is_named:
            raise ValueError(UNNAMED)
        for place, name in zip(sorted(map(self._place, ids)), ids, strict=True):
            self._order[place] = self._name(name)

    def _remove(self, gone: tuple[PartId, ...]) -> None:
        if gone and not self._is_named:
            raise ValueError(UNNAMED)
        names = {self._name(part) for part in gone}
        for name in names:
            del self._parts[name]
        self._order = [name for name in self._order if name not in names]
        for name, old in self._parts.items():
            if not names.isdisjoint(old.needs):
                needs = tuple(need for need in old.needs if need not in names)
                self._parts[name] = Part(old.kind, old.status, old.fields, old.parent, needs)


def _part(flow: Workflow, part: Part, record: Record) -> Part:
    if record.change != "move":
        fields = {**part.fields, record.field: record.value}
        return Part(part.kind, part.status, fields, part.parent, part.needs)
    if record.source == record.target:
        return part
    fields = flow.table.cleared(part.kind, part.status, record.target, part.fields)
    return Part(part.kind, record.target, fields, part.parent, part.needs)


def _unit(flow: Workflow, unit: Unit, record: Record) -> Unit:
    if record.change == "move":
        if record.source == record.target:
            return unit
        fields = flow.table.cleared(record.kind, unit.status, record.target, unit.fields)
        return Unit(record.target, fields)
    return Unit(unit.status, {**unit.fields, record.field: record.value})
