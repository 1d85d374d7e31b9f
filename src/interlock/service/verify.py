"""Prove what happened: the chain holds, only legal edges were taken, and the log makes the state.

For each unit its audit is read from the beginning: numbers without gaps, every hash, every move
an edge of its machine that begins where the thing stood. Folded from nothing it must give the
unit as it stands, with its tally, its open needs and its legal pairs, and its gates must say the
same. What is found first is told precisely. Of a tenant that was erased the hashes are left: none
is missing, and they end right.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from interlock.kernel.expression import InvalidExpression
from interlock.kernel.look import standing
from interlock.kernel.machine import Edge
from interlock.kernel.refusal import IllegalPair
from interlock.kernel.replay import Folding, Record
from interlock.kernel.seen import Part, Unit
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Snapshot, waits
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Engine
from interlock.service.errors import CorruptState, NotFound
from interlock.service.gate_check import wrong_gates
from interlock.service.record import read_records
from interlock.service.standing import Read, read_standing
from interlock.store.chain import genesis, linked
from interlock.store.gates import GateRow
from interlock.store.port import AuditRow
from interlock.store.rows import dump

PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold, where, and what should have been there."""

    unit: str
    sequence: int
    what: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        """Say it in one line."""
        told = f"{self.unit}, entry {self.sequence}: {self.what}"
        if self.expected or self.found:
            told += f"; expected {self.expected or 'nothing'}, found {self.found or 'nothing'}"
        return told


@dataclass(slots=True)
class Verdict:
    """What verifying has come to."""

    units: int = 0
    entries: int = 0
    findings: list[Finding] = field(default_factory=list)
    # Units of a tenant that was erased: their hashes are there, and nothing that they cover.
    erased: int = 0

    def add(self, other: "Verdict") -> None:
        """Take in what verifying something else has come to."""
        self.units += other.units
        self.entries += other.entries
        self.findings += other.findings


async def verify(engine: Engine, tenant: str, unit: str = "") -> Verdict:
    """Verify one unit, or all of a tenant; of one that was erased, what is left of it."""
    verdict = Verdict()
    row = await engine.store.people.tenant(tenant)
    if row is not None and row.closed_at is not None:
        async for name in all_units(engine, tenant):
            if unit in ("", name):
                await _verify_erased(engine, tenant, name, verdict)
        return verdict
    if unit:
        await _verify_one(engine, tenant, unit, verdict)
        return verdict
    async for name in all_units(engine, tenant):
        await _verify_one(engine, tenant, name, verdict)
    return verdict


class Page(NamedTuple):
    """What verifying a page of units has come to; ``last`` is where the next one goes on."""

    verdict: Verdict
    last: tuple[int, str] | None = None


async def verify_page(
    engine: Engine, tenant: str, unit: str, before: tuple[int, str] | None, limit: int
) -> Page:
    """Verify one unit, or so many of a tenant from a place on; raises ``NotFound``."""
    verdict = Verdict()
    if unit:
        await _must_be_there(engine, tenant, unit)
        await _verify_one(engine, tenant, unit, verdict)
        return Page(verdict)
    rows = [one.row for one in await engine.store.units(tenant, "", before, limit)]
    for row in rows:
        await _verify_one(engine, tenant, row.id, verdict)
    is_full = len(rows) == limit
    return Page(verdict, (rows[-1].changed_at, rows[-1].id) if is_full else None)


async def _must_be_there(engine: Engine, tenant: str, unit: str) -> None:
    """Raise unless there is such a unit; one that cannot be read is there."""
    engine.running(unit)
    with suppress(CorruptState):
        if await engine.store.whole(tenant, unit) is None:
            raise NotFound(unit)


async def all_units(engine: Engine, tenant: str) -> AsyncIterator[str]:
    """Yield the names of all units, the last changed first."""
    place: tuple[int, str] | None = None
    while True:
        page = await engine.store.units(tenant, "", place, PAGE)
        for listed in page:
            yield listed.row.id
        if len(page) < PAGE:
            return
        place = (page[-1].row.changed_at, page[-1].row.id)


