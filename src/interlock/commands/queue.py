"""The queue of all workflows, looked at: what waits to be done, who does what, and your own work.

Nothing is taken here. Whoever has lost sight of what they hold (a new session, a context that was
cut short) is told it again as it was handed out, with the lease.
"""

from typing import Final

from interlock.commands.listing import bad_cursor, place_of
from interlock.commands.mission.run import with_call
from interlock.commands.row import AnyCommand, Call, Command, done, named, where_of
from interlock.commands.ticket.handed import with_task
from interlock.commands.work import fields_told, to_hand_in
from interlock.kernel.offered import offered
from interlock.service.errors import NotFound
from interlock.service.logs import NotHeld
from interlock.service.order import Reply, lease_ms
from interlock.service.run import Answer
from interlock.service.some import Some, read_some
from interlock.store.board import WhichWork, Work
from interlock.store.rows import PartRow, part_id, part_number, unit_of
from interlock.wire.work import ListWork, PartRef

TOOLSET: Final = "work"
NUMBER_MAX: Final = 2**53


async def list_work(call: Call, asked: ListWork) -> Reply:
    """List what is offered or held, of the oldest unit first."""
    if asked.unit_id is not None:
        if "." in asked.unit_id:
            raise NotFound(asked.unit_id)
        await read_some(call.engine, call.tenant, asked.unit_id)
    which = WhichWork(
        asked.unit_id or "",
        asked.workflow,
        asked.kind,
        asked.role,
        asked.member,
        asked.tag,
        asked.site,
    )
    rows = await call.engine.store.board.work(call.tenant, which, _after(asked.cursor), asked.limit)
    data: Reply = {"work": [_line(row) for row in rows]}
    if len(rows) == asked.limit:
        data["cursor"] = f"{rows[-1].since}.{part_id(rows[-1].unit, rows[-1].number)}"
    return done(data, "Claim some with get_next_work and the same filters." if rows else "")


def _after(cursor: str | None) -> tuple[int, str, int] | None:
    place = place_of(cursor)
    if place is None:
        return None
    since, part = place
    if "." not in part or not part.rpartition(".")[2].isdecimal():
        raise bad_cursor()
    return since, unit_of(part), min(part_number(part), NUMBER_MAX)


def _line(row: Work) -> Reply:
    told: Reply = {
        "part_id": part_id(row.unit, row.number), "unit_id": row.unit, "workflow": row.workflow,
        "kind": row.kind, "status": row.status,
    }  # fmt: skip
    told |= {name: word for name in ("role", "member", "site") if (word := getattr(row, name))}
    if row.holder is None or row.due is None:
        return told | {"state": "offered"}
    return told | {"state": "held", "holder": row.holder, "until": row.due}


async def get_work_context(call: Call, asked: PartRef) -> Reply:
    """Tell work that the caller holds once more, as it was handed out."""
    if "." not in asked.part_id:
        raise NotFound(asked.part_id)
    some = await read_some(call.engine, call.tenant, asked.part_id)
    part = some.part
    fields = {} if part is None else part.part.fields
    if part is None or fields.get("holder") != call.caller.id or fields.get("lapsed"):
        message = f"{asked.part_id} is not held by you."
        raise NotHeld(message, fix="Call get_next_work for work; list_work says who holds what.")
    kind, status = part.part.kind, part.part.status
    told: Reply = {"part_id": part.id, "kind": kind, "status": status}
    told |= {"fields": fields_told(part), "lease": await _lease(call, some, part)}
    unit = some.unit
    data: Reply = {"unit_id": unit.id, "workflow": unit.workflow, "status": unit.unit.status}
    legal = offered(some.running.flow, where_of(unit, call.caller.kind, part), kind)
    reply: Reply = {"status": "claimed", "next_action": to_hand_in(part)}
    reply["legal_moves"] = named(*legal)
    reply |= {"data": data | {"part": told}, "warnings": []}
    found = await with_task(call, await with_call(call, reply))
    return dict(found.reply) if isinstance(found, Answer) else found


async def _lease(call: Call, some: Some, part: PartRow) -> Reply:
    """Return the lease that its holder was given, with when it ends as things stand."""
    fields, unit = part.part.fields, some.unit
    before = (unit.created_at, unit.id, part_number(part.id) - 1)
    rows = await call.engine.store.board.work(call.tenant, WhichWork(unit.id), before, 1)
    lease: Reply = {"token": f"{some.incarnation}.{fields['fence']}", "holder": fields["holder"]}
    if rows and part_id(rows[0].unit, rows[0].number) == part.id:
        lease["expires_at"] = rows[0].due
    return lease | {"lasts_ms": lease_ms(some.running, unit, part)}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_work", ListWork, list_work, "read", TOOLSET,
            http="GET /parts",
            doc="What waits to be taken and who holds what until when, of any workflow, the oldest unit first."),
    Command("get_work_context", PartRef, get_work_context, "read", TOOLSET, weight=2,
            http="GET /parts/{part_id}",
            doc="A piece of work you hold once more: its task, its fields and your lease, as it was handed out."),
)
# fmt: on
