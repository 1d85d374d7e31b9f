"""The generic verbs: work of any workflow, what there is, why it stands where it does."""

from contextlib import aclosing
from itertools import islice
from typing import Final

from interlock import __version__
from interlock.commands.explaining import explain_it
from interlock.commands.listing import amiss, page, place_of
from interlock.commands.mission.give_up import give_up
from interlock.commands.mission.next import to_propose
from interlock.commands.mission.run import with_call
from interlock.commands.row import EVERY, AnyCommand, Call, Command, named, where_of
from interlock.commands.ticket import blind
from interlock.commands.ticket.handed import with_task
from interlock.commands.ticket.work import give_up_answer, submit_answer
from interlock.kernel.offered import Where, offered
from interlock.service.access import SCOPES
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Kept, Order, Reply, Result
from interlock.service.past import Past, read_past
from interlock.service.read import read_unit
from interlock.service.run import Answer, advance
from interlock.service.work import changes, claim, next_work
from interlock.store.port import Filter, Which
from interlock.store.rows import PartRow, dump, unit_of
from interlock.wire.work import (
    GiveUpWork,
    HeldWork,
    ListUnits,
    NextWork,
    Nothing,
    ReadAudit,
    ReadUnit,
    Ref,
    SubmitWork,
    TakeOverWork,
)

TOOLSET: Final = "work"
RESERVED: Final = frozenset({"fence", "result"})
SUBMIT: Final = {"hop": "submit_resolution", "tool_step": "submit_tool_result"}
"""Kinds whose answers are checked by a command of their own."""

SENT_BACK: Final = ("hop", "PROPOSED")
"""A concept that a person wants changed; it is no design yet."""


async def get_next_work(call: Call, asked: NextWork) -> Answer | Reply:
    """Claim the next work that fits."""
    wanted = Filter(asked.workflow, asked.kind, asked.role, asked.member, asked.tags, asked.site)
    async with aclosing(changes(call.engine, call.tenant, asked.wait_s)) as waiting:
        async for _ in waiting:
            found = await next_work(call.engine, call.caller, wanted, _handed_out, call.key)
            if found is not None:
                return await with_task(call, await with_call(call, found))
            offered = await to_propose(call, asked)
            if offered is not None:
                return offered
    action = "Ask again later; wait_s lets the server wait for you."
    return {
        "status": "no_work", "next_action": action, "legal_moves": [], "data": {}, "warnings": [],
    }  # fmt: skip


def _handed_out(result: Result) -> Reply:
    part = result.done[0].part
    if part is not None and result.lease(part) is None:
        # What it needs was not there, which has been found out by claiming it.
        return _envelope(result, "blocked", "It cannot be worked on; call get_next_work again.")
    return _envelope(result, "claimed", to_hand_in(part))


def to_hand_in(part: PartRow | None) -> str:
    """Say how work that somebody holds is handed in."""
    kind, status = ("", "") if part is None else (part.part.kind, part.part.status)
    if (kind, status) == SENT_BACK:
        return "Write it anew: call revise_hop with the lease."
    return f"Do the work, then call {SUBMIT.get(kind, 'submit_work')} with the lease."


def fields_told(part: PartRow) -> Reply:
    """Tell what a part holds, but for who has it."""
    hidden = ("holder", "fence", "lapsed")
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in part.part.fields.items()
        if name not in hidden
    }


def _envelope(result: Result, status: str, action: str) -> Reply:
    unit = result.unit
    data: Reply = {"unit_id": unit.id, "workflow": unit.workflow, "status": unit.unit.status}
    part = result.done[0].part
    kind = result.running.flow.unit.name
    if part is not None:
        kind = part.part.kind
        told: Reply = {"part_id": part.id, "kind": kind, "status": part.part.status}
        told["fields"] = fields_told(part)
        lease = result.lease(part)
        data["part"] = told if lease is None else told | {"lease": lease}
    legal = offered(result.running.flow, where_of(unit, result.caller, part), kind)
    reply: Reply = {"status": status, "next_action": action, "legal_moves": named(*legal)}
    return reply | {"data": data, "warnings": []}


async def submit_work(call: Call, asked: SubmitWork) -> Answer:
    """Hand in an answer."""
    _has_no_own(asked.part_id)
    taken = await submit_answer(call, asked)
    if taken is not None:
        return taken
    reserved = RESERVED.intersection(asked.answer)
    if reserved:
        message = f"An answer cannot hold {', '.join(sorted(reserved))}."
        raise InvalidInput(message, fix="Name it otherwise.")
    kept = Kept("answer", dump(asked.answer).encode())
    args = {**asked.answer, "result": asked.answer}
    order = _said_about(call, "submit", asked.part_id, args, asked.lease, (kept,))
    return await advance(call.engine, order)


