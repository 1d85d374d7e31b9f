"""Proposing as work: a mission that waits for its next hop is offered to who asks for work.

There is no lease on it: of two proposals the first wins, and the second is refused.
"""

from typing import Final

from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.kernel.rules import USER
from interlock.service.order import Reply
from interlock.store.port import Which
from interlock.wire.work import NextWork
from interlock.workflows.mission.machines import ACTIVE_HOP

STATUS: Final = "READY_FOR_NEXT_HOP"
LOOKED_AT: Final = 20
"""How many missions are looked at, the last changed first."""

ACTION: Final = "Read mission_context, then call propose_hop with mission_id; the first one wins."


async def to_propose(call: Call, asked: NextWork) -> Reply | None:
    """Return the mission whose next hop could be proposed; None where none waits for one."""
    is_wanted = asked.workflow in ("", "mission") and asked.kind in ("", "hop")
    if not is_wanted or asked.role or asked.member or call.caller.kind == USER:
        return None
    for tag in asked.tags or ("",):
        rows = await call.engine.store.units(
            call.tenant, "mission", None, LOOKED_AT, Which(is_open=True, status=STATUS, tag=tag)
        )
        for one in rows:
            hops = one.row.tally.get("hop", {})
            if one.wrong or any(hops.get(status) for status in ACTIVE_HOP):
                continue
            running = call.engine.flows["mission"]
            legal = moves(running, one.row, call.caller.kind)
            fields = one.row.unit.fields
            data: Reply = {"unit_id": one.row.id, "workflow": "mission", "status": STATUS}
            data |= {"mission_id": one.row.id, "name": fields["name"], "goal": fields["goal"]}
            return envelope("propose", ACTION, legal, data)
    return None