async def _verify_one(engine: Engine, tenant: str, unit: str, verdict: Verdict) -> None:
    """Read the unit first and its audit after it; entries that came in between are left out."""
    try:
        read = await read_standing(engine, tenant, unit)
    except NotFound:
        message = "there is no such unit, or no workflow for it"
        verdict.findings.append(Finding(unit, 0, message))
        return
    except (CorruptState, InvalidExpression) as exc:
        verdict.findings.append(Finding(unit, 0, f"its rows cannot be read: {exc.message}"))
        return
    entries = await entries_of(engine, tenant, unit, read.whole.row.version)
    gates = await engine.store.gates.of_unit(tenant, unit)
    verdict.units += 1
    verdict.entries += len(entries)
    finding = next(wrong_rows(read, tenant, entries, gates), None)
    if finding is not None:
        verdict.findings.append(finding)


async def _verify_erased(engine: Engine, tenant: str, unit: str, verdict: Verdict) -> None:
    """See that the hashes of a unit are all there, and end where the unit ended."""
    row = await engine.store.bare(tenant, unit)
    entries = [] if row is None else await entries_of(engine, tenant, unit, row.version)
    verdict.erased += 1
    verdict.entries += len(entries)
    for place, one in enumerate(entries, 1):
        if one.link.sequence != place:
            found = Finding(unit, place, "an entry is missing", str(place), str(one.link.sequence))
            verdict.findings.append(found)
            return
        if one.link.body:
            what = "an entry of an erased tenant still says something"
            verdict.findings.append(Finding(unit, place, what))
    last = entries[-1].link if entries else None
    if row is None or last is None or (last.sequence, last.hash) != (row.version, row.head):
        verdict.findings.append(Finding(unit, len(entries), "the log does not end with the unit"))


def wrong_rows(
    read: Read, tenant: str, entries: list[AuditRow], gates: Sequence[GateRow]
) -> Iterator[Finding]:
    """Yield what is wrong with a unit and its parts, then with its gates; believe the first."""
    yield from wrong_unit(read, tenant, entries)
    name = read.whole.row.id
    yield from (Finding(name, *told) for told in wrong_gates(read, gates, entries))


async def entries_of(engine: Engine, tenant: str, unit: str, until: int) -> list[AuditRow]:
    """Read the entries of a unit up to one."""
    found: list[AuditRow] = []
    while True:
        after = found[-1].link.sequence if found else 0
        page = await engine.store.audit(tenant, unit, after, PAGE)
        found += [row for row in page if row.link.sequence <= until]
        if len(page) < PAGE or len(found) >= until:
            return found


def wrong_unit(read: Read, tenant: str, entries: list[AuditRow]) -> Iterator[Finding]:
    """Yield what is wrong with a unit and its audit; what is found first is the one to believe."""
    unit = read.whole.row
    yield from wrong_chain(unit.id, tenant, entries)
    last = entries[-1].link if entries else None
    if last is None or (last.sequence, last.hash) != (unit.version, unit.head):
        stands = f"{unit.version} {unit.head}"
        ends = "" if last is None else f"{last.sequence} {last.hash}"
        where = 0 if last is None else last.sequence
        yield Finding(unit.id, where, "the log does not end where the unit stands", stands, ends)
    folding = Folding(read.running.flow)
    for row in entries:
        try:
            records = tuple(read_records(row.link.body))
            yield from _wrong_time(row, records)
            for record in records:
                yield from _wrong_record(read.running.flow, row, record, folding)
                folding.take(record)
        except (ValueError, LookupError, TypeError, AttributeError) as exc:
            what = f"the entry cannot be read: {exc!r}"
            yield Finding(unit.id, row.link.sequence, what)
            return
    if entries:
        yield from _wrong_state(read, folding.snapshot())