async def heartbeat_work(call: Call, asked: HeldWork) -> Answer:
    """Show that you are still at it."""
    order = _said_about(call, "heartbeat", asked.part_id, _noted(asked), asked.lease)
    return await advance(call.engine, order)


async def release_work(call: Call, asked: HeldWork) -> Answer:
    """Give work back."""
    order = _said_about(call, "release", asked.part_id, _noted(asked), asked.lease)
    return await advance(call.engine, order)


async def fail_work(call: Call, asked: GiveUpWork) -> Answer:
    """Give work up."""
    if _is_of_mission(asked.part_id):
        return await give_up(call, asked)
    if asked.failure is not None:
        message = "Only work of a mission fails with a class."
        raise InvalidInput(message, fix="Leave failure out; the reason is enough.")
    if asked.part_id.startswith("ticket-") and "." in asked.part_id:
        return await give_up_answer(call, asked)
    args: dict[str, object] = {"reason": asked.reason, "error": asked.reason}
    order = _said_about(call, "fail", asked.part_id, args, asked.lease)
    return await advance(call.engine, order)


async def take_over_work(call: Call, asked: TakeOverWork) -> Answer:
    """Take work from whoever holds it."""
    args: dict[str, object] = {"reason": asked.reason}
    return await claim(call.engine, _said_about(call, "take_over", asked.part_id, args, None))


def _is_of_mission(part: str) -> bool:
    return part.startswith("mission-") and "." in part


def _has_no_own(part: str) -> None:
    """Refuse for parts of a mission what says less than their own commands check."""
    if _is_of_mission(part):
        message = "What is handed in about a mission is checked by commands of its own."
        fix = (
            "Call submit_resolution with hop_id, lease and steps for a hop, submit_tool_result "
            "with part_id, lease and outputs for a tool step; fail_work gives either up."
        )
        raise InvalidInput(message, fix=fix)


def _noted(asked: HeldWork) -> dict[str, object]:
    return {} if asked.note is None else {"note": asked.note}


def _said_about(
    call: Call,
    verb: str,
    part: str,
    args: dict[str, object],
    lease: str | None,
    kept: tuple[Kept, ...] = (),
) -> Order:
    """Return an order that says something about a part, in the words of its kind."""
    if "." not in part:
        raise NotFound(part)
    told: Reply = {name: args[name] for name in ("note", "reason") if name in args}
    sent = Asked(part=part, verb=verb, args=args, lease=lease or "", kept=kept, told=told)
    actor = call.caller.actor()
    return Order(call.tenant, actor, unit_of(part), (sent,), said, call.key, call.version)


def said(result: Result) -> Reply:
    """Word the answer to whatever was said about a part or a unit."""
    return _envelope(result, result.unit.unit.status, "Call get_next_work for more.")


async def list_units(call: Call, asked: ListUnits) -> Reply:
    """List units, the last changed first."""
    place = place_of(asked.cursor)
    which = Which(asked.is_open, asked.status, asked.tag)
    rows = await call.engine.store.units(call.tenant, asked.workflow, place, asked.limit, which)
    units: list[Reply] = [
        {
            "id": one.row.id, "workflow": one.row.workflow, "status": one.row.unit.status,
            "name": one.row.unit.fields.get("name", ""), "changed_at": one.row.changed_at,
            "tally": one.row.tally, "tags": one.tags, **amiss(one),
        }
        for one in rows
    ]  # fmt: skip
    return page("units", units, rows, asked.limit)


async def get_unit(call: Call, asked: ReadUnit) -> Reply:
    """Read a unit and a page of its parts, as they stand or as they stood."""
    is_blind = await blind.is_blind(call.engine, call.caller, asked.id)
    if asked.at is not None:
        then = await read_past(call.engine, call.tenant, asked.id, asked.at)
        return _stood(call, asked, then, is_blind=is_blind)
    read = await read_unit(call.engine, call.tenant, asked.id)
    if "." in asked.id:
        raise NotFound(asked.id)
    row = read.whole.row
    moment = row.version, row.changed_at
    now = Past(read.running, read.snapshot, row.tally, *moment, is_past=False)
    return _stood(call, asked, now, is_blind=is_blind)


