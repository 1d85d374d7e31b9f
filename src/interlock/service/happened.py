"""What is worth telling a hook, read from the audit: gates, stalls, blocks, ends.

An entry of a unit's audit says that something changed; what that means to somebody outside is
said here, once for every workflow. Nothing is asked or written.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.service.engine import Running
from interlock.service.record import Body, read_body
from interlock.store.gates import WITHDRAWN, GateRow
from interlock.store.port import AuditRow
from interlock.store.rows import part_id

OPENED: Final = "gate_opened"
DECIDED: Final = "gate_decided"
STALLED: Final = "stalled"
BLOCKED: Final = "blocked"
FINISHED: Final = "finished"
EVENTS: Final = (OPENED, DECIDED, STALLED, BLOCKED, FINISHED)
TEST: Final = "test"


class Happening(NamedTuple):
    """Something that happened; ``about`` and the event name it once and for all."""

    event: str
    about: str
    told: Mapping[str, object]


def happened(
    running: Running, row: AuditRow, gates: Sequence[GateRow], site: str
) -> Iterator[Happening]:
    """Yield what an entry of a unit's audit tells; ``gates`` are those of the unit."""
    body, sequence = read_body(row.link.body), row.link.sequence
    about = f"{row.unit}:{sequence}"
    told = {
        "unit_id": row.unit, "workflow": running.flow.name, "sequence": sequence,
        "at": row.link.at, "actor": body["actor"],
    }  # fmt: skip
    for gate in gates:
        if gate.opened_sequence == sequence:
            yield Happening(OPENED, gate.id, {**told, "gate": _gate(gate, site)})
        if gate.decided_sequence == sequence:
            yield Happening(DECIDED, gate.id, {**told, "gate": _gate(gate, site) | _end(gate)})
    for event, more in _changes(running, body):
        yield Happening(event, about, {**told, **more})


def _changes(running: Running, body: Body) -> Iterator[tuple[str, Mapping[str, object]]]:
    written = cast("Mapping[str, object]", body.get("set", {}))
    ids = cast("Sequence[str]", body.get("ids", ()))
    if written.get("lapsed") is True and ids:
        yield STALLED, {"part_id": ids[0]}
    if body.get("change") != "move" or not body.get("unit"):
        return
    status = running.flow.unit.status(str(body["target"]))
    ends: Mapping[str, object] = {"status": status.name, "is_success": status.is_success}
    if status.is_trouble:
        yield BLOCKED, {"status": status.name}
    if status.kind == "terminal":
        yield FINISHED, ends


def _gate(gate: GateRow, site: str) -> dict[str, object]:
    told: dict[str, object] = {
        "gate_id": gate.id, "kind": gate.kind, "status": gate.status, "title": gate.title,
        "content_digest": gate.digest, "policy": gate.policy, "opened_at": gate.opened_at,
        "url": f"{site}/gates/{gate.id}",
    }  # fmt: skip
    return told | {"part_id": part_id(gate.unit, gate.part)} if gate.part else told


def _end(gate: GateRow) -> dict[str, object]:
    return {
        "decision": gate.decision, "event": gate.event, "decided_at": gate.decided_at,
        "decided_by": {"kind": gate.decided_kind, "id": gate.decided_by},
        "is_relayed": gate.decision != WITHDRAWN and gate.decided_kind != "user",
    }  # fmt: skip
