"""Explaining why a unit or part is where it is, and what moves it, with calls that can be sent."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from interlock.clock import moment
from interlock.commands.mission.waits import MISSION, Speech, action_of, text_of, waits_of
from interlock.commands.row import Call, moves
from interlock.commands.ticket.waits import TICKET
from interlock.kernel.explain import explain
from interlock.kernel.why import Call as Move
from interlock.kernel.why import Why
from interlock.service.cards import titled
from interlock.service.errors import NotFound
from interlock.service.order import Reply
from interlock.service.read import Read, read_unit
from interlock.wire.work import Ref

SPEECHES: Final[Mapping[str, Speech]] = {"mission": MISSION, "ticket": TICKET}
"""How the workflows speak that say what is waited for."""


async def explain_it(call: Call, asked: Ref) -> Reply:
    """Say why a unit or part is where it is, and what moves it."""
    read = await read_unit(call.engine, call.tenant, asked.id)
    part = asked.id if "." in asked.id else None
    if part is not None and part not in read.snapshot.ids:
        raise NotFound(asked.id)
    why = explain(read.running.flow, read.snapshot, part, read.whole.row.changed_at)
    name = read.whole.incarnation
    why = replace(
        why,
        calls=tuple(_leased(move, name) for move in why.calls),
        first=tuple(_leased(move, name) for move in why.first),
    )
    data: Reply = {
        "id": asked.id, "kind": why.kind, "status": why.status, "since": why.since,
        "holder": why.holder, "text": why.text(),
        "calls": [_move(move) for move in why.calls],
        "first": [_move(move) for move in why.first],
        "facts": [{"what": fact.what, "code": fact.code, "actors": fact.actors} for fact in why.facts],
    }  # fmt: skip
    data |= await _waits(call, read, why, asked.id)
    until = read.whole.due.get(asked.id)
    if until is not None and not why.holder:
        data |= {"until": until, "text": f"{data['text']}\n{_time_up(call, read, why.kind, until)}"}
    action = why.calls[0].text() if why.calls else ""
    if data.get("waits"):
        action = action_of(cast("list[Reply]", data["waits"])[0])
    reply: Reply = {"status": why.status, "next_action": action, "warnings": []}
    legal = moves(read.running, read.whole.row, call.caller.kind)
    return reply | {"legal_moves": legal, "data": data}


def _time_up(call: Call, read: Read, kind: str, until: int) -> str:
    """Say when the clock sends what."""
    timer = read.running.flow.timer_of(kind)
    event = "an event" if timer is None else timer.event
    return f"Time is up {moment(until, call.engine.store.now())}: then the clock sends {event}."


async def _waits(call: Call, read: Read, why: Why, name: str) -> Reply:
    """Tell what is waited for, where the workflow has words for that."""
    if not why.waits:
        return {}
    speech = SPEECHES[read.running.flow.name]
    waits, since = await waits_of(call, read, why, name, speech)
    why = replace(why, since=since)
    fields = read.snapshot.part(name).fields if "." in name else read.snapshot.unit.fields
    title = titled(fields)
    called = f"{name} “{title}”" if title else name
    text = text_of(called, why, waits, call.engine.store.now())
    return {"waits": waits, "text": text, "since": since}


def _leased(move: Move, incarnation: str) -> Move:
    """Return a call with the lease that its holder was given, in place of its bare number."""
    fence = move.args.get("fence")
    if fence is None:
        return move
    others = {name: value for name, value in move.args.items() if name != "fence"}
    return replace(move, args={"lease": f"{incarnation}.{fence}", **others})


def _move(move: Move) -> Reply:
    return {"text": move.text(), "command": move.command, "event": move.event, "moves": move.moves}
