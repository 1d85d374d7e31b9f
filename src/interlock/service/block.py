"""What is written about a unit that was found corrupt: it is blocked, or its fields are rebuilt.

Nothing is asked or written here. Where the audit holds, it is believed: the unit is decided on as
the audit makes it, and rows that say otherwise are written anew with it, so that whoever lets the
unit go on goes on from there. Where the audit is broken the rows are believed, if they could stand
like that; else nothing but the unit's own row is touched. The entry is appended in any case: a
broken chain stays broken where it broke, and whoever verifies it is told so for ever.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from interlock.kernel.decide import decide
from interlock.kernel.entries import Move, Write
from interlock.kernel.gates import SHOWN, policy_of
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.replay import apply, records
from interlock.kernel.seen import Actor, Event, Unit
from interlock.kernel.snapshot import Snapshot, waits
from interlock.kernel.tally import tally
from interlock.kernel.timer import ENDS
from interlock.kernel.trouble import CODE, Trouble
from interlock.service.engine import Running
from interlock.service.gates import NONE, Gated, Moment, Standing, gated
from interlock.service.note import note_text
from interlock.service.record import Body, Records, head, read_records
from interlock.service.standing import Read
from interlock.store.chain import Link, chain
from interlock.store.gates import GateRow
from interlock.store.port import AuditRow
from interlock.store.rows import (
    ORD_GAP,
    BareRow,
    PartRow,
    UnitRow,
    dump,
    part_body,
    part_number,
)
from interlock.store.script import Change

REBUILT: Final = "rebuild"
"""How the audit calls it that fields were made again."""

TOLD_MAX: Final = 2_000


@dataclass(frozen=True, slots=True)
class Found:
    """A unit that was looked at: its row, what is wrong, and what can be believed of it.

    ``fields`` are those of the row, none where they are gone. ``folded`` is the unit as an audit
    that holds makes it; ``rows`` as its rows do, where it could stand like that.
    """

    bare: BareRow
    fields: Mapping[str, object]
    wrong: tuple[str, ...]
    entries: tuple[AuditRow, ...]
    read: Read | None
    folded: Snapshot | None
    rows: Snapshot | None

    @property
    def is_fieldless(self) -> bool:
        """Whether the fields of the row are gone or cannot be read."""
        return not self.fields

    @property
    def end(self) -> tuple[int, str]:
        """Where the next entry goes on: behind the row, or behind an audit that goes further."""
        last = self.entries[-1].link if self.entries else None
        if last is not None and last.sequence > self.bare.version:
            return last.sequence, last.hash
        return self.bare.version, self.bare.head


@dataclass(frozen=True, slots=True)
class _After:
    """How a unit stands once it is blocked, and the entries that say so."""

    unit: Unit
    bodies: tuple[Body, ...]
    # All parts as they stand; None leaves them as they are.
    parts: Snapshot | None = None


def rebuilt(running: Running, tenant: str, found: Found, actor: Actor, at: int) -> Change:
    """Return what makes the fields of a unit again; its status stays as it is."""
    folded = cast("Snapshot", found.folded)
    version, before = found.end
    told = {"wrong": list(found.wrong)}
    text = note_text(running, version + 1, head(REBUILT, actor, at), told)
    entries = tuple(chain(before, version, at, [text]))
    unit = Unit(found.bare.status, folded.unit.fields)
    row = _unit_row(running, found, unit, folded, entries, at)
    body = dump(unit.fields)
    return Change(tenant, found.bare.version, row, entries, at, body=body, kinds=running.kinds)


def blocked(
    running: Running, tenant: str, found: Found, gates: Sequence[GateRow], actor: Actor, at: int
) -> Change:
    """Return what blocks a unit, with what is wrong with it."""
    after = _after(running, cast("Trouble", running.flow.trouble), found, actor, at)
    version, before = found.end
    entries = tuple(chain(before, version, at, _texts(after.bodies, version)))
    row = _unit_row(running, found, after.unit, after.parts, entries, at)
    written = {} if after.parts is None else dict(_part_rows(running, after.parts, found.read))
    old = set() if found.read is None else {row.number for row in found.read.whole.parts}
    # Where the parts cannot be read, those that there should be are there.
    is_known = found.read is not None
    made = tuple(one for number, one in written.items() if is_known and number not in old)
    kept = tuple(one for number, one in written.items() if not is_known or number in old)
    moment = Moment(found.bare.id, actor, at, version, after.bodies, policy_of(after.unit.fields))
    opened = _gates(running, gates, after.unit, moment)
    return Change(
        tenant, found.bare.version, row, entries, at, body=dump(after.unit.fields),
        parts=kept, bodies={one.number: part_body(one.part) for one in kept}, made=made,
        gone=tuple(sorted(old - set(written))) if after.parts is not None else (),
        links=tuple(_links(made)), closed=opened.closed, opened=opened.opened,
        lasts=None if running.flow.timer is None else ENDS, kinds=running.kinds,
    )  # fmt: skip


# -- how it stands then --------------------------------------------------------------------------


def _after(running: Running, trouble: Trouble, found: Found, actor: Actor, at: int) -> _After:
    base = found.folded or found.rows
    message = "; ".join(found.wrong)[:TOLD_MAX]
    if base is not None and base.unit.status != trouble.status:
        after = _decided(running, trouble, found, base, Event(
            trouble.event, actor, None, {"code": CODE, "reason": message}
        ), at)  # fmt: skip
        if after is not None:
            return after
    return _noted(running, trouble, found, base, head(trouble.event, actor, at), message)


def _decided(
    running: Running, trouble: Trouble, found: Found, base: Snapshot, event: Event, at: int
) -> _After | None:
    """Let the rules block the unit as it is believed to stand; None where they cannot."""
    flow = running.flow
    try:
        decision = decide(flow, look(flow, base, event), event, at)
        after = apply(flow, base, decision)
    except (BrokenTable, Refusal, KeyError, ValueError):
        return None
    log = Records()
    log.begin(decision)
    for entry, record in zip(decision.entries, records(flow, base, decision), strict=True):
        log.add(cast("Move | Write", entry), tuple(map(str, record.ids)))
    log.note({"wrong": list(found.wrong)})
    fields = dict(after.unit.fields)
    previous = _previous(running, trouble, found, base)
    if previous != fields[trouble.previous]:
        # What the row said is where it was, though the audit says otherwise.
        log.add(Write("unit", flow.unit.name, trouble.previous, previous), ())
        fields[trouble.previous] = previous
    return _After(Unit(after.unit.status, fields), tuple(log.bodies), after)


def _noted(
    running: Running, trouble: Trouble, found: Found, base: Snapshot | None, begun: Body,
    message: str,
) -> _After:  # fmt: skip
    """Block a unit that no rule can decide, or say of a blocked one what is wrong with it now."""
    flow = running.flow
    known = found.fields if base is None else base.unit.fields
    previous = _previous(running, trouble, found, base)
    told = trouble.told(known, message)
    told |= {trouble.previous: previous, trouble.lost: previous is None}
    body: Body = {**begun, "kind": flow.unit.name, "unit": True, "wrong": list(found.wrong)}
    if base is not None:
        body |= {"change": "write", "set": told}
    else:
        ways = [
            edge.on
            for edge in flow.unit.edges
            if (edge.source, edge.target) == (previous, trouble.status)
        ]
        body |= {"change": "move", "signal": ways[-1] if ways else "", "set": told}
        body |= {"source": previous or found.bare.status, "target": trouble.status}
    fields = {**flow.defaults(), **known, **told}
    return _After(Unit(trouble.status, fields), (body,), base)


def _previous(
    running: Running, trouble: Trouble, found: Found, base: Snapshot | None
) -> str | None:
    """Return where the unit was: as its row says, else as its audit does, else nobody knows."""
    usual = set(running.flow.unit.names()) - running.flow.table.terminal - {trouble.status}
    if found.bare.status in usual:
        return found.bare.status
    if base is not None and base.unit.status == trouble.status:
        kept = base.unit.fields[trouble.previous]
        return str(kept) if kept in usual else None
    if base is not None:
        return base.unit.status
    kept = found.fields.get(trouble.previous)
    if found.bare.status == trouble.status and kept in usual:
        return str(kept)
    return next((status for status in _passed(found.entries) if status in usual), None)


def _passed(entries: Sequence[AuditRow]) -> Iterator[str]:
    """Yield the statuses that entries say the unit has entered, the last one first."""
    for row in reversed(entries):
        try:
            moved = [one for one in read_records(row.link.body) if one.is_unit and one.target]
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
        yield from (one.target for one in reversed(moved))


# -- rows --------------------------------------------------------------------------------------


def _texts(bodies: Sequence[Body], version: int) -> Iterator[str]:
    log = Records()
    log.bodies = list(bodies)
    yield from log.texts(version)


def _unit_row(
    running: Running, found: Found, unit: Unit, parts: Snapshot | None,
    entries: tuple[Link, ...], at: int,
) -> UnitRow:  # fmt: skip
    bare, last = found.bare, entries[-1]
    known = parts if parts is not None or found.read is None else found.read.snapshot
    counts = {} if known is None else tally(known.parts)
    names = () if known is None else known.ids
    queues = running.queues.items()
    return UnitRow(
        bare.id, bare.workflow, bare.digest, unit, counts, last.sequence, last.hash,
        max(bare.made, *map(part_number, names), 0),
        ",".join(kind for kind, queue in queues if queue.takes(unit, counts)),
        bare.created_at, at, None,
    )  # fmt: skip


def _part_rows(
    running: Running, parts: Snapshot, read: Read | None
) -> Iterator[tuple[int, PartRow]]:
    """Yield all parts as they are to stand, by their numbers."""
    flow = running.flow
    old = {} if read is None else {row.id: row for row in read.whole.parts}
    feeds = Counter(need for part in parts.parts for need in part.needs)
    for place, (name, part) in enumerate(zip(parts.ids, parts.parts, strict=True), 1):
        before = old.get(name)
        held = waits(flow, parts, part)
        queue = running.queues.get(part.kind)
        yield part_number(name), PartRow(
            name, part_number(name), part, place * ORD_GAP, held, feeds[name],
            0 if before is None else before.branches,
            None if queue is None else queue.rank(part, held),
            part.kind if part.status in flow.kind(part.kind).alone else None,
        )  # fmt: skip


def _links(made: Sequence[PartRow]) -> Iterator[tuple[int, int, int]]:
    for row in made:
        for place, need in enumerate(row.part.needs):
            yield row.number, part_number(str(need)), place


def _gates(running: Running, gates: Sequence[GateRow], after: Unit, told: Moment) -> Gated:
    """Return the gate of the unit that is closed, whatever it was, and the one that opens."""
    kind = running.flow.unit.name
    gate = next((one for one in gates if one.part == 0 and one.is_open), None)
    before = None
    if gate is not None and (kind, gate.status) in running.gates:
        before = Unit(gate.status, {SHOWN: gate.digest})
    if (kind, after.status) not in running.gates and before is None:
        return NONE
    return gated(running, (Standing(0, kind, before, after),), told)