def wrong_chain(unit: str, tenant: str, entries: list[AuditRow]) -> Iterator[Finding]:
    """Yield where the entries of an audit do not hang together."""
    before = genesis(tenant, unit)
    for place, row in enumerate(entries, 1):
        link = row.link
        if link.sequence != place:
            yield Finding(unit, place, "an entry is missing", str(place), str(link.sequence))
        right = linked(before, link.body)
        if link.hash != right:
            yield Finding(unit, link.sequence, "the hash does not fit", right, link.hash)
        before = link.hash


def _wrong_time(row: AuditRow, records: tuple[Record, ...]) -> Iterator[Finding]:
    """Find an entry that stands under another time than the one its hash covers."""
    for record in records:
        if record.at != row.link.at:
            what, right = "the entry stands under another time", str(record.at)
            yield Finding(row.unit, row.link.sequence, what, right, str(row.link.at))


def _wrong_record(
    flow: Workflow, row: AuditRow, record: Record, before: Folding
) -> Iterator[Finding]:
    """Find what begins in no status, moves along no edge, or from where it did not stand."""
    unit, where = row.unit, row.link.sequence
    if record.change in ("begin", "new"):
        machines = [machine for machine in flow.machines() if machine.name == record.kind]
        if not any(record.target in machine.names() for machine in machines):
            found = f"{record.kind} {record.target}"
            yield Finding(unit, where, "this is no status of the machine", "", found)
    if record.change != "move":
        return
    edge = flow.table.edges.get(record.kind, {}).get((record.source, record.signal))
    told = f"{record.kind} {record.source} --{record.signal}--> {record.target}"
    for thing in before.about(record):
        kind = thing.kind if isinstance(thing, Part) else flow.unit.name
        if edge is None or record.target != _target(edge, thing):
            yield Finding(unit, where, "this is no edge of the machine", "", told)
        elif (kind, thing.status) != (record.kind, record.source):
            stood = f"{kind} {thing.status}"
            yield Finding(unit, where, "this moved from where it did not stand", stood, told)


def _target(edge: Edge, thing: Unit | Part) -> object:
    """Return where an edge leads; it may be where a field says."""
    return thing.fields.get(edge.target_field) if edge.target_field else edge.target


def _wrong_state(read: Read, folded: Snapshot) -> Iterator[Finding]:
    unit, stands = read.whole.row, read.snapshot
    said = dict(_facts(folded))
    found = dict(_facts(stands))
    # The unit comes first, then which parts there are, then each of them.
    for name in said | found:
        if said.get(name) != found.get(name):
            what = f"the log and the rows differ about {name}"
            yield Finding(unit.id, unit.version, what, said.get(name, ""), found.get(name, ""))
    counted = dump(tally(stands.parts))
    if counted != dump({kind: counts for kind, counts in unit.tally.items() if counts}):
        yield Finding(unit.id, unit.version, "the tally is wrong", counted, dump(unit.tally))
    for row, part in zip(read.whole.parts, stands.parts, strict=True):
        held = waits(read.running.flow, stands, part)
        if held != row.waits:
            what = f"open needs of {row.id} are miscounted"
            yield Finding(unit.id, unit.version, what, str(held), str(row.waits))
    try:
        check_pairs(standing(read.running.flow, stands))
    except IllegalPair as exc:
        yield Finding(unit.id, unit.version, str(exc))


def _facts(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Say everything that a unit is, fact by fact."""
    yield "the unit's status", snapshot.unit.status
    for name, value in snapshot.unit.fields.items():
        yield f"the unit's {name}", dump(value)
    yield "the order of the parts", " ".join(snapshot.ids)
    for name, part in zip(snapshot.ids, snapshot.parts, strict=True):
        yield f"{name}: status", f"{part.kind} {part.status}"
        yield f"{name}: parent and needs", dump([part.parent, part.needs])
        for field_name, value in part.fields.items():
            yield f"{name}: {field_name}", dump(value)
