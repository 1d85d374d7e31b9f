"""Do the gates agree with the audit? What waits has an open one, and each says what the log says.

Part of verifying a unit (``verify``): its rows, its audit and its gates were read before; nothing
is asked here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from interlock.kernel.gates import SHOWN
from interlock.kernel.rules import SYSTEM
from interlock.service.record import Body, read_body
from interlock.service.standing import Read
from interlock.store.gates import WITHDRAWN, GateRow
from interlock.store.port import AuditRow
from interlock.store.rows import part_id

MIGRATED: Final = (SYSTEM, "migration")
"""Who has opened the gates that stood open before there were rows of them."""

Wrong = Iterator[tuple[int, str, str, str]]
"""A sequence, what is wrong, what was expected, what was found."""


def wrong_gates(read: Read, gates: Sequence[GateRow], entries: Sequence[AuditRow]) -> Wrong:
    """Yield what the gates of a unit say otherwise than its rows or its audit."""
    # Those that were opened or closed after the unit was read are left out.
    last = read.whole.row.version
    known = [gate for gate in gates if gate.opened_sequence <= last]
    waiting = dict(_waiting(read))
    waits = {
        gate.part: gate
        for gate in known
        if gate.decided_sequence is None or gate.decided_sequence > last
    }
    for number in sorted(waiting.keys() | waits.keys()):
        expected = waiting.get(number, "")
        found = "" if number not in waits else _told(waits[number], expected)
        if expected != found:
            name = part_id(read.whole.row.id, number) if number else read.whole.row.id
            yield last, f"the gates and the rows differ about {name}", expected, found
    bodies = {row.link.sequence: row.link.body for row in entries}
    for gate in known:
        yield from _wrong_entries(gate, bodies, last)


def _waiting(read: Read) -> Iterator[tuple[int, str]]:
    """Yield what waits for a decision: its number, its status and what is shown."""
    gates, unit = read.running.gates, read.snapshot.unit
    if (read.running.flow.unit.name, unit.status) in gates:
        yield 0, f"{unit.status} {unit.fields.get(SHOWN) or ''}"
    for row in read.whole.parts:
        if (row.part.kind, row.part.status) in gates:
            yield row.number, f"{row.part.status} {row.part.fields.get(SHOWN) or ''}"


def _told(gate: GateRow, expected: str) -> str:
    """Say how a gate stands; of one that is older than its row the digest may not be known."""
    told = f"{gate.status} {gate.digest}"
    is_old = (gate.opened_kind, gate.opened_by) == MIGRATED and not gate.digest
    return expected if is_old and expected.startswith(told) else told


def _wrong_entries(gate: GateRow, bodies: Mapping[int, str], last: int) -> Wrong:
    if (gate.opened_kind, gate.opened_by) != MIGRATED:
        who = (gate.opened_kind, gate.opened_by, gate.opened_for)
        yield from _wrong_entry(gate, gate.opened_sequence, bodies, who, "")
    if gate.decided_sequence is None or gate.decided_sequence > last:
        return
    by = (gate.decided_kind, gate.decided_by, gate.decided_for)
    yield from _wrong_entry(gate, gate.decided_sequence, bodies, by, gate.event)
    if gate.decision not in (gate.event, WITHDRAWN):
        what = f"the gate {gate.id} was decided by another event"
        yield gate.decided_sequence, what, gate.event, str(gate.decision)


def _wrong_entry(
    gate: GateRow, sequence: int, bodies: Mapping[int, str], who: tuple[str, str, str], event: str
) -> Wrong:
    """Compare who did what with the entry of the audit that a gate names."""
    text = bodies.get(sequence)
    said = None if text is None else _said(read_body(text))
    told = (*who, event or (said[-1] if said else ""))
    if said != told:
        expected = "" if said is None else " ".join(said)
        what = f"the gate {gate.id} and the log differ about who did what"
        yield sequence, what, expected, " ".join(told)


def _said(body: Body) -> tuple[str, str, str, str]:
    actor = cast("Mapping[str, str]", body["actor"])
    words = (actor.get(name, "") for name in ("kind", "id", "on_behalf_of"))
    kind, name, behalf = words
    return kind, name, behalf, str(body["event"])