def _stood(call: Call, asked: ReadUnit, past: Past, *, is_blind: bool) -> Reply:
    """Tell how a unit stands or stood; nobody can say anything to what is over."""
    flow, unit = past.running.flow, past.snapshot.unit
    pairs = zip(past.snapshot.ids, past.snapshot.parts, strict=True)
    parts = [
        {
            "part_id": name, "kind": part.kind, "status": part.status,
            "fields": {name: part.fields[name] for name in part.fields if name != "fence"},
        }
        for name, part in islice(pairs, asked.after, asked.after + asked.limit)
    ]  # fmt: skip
    data: Reply = {
        "unit_id": asked.id, "workflow": flow.name, "status": unit.status,
        "version": past.sequence, "changed_at": past.at,
        "fields": blind.without_secrets(unit.fields) if is_blind else dict(unit.fields),
        "tally": past.tally, "parts": parts,
        "total_parts": len(past.snapshot.parts),
        "at": past.sequence, "at_time": past.at, "is_past": past.is_past,
    }  # fmt: skip
    where = Where(call.caller.kind, unit, past.tally)
    legal = () if past.is_past else offered(flow, where, flow.unit.name)
    reply: Reply = {"status": unit.status, "next_action": "", "legal_moves": named(*legal)}
    return reply | {"data": data, "warnings": blind.warned(is_withheld=is_blind)}


async def read_audit(call: Call, asked: ReadAudit) -> Reply:
    """Read what has happened to a unit."""
    store = call.engine.store
    rows = await store.audit(call.tenant, asked.id, asked.after, asked.limit)
    if not rows and not (asked.after and await store.audit(call.tenant, asked.id, 0, 1)):
        raise NotFound(asked.id)
    is_blind = await blind.is_blind(call.engine, call.caller, asked.id)
    bodies = [
        blind.entry_shown(row.unit, row.link.body) if is_blind else row.link.body for row in rows
    ]
    entries = [
        {"sequence": row.link.sequence, "at": row.link.at, "body": body, "hash": row.link.hash}
        for row, body in zip(rows, bodies, strict=True)
    ]
    reply: Reply = {"status": "ok", "next_action": "", "legal_moves": []}
    reply["data"] = {"unit_id": asked.id, "entries": entries}
    return reply | {"warnings": blind.warned(is_withheld=is_blind)}


async def ping(call: Call, _: Nothing) -> Reply:
    """Say who is calling, for whom, and what answers."""
    caller = call.caller
    data: Reply = {
        "kind": caller.kind, "id": caller.id, "on_behalf_of": caller.on_behalf_of,
        "tenant": caller.tenant, "scopes": [scope for scope in SCOPES if scope in caller.scopes],
        "version": __version__,
    }  # fmt: skip
    return {"status": "ok", "next_action": "", "legal_moves": [], "data": data, "warnings": []}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("get_next_work", NextWork, get_next_work, "work", TOOLSET, event="claim", adds_only=True,
            http="POST /parts/next",
            doc="Claim the next piece of work of any workflow that fits the filters."),
    Command("submit_work", SubmitWork, submit_work, "work", TOOLSET, event="submit", adds_only=True,
            http="POST /parts/{part_id}/answer",
            doc="Hand in the answer to a piece of work you hold."),
    Command("heartbeat_work", HeldWork, heartbeat_work, "work", TOOLSET, event="heartbeat", adds_only=True,
            http="POST /parts/{part_id}/heartbeat",
            doc="Show that you are still at a piece of work, which extends your lease."),
    Command("release_work", HeldWork, release_work, "work", TOOLSET, event="release", adds_only=True,
            http="POST /parts/{part_id}/release",
            doc="Give a piece of work back, so that somebody else can take it."),
    Command("fail_work", GiveUpWork, fail_work, "work", TOOLSET, event="fail",
            http="POST /parts/{part_id}/fail",
            doc="Give a piece of work up, and say why; for a mission's, of which class the failure is."),
    Command("take_over_work", TakeOverWork, take_over_work, "work", TOOLSET, event="take_over",
            http="POST /parts/{part_id}/take-over",
            doc="Take a piece of work from whoever holds it, and say why."),
    Command("explain", Ref, explain_it, "read", EVERY, words="explain",
            http="GET /units/{id}/explanation",
            doc="Why a unit or part is where it is, what must change for it to move, and who can."),
    Command("list_units", ListUnits, list_units, "read", TOOLSET, words="list",
            http="GET /units",
            doc="What there is, the last changed first."),
    Command("get_unit", ReadUnit, get_unit, "read", TOOLSET,
            http="GET /units/{id}",
            doc="A unit and its parts, a page at a time: where each stands and what it holds, now or then."),
    Command("get_audit", ReadAudit, read_audit, "read", TOOLSET, weight=2,
            http="GET /units/{id}/audit",
            doc="What has happened to a unit, entry by entry."),
    Command("ping", Nothing, ping, "read", EVERY,
            http="GET /whoami",
            doc="Who you are here, whose data you see, and which server this is."),
)
# fmt: on
