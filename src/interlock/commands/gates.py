"""Gates of every workflow: the inbox, one gate with all that a decision needs, and the decision.

A gate is a status in which something waits for a decision of a person. What can be decided there,
and by whom, is for the workflow's rules to say; here it is only shown and passed on.
"""

import json
from typing import Final

from interlock.commands.deciding import may_decide
from interlock.commands.listing import place_of
from interlock.commands.mission.gate import WRITES, decide_mission
from interlock.commands.plan.review import decide_step
from interlock.commands.row import AnyCommand, Call, Command
from interlock.commands.ticket.gate import WRITES as TICKET_WRITES
from interlock.commands.ticket.gate import decide_ticket
from interlock.commands.ticket.warned import told_beside
from interlock.commands.work import said
from interlock.kernel.gates import policy_of
from interlock.kernel.rules import USER
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Order, Reply
from interlock.service.read import read_unit
from interlock.service.run import Answer, advance
from interlock.store.gates import WITHDRAWN, GateRow, WhichGates
from interlock.store.rows import part_id, unit_of
from interlock.wire.gates import DecideGate, GateRef, ListGates

TOOLSET: Final = "work"
DECIDED: Final = "d"
"""What a cursor begins with that stands among the decided gates."""


async def list_gates(call: Call, asked: ListGates) -> Reply:
    """List what waits for a decision, the oldest first, and what was decided, the last first."""
    first, _, rest = (asked.cursor or "").partition(".")
    is_past = first == DECIDED
    place = place_of(rest if is_past else asked.cursor)
    rows: list[GateRow] = []
    if asked.state != "decided" and not is_past:
        rows += await _page(call, asked, place, asked.limit, is_open=True)
        place = None
    left = asked.limit - len(rows)
    if asked.state != "open" and left:
        rows += await _page(call, asked, place, left, is_open=False)
    data: Reply = {"gates": [told(row) for row in rows]}
    if len(rows) == asked.limit:
        last = rows[-1]
        data["cursor"] = (
            f"{last.opened_at}.{last.id}"
            if last.is_open
            else f"{DECIDED}.{last.decided_at}.{last.id}"
        )
    return _envelope("ok", "Read one with get_gate before you decide." if rows else "", data)


async def _page(
    call: Call, asked: ListGates, place: tuple[int, str] | None, limit: int, *, is_open: bool
) -> tuple[GateRow, ...]:
    which = WhichGates(is_open, asked.unit, asked.workflow)
    return tuple(await call.engine.store.gates.page(call.tenant, which, place, limit))


def told(gate: GateRow) -> Reply:
    """Tell a gate in short."""
    line: Reply = {"gate_id": gate.id, "unit_id": gate.unit, "workflow": gate.workflow}
    if gate.part:
        line["part_id"] = part_id(gate.unit, gate.part)
    line |= {"kind": gate.kind, "status": gate.status, "title": gate.title}
    line |= {"content_digest": gate.digest, "opened_at": gate.opened_at}
    line["opened_by"] = _who(gate.opened_kind, gate.opened_by, gate.opened_for)
    if gate.policy:
        line["policy"] = gate.policy
    line["is_open"] = gate.is_open
    if not gate.is_open:
        line |= {"decision": gate.decision, "event": gate.event, "decided_at": gate.decided_at}
        line["decided_by"] = _who(gate.decided_kind, gate.decided_by, gate.decided_for)
        line["is_relayed"] = gate.decision != WITHDRAWN and gate.decided_kind != USER
        if gate.channel:
            line["channel"] = gate.channel
    return line


def _who(kind: str, name: str, behalf: str) -> Reply:
    who: Reply = {"kind": kind, "id": name}
    return who | {"on_behalf_of": behalf} if behalf else who


