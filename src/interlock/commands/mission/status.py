"""How a mission stands, what a session needs to go on with one, and lists of them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, cast

from interlock.commands.listing import amiss, page, place_of
from interlock.commands.mission.make import mission_assets
from interlock.commands.mission.words import (
    DECISIONS,
    gate_told,
    go_on,
    mission_named,
    part_told,
)
from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.service.order import Reply
from interlock.service.read import Read, read_unit
from interlock.store.gates import GateRow
from interlock.store.port import Listed, Which
from interlock.store.rows import PartRow
from interlock.toolbox.tool import Described
from interlock.wire.mission import ListMissions, MissionRef
from interlock.workflows.mission.failures import BLOCKED
from interlock.workflows.mission.machines import ENDED

LISTED_MAX: Final = 200
"""How many hops a status lists, the last ones; the counts have them all."""

EVENTS: Final = 20
CONTENT_BUDGET: Final = 60_000
"""How many characters of what assets hold a context tells; the rest is named by its digest."""


async def mission_status(call: Call, asked: MissionRef) -> Reply:
    """Say how a mission stands."""
    read = await read_unit(call.engine, call.tenant, mission_named(asked.mission_id))
    return _seen(call, read, await _standing(call, read))


def _seen(call: Call, read: Read, data: Reply) -> Reply:
    unit = read.whole.row
    current = unit.unit.fields["current"]
    hop = next((row for row in read.whole.parts if row.id == current), None)
    legal = moves(read.running, unit, call.caller.kind, hop)
    hops = _of_kind(read, "hop")
    warnings = [f"Only the last {LISTED_MAX} hops are listed."] if len(hops) > LISTED_MAX else []
    action = go_on(unit, call.caller.kind, hop)
    return envelope(unit.unit.status, action, legal, data, warnings)


async def _standing(call: Call, read: Read) -> Reply:
    unit = read.whole.row
    fields = unit.unit.fields
    names = ("name", "goal", "policy", "held", "recovery", "attempt", "reset_of", "superseded_by")
    data: Reply = {"mission_id": unit.id, "status": unit.unit.status, "version": unit.version}
    data |= {name: fields[name] for name in names if fields[name] not in (None, False)}
    data |= _time_to_repair(read)
    data["counts"] = {kind: dict(counts) for kind, counts in unit.tally.items()}
    if fields["current"]:
        data["current_hop"] = fields["current"]
    hops = [_hop(row) for row in _of_kind(read, "hop")]
    data["hops"] = hops[-LISTED_MAX:]
    data["assets"] = list(_assets(read))
    data["tool_steps"] = list(_steps(read))
    gates = await call.engine.store.gates.of_unit(call.tenant, unit.id)
    waiting = [_gate(call, gate) for gate in gates if gate.is_open]
    return data | {"gates": waiting} if waiting else data


def _time_to_repair(read: Read) -> Reply:
    """Tell how long a mission is held at most, and while it is held when that is over."""
    unit, told = read.whole.row, Reply()
    fields = unit.unit.fields
    if fields["deadline"] is not None:
        told["recovery_deadline_s"] = fields["deadline"]
    if unit.id in read.whole.due:
        record = cast("Mapping[str, object]", fields["recovery"] or {})
        told["recovery"] = {**record, "until": read.whole.due[unit.id]}
    return told


def _gate(call: Call, gate: GateRow) -> Reply:
    word = DECISIONS.get((gate.kind, gate.status), "")
    return gate_told(call, gate.id, gate.digest, word)


def _of_kind(read: Read, kind: str) -> list[PartRow]:
    return [row for row in read.whole.parts if row.part.kind == kind]


def _hop(row: PartRow) -> Reply:
    fields = row.part.fields
    told = part_told(row) | {"goal": fields["goal"]}
    told |= {name: True for name in ("is_archived", "recoverable") if fields[name]}
    if fields["holder"] is not None:
        told["holder"] = fields["holder"]
    return told


def _assets(read: Read) -> Iterator[Reply]:
    """Tell each asset with the part that it plays."""
    fields = read.snapshot.unit.fields
    inputs = cast("tuple[str, ...]", fields["inputs"] or ())
    outputs = cast("tuple[str, ...]", fields["outputs"])
    own = {row.id for row in mission_assets(read.whole.parts)}
    for row in _of_kind(read, "asset"):
        told = part_told(row)
        told["role"] = (
            "input" if row.id in inputs else "output" if row.id in outputs else "intermediate"
        )
        if row.id not in own:
            told["hop_id"] = row.part.parent
        if row.part.fields["ttl"] is not None:
            told["ttl_s"] = row.part.fields["ttl"]
        if row.id in read.whole.due:
            told["until"] = read.whole.due[row.id]
        names = ("description", "schema")
        yield told | {name: row.part.fields[name] for name in names if row.part.fields[name]}


def _steps(read: Read) -> Iterator[Reply]:
    """Tell the tool steps of the current hop in their order; once it has ended, of the last one."""
    hop = _shown_hop(read)
    for row in _of_kind(read, "tool_step"):
        if hop is None or row.part.parent != hop:
            continue
        told = part_told(row) | {"hop_id": hop}
        if row.part.fields["attempts"]:
            told["attempts"] = row.part.fields["attempts"]
        blocked = blocked_by(read.whole.parts, row)
        if blocked:
            told["blocked_by"] = blocked
        if row.part.fields["holder"] is not None:
            told["holder"] = row.part.fields["holder"]
            if row.id in read.whole.due:
                told["until"] = read.whole.due[row.id]
        yield told


def _shown_hop(read: Read) -> object:
    current, status = read.snapshot.unit.fields["current"], read.snapshot.unit.status
    hops = _of_kind(read, "hop")
    return current or (hops[-1].id if hops and status in ENDED else None)


def blocked_by(parts: Iterable[PartRow], row: PartRow) -> list[str]:
    """Name the assets that were not ready when a tool step was to start, and are not ready yet."""
    error = row.part.fields["error"]
    is_blocked = isinstance(error, Mapping) and error.get("message") == BLOCKED
    if not is_blocked or row.part.status != "FAILED":
        return []
    needed = set(row.part.needs)
    return [one.id for one in parts if one.id in needed and one.part.status != "READY"]


# -- context -----------------------------------------------------------------------------------


async def mission_context(call: Call, asked: MissionRef) -> Reply:
    """Tell everything that a new session needs to go on."""
    read = await read_unit(call.engine, call.tenant, mission_named(asked.mission_id))
    data = await _standing(call, read)
    fields = read.snapshot.unit.fields
    names = ("description", "success_criteria", "tries_max")
    data |= {name: fields[name] for name in names}
    wanted = ("description", "success_criteria", "rationale")
    for told, row in zip(
        cast("list[Reply]", data["hops"]), _of_kind(read, "hop")[-LISTED_MAX:], strict=True
    ):
        told |= {name: row.part.fields[name] for name in wanted if row.part.fields[name]}
    left = CONTENT_BUDGET
    for told in cast("list[Reply]", data["assets"]):
        digest = told.get("content_digest")
        if digest is None:
            continue
        content = await call.engine.store.content(call.tenant, str(digest))
        if content is not None and len(content) <= left:
            left -= len(content)
            told["content"] = json.loads(content)
    data["tools"] = [_tool(one) for one in (await call.engine.tools()).values()]
    data["last_events"] = await _last_events(call, read)
    return _seen(call, read, data)


def _tool(tool: Described) -> Reply:
    """Tell a tool; its name is called what a step of a chain calls it."""
    told = tool._asdict()
    return {"tool": told.pop("name"), **told}


async def _last_events(call: Call, read: Read) -> list[Reply]:
    """Return the last entries of the mission's audit, the newest first."""
    row = read.whole.row
    rows = await call.engine.store.audit(call.tenant, row.id, max(row.version - EVENTS, 0), EVENTS)
    return [_event(json.loads(one.link.body)) for one in reversed(rows)]


def _event(body: Mapping[str, object]) -> Reply:
    event: Reply = {name: body[name] for name in ("sequence", "at", "event", "actor")}
    names = {"ids": "part_ids", "source": "from", "target": "to", "reason": "reason"}
    event |= {word: body[name] for name, word in names.items() if body.get(name)}
    return event | {name: body[name] for name in ("feedback", "answers") if name in body}


# -- lists -------------------------------------------------------------------------------------


async def list_missions(call: Call, asked: ListMissions) -> Reply:
    """List missions, the last changed first."""
    status = asked.status or ""
    which = Which(not asked.include_ended and status not in ENDED, status, asked.tag or "")
    place = place_of(asked.cursor)
    rows = await call.engine.store.units(call.tenant, "mission", place, asked.limit, which)
    return page("missions", [_line(one) for one in rows], rows, asked.limit)


def _line(listed: Listed) -> Reply:
    row = listed.row
    fields = row.unit.fields
    told: Reply = {
        "mission_id": row.id, "name": fields.get("name", ""), "status": row.unit.status,
        "held": fields.get("held"), "hops": dict(row.tally.get("hop", {})),
        "changed_at": row.changed_at, "tags": listed.tags,
    }  # fmt: skip
    return told | amiss(listed)
