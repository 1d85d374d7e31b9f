"""How the answers about missions are worded, and what every command about one has in common."""

from collections.abc import Sequence
from typing import Final

from interlock.commands.names import is_mission, is_of_mission
from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.kernel.rules import USER
from interlock.service.order import Asked, Order, Reply, Result, Worded
from interlock.store.rows import PartRow, UnitRow, unit_of

TOOLSET: Final = "mission"

HELD: Final = "Wait for a person: fix_hop repairs the failed hop, abandon_recovery gives it up."
PENDING: Final = "Wait until a person has accepted or rejected the proposed hop."
REVISED: Final = "Wait until a person has accepted the revised hop."
NEXT: Final = {
    "PROPOSED": "Wait until a person has accepted the mission.",
    "READY_FOR_NEXT_HOP": "Call propose_hop.",
    "BUILDING_HOP": "Call get_next_work (workflow mission, kind hop) to resolve or revise the hop.",
    "HOP_READY_TO_EXECUTE": "Wait until a person has executed the hop or asked for changes.",
    "EXECUTING_HOP": "Call get_next_work (workflow mission, kind tool_step) to run its tool steps.",
}
YOURS_HELD: Final = "Call fix_hop to have the failed hop resolved anew, or abandon_recovery."
YOURS_PENDING: Final = "Look at the proposed hop, then call accept_hop or reject_hop."
YOURS_SENT_BACK: Final = "Wait until an agent has revised the hop, then call accept_hop."
YOURS_REVISED: Final = "Look at the revised hop, then call accept_hop."
YOURS: Final = {
    "PROPOSED": "Look at the mission, then call accept_mission.",
    "READY_FOR_NEXT_HOP": "Wait until an agent proposes the next hop, or write it with create_hop.",
    "BUILDING_HOP": "Wait until an agent has resolved the hop into tool steps.",
    "HOP_READY_TO_EXECUTE": "Look at the design, then call execute_hop or request_changes.",
    "EXECUTING_HOP": "Wait until a worker has run the tool steps.",
}
"""What comes next for a person."""

OVER: Final = "The mission has ended; mission_context has everything it came to."


def go_on(unit: UnitRow, caller: str, hop: PartRow | None = None) -> str:
    """Say what comes next for a kind of caller; the current hop says more, where it is known."""
    is_person, status = caller == USER, unit.unit.status
    if unit.unit.fields["held"]:
        return YOURS_HELD if is_person else HELD
    if status == "READY_FOR_NEXT_HOP" and unit.tally.get("hop", {}).get("PROPOSED"):
        return YOURS_PENDING if is_person else PENDING
    if status == "BUILDING_HOP" and hop is not None and hop.part.status == "PROPOSED":
        if not hop.part.fields["is_asked"]:
            return YOURS_REVISED if is_person else REVISED
        return YOURS_SENT_BACK if is_person else NEXT[status]
    return (YOURS if is_person else NEXT).get(status, OVER)


def answered(
    result: Result, data: Reply, warnings: Sequence[str] = (), action: str | None = None
) -> Reply:
    """Word the answer to a command that has changed a mission."""
    unit = result.unit
    part = result.done[0].part if result.done else None
    legal = moves(result.running, unit, result.caller, part)
    told = {**data, "mission_id": unit.id, "mission_status": unit.unit.status}
    hop = part if part is not None and part.part.kind == "hop" else None
    next_action = go_on(unit, result.caller, hop) if action is None else action
    return envelope(unit.unit.status, next_action, legal, told, warnings)


def changed(result: Result) -> Reply:
    """Word the answer to a command about a mission or one of its parts."""
    part = result.done[0].part
    return answered(result, {} if part is None else {part.part.kind: part_told(part)})


def part_told(row: PartRow) -> Reply:
    """Tell a part in short, in the words of its kind."""
    fields = row.part.fields
    word = {"hop": "hop_id", "asset": "asset_id"}.get(row.part.kind, "part_id")
    told: Reply = {word: row.id, "status": row.part.status}
    names = {
        "hop": ("sequence", "name", "is_final", "inputs", "output", "error"),
        "asset": ("name",),
        "tool_step": ("tool", "tries", "error"),
    }
    told |= {name: fields[name] for name in names[row.part.kind] if fields.get(name)}
    if row.part.kind == "asset" and fields["content"]:
        told["content_digest"] = fields["content"]
    return told


def gate_told(call: Call, gate: str, digest: str, decision: str) -> Reply:
    """Name a gate, what is shown there, and where it is answered."""
    return {
        "gate_id": gate,
        "content_digest": digest,
        "url": f"{call.engine.site}/gates/{gate}",
        "command_line": f"interlock decide {gate} {decision}",
    }


def opened(call: Call, result: Result) -> Reply:
    """Name the gate that a command has opened last, if any."""
    if not result.opened:
        return {}
    gate = result.opened[-1]
    decision = DECISIONS.get((gate.kind, gate.status), "")
    return {"gate": gate_told(call, gate.id, gate.digest, decision)}


DECISIONS: Final = {
    ("mission", "PROPOSED"): "accept_mission",
    ("hop", "PROPOSED"): "accept_hop",
    ("hop", "READY_TO_EXECUTE"): "execute_hop",
}
"""What lets things go on at each gate."""


def showing(call: Call) -> Worded:
    """Return how a command is answered that may have opened a gate."""

    def word(result: Result) -> Reply:
        reply = changed(result)
        data: Reply = dict(reply["data"]) if isinstance(reply["data"], dict) else {}
        return reply | {"data": data | opened(call, result)}

    return word


def about(
    call: Call,
    name: str,
    asked: tuple[Asked, ...],
    word: Worded = changed,
    version: int | None = None,
) -> Order:
    """Return an order about a mission or a part of one; with a version only on that one.

    The audit names the request with the first of what was asked.
    """
    seen = call.version if version is None else version
    if call.key is not None:
        first, *others = asked
        told = {**first.told, "request": call.key.request}
        asked = (first._replace(told=told), *others)
    return Order(call.tenant, call.caller.actor(), unit_of(name), asked, word, call.key, seen)


def mission_named(name: str) -> str:
    """Return a name that could be a mission's."""
    is_mission(name)
    return name


def part_named(name: str) -> str:
    """Return a name that could be that of a part of a mission."""
    is_of_mission(name)
    return name