async def get_gate(call: Call, asked: GateRef) -> Reply:
    """Tell a gate with what is shown there, what can be decided, and what came before it."""
    gate = await find_gate(call, asked.gate_id)
    read = await read_unit(call.engine, call.tenant, gate.unit)
    data = told(gate)
    data["policy"] = gate.policy or policy_of(read.snapshot.unit.fields)
    data["url"] = f"{call.engine.site}/gates/{gate.id}"
    data["shown"] = await _shown(call, gate)
    if gate.is_open and (warnings := told_beside(gate.status, read.snapshot.unit.fields)):
        data["warnings"] = list(warnings)
    data["decisions"] = _decisions(call, gate) if gate.is_open else []
    others = await call.engine.store.gates.of_unit(call.tenant, gate.unit)
    data["history"] = [told(one) for one in others if one.part == gate.part and one.id != gate.id]
    action = f"Decide with decide_gate, gate_id {gate.id} and the content_digest shown here."
    return _envelope("open" if gate.is_open else "decided", action if gate.is_open else "", data)


def _decisions(call: Call, gate: GateRow) -> list[Reply]:
    """Return what can be decided here, each with the call that does it."""
    events = call.engine.running(gate.unit).gates.get((gate.kind, gate.status), frozenset())
    given: Reply = (
        {"gate_id": gate.id, "content_digest": gate.digest} if gate.digest else {"gate_id": gate.id}
    )
    return [
        {"decision": event, "command": "decide_gate", "arguments": {**given, "decision": event}}
        for event in sorted(events - WRITES - TICKET_WRITES)
    ]


async def _shown(call: Call, gate: GateRow) -> object:
    """Return the content that is to be decided about."""
    content = await call.engine.store.content(call.tenant, gate.digest) if gate.digest else None
    if content is None:
        return None
    try:
        shown: object = json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")
    return shown


async def find_gate(call: Call, name: str) -> GateRow:
    """Read a gate by its id; a foreign one and none look the same."""
    about, _, _ = name.rpartition(":")
    found = await call.engine.store.gates.find(call.tenant, unit_of(about), name)
    if found is None:
        raise NotFound(name)
    return found


async def decide_gate(call: Call, asked: DecideGate) -> Answer:
    """Take a decision at a gate."""
    may_decide(call)
    gate = await find_gate(call, asked.gate_id)
    running = call.engine.running(gate.unit)
    events = running.gates.get((gate.kind, gate.status), frozenset())
    if asked.decision not in events:
        message = f"{asked.decision} cannot be decided at this gate."
        raise InvalidInput(
            message, fix=f"Decide one of {', '.join(sorted(events - WRITES - TICKET_WRITES))}."
        )
    about = part_id(gate.unit, gate.part) if gate.part else None
    if running.flow.name == "plan" and about is not None:
        return await decide_step(call, about, asked, gate.id)
    if running.flow.name == "mission":
        return await decide_mission(call, about or gate.unit, asked, gate.id)
    if running.flow.name == "ticket" and about is None:
        return await decide_ticket(call, gate.unit, asked, gate.id)
    args: dict[str, object] = {"decision": asked.decision, "digest": asked.content_digest}
    if asked.content_digest is None and call.caller.kind != USER:
        args["digest"] = gate.digest or None
    said_too: Reply = {"feedback": asked.feedback, "answers": asked.answers}
    said_too = {name: value for name, value in said_too.items() if value}
    args |= said_too | ({"reason": asked.feedback} if asked.feedback else {})
    sent = Asked(asked.decision, about, args=args, gate=gate.id, told=said_too)
    order = Order(call.tenant, call.caller.actor(), gate.unit, (sent,), said, call.key)
    return await advance(call.engine, order)


def _envelope(status: str, action: str, data: Reply) -> Reply:
    reply: Reply = {"status": status, "next_action": action, "legal_moves": []}
    return reply | {"data": data, "warnings": []}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_gates", ListGates, list_gates, "read", TOOLSET, words="inbox",
            http="GET /gates",
            doc="What waits for a decision of a person, the oldest first; and what was decided."),
    Command("get_gate", GateRef, get_gate, "read", TOOLSET,
            http="GET /gates/{gate_id}",
            doc="A gate: what is shown there, what can be decided and how, who decided what before."),
    Command("decide_gate", DecideGate, decide_gate, "work", TOOLSET, event="approve", words="decide",
            http="POST /gates/{gate_id}/decision",
            doc="Decide at a gate, once; where people decide, only a person can, and names what was shown."),
)
# fmt: on
