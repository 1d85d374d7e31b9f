"""When something went wrong: repair a hop, give the repair up, cancel, begin anew.

A reset makes the new mission in the very commit in which the old one is told its name, so there
is never one without the other, and of two resets the second is refused.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, cast

from interlock.commands.deciding import TRIES, WORKED_OFF, may_decide
from interlock.commands.mission.make import new_mission, read_mission, things_of
from interlock.commands.mission.words import about, answered, changed, mission_named, part_named
from interlock.commands.row import Call
from interlock.commands.ticket.make import cancel_ticket
from interlock.service.create import begin_beside
from interlock.service.errors import StaleVersion
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.read import Read
from interlock.service.run import Answer, advance
from interlock.wire.mission import Cancel, WhyHop, WhyMission

KEPT: Final = ("name", "goal", "description", "success_criteria", "policy", "tries_max", "deadline")
"""What a mission that begins anew has from the one before."""


async def fix_hop(call: Call, asked: WhyHop) -> Answer:
    """Have a failed hop resolved anew; what it has completed is kept."""
    return await _say(call, "fix_hop", part_named(asked.hop_id), {"reason": asked.reason})


async def abandon_recovery(call: Call, asked: WhyMission) -> Answer:
    """Give up repairing a hop: its mission fails."""
    name = mission_named(asked.mission_id)
    return await _say(call, "abandon_recovery", name, {"reason": asked.reason})


async def cancel(call: Call, asked: Cancel) -> Answer:
    """Cancel a mission, or a hop; with the current hop the mission, where that was said."""
    if asked.id.startswith("ticket-"):
        return await cancel_ticket(call, asked.id, asked.reason)
    args: dict[str, object] = {"reason": asked.reason}
    if "." not in asked.id:
        return await _say(call, "cancel_mission", mission_named(asked.id), args)
    args |= {"cascade": True} if asked.cascade else {}
    return await _say(call, "cancel_hop", part_named(asked.id), args)


async def _say(call: Call, event: str, name: str, args: Mapping[str, object]) -> Answer:
    may_decide(call)
    told = {"reason": args["reason"]}
    told |= {"feedback": args["reason"]} if event in WORKED_OFF else {}
    sent = Asked(event, name if "." in name else None, args=args, told=told)
    return await advance(call.engine, about(call, name, (sent,), changed))


async def reset_mission(call: Call, asked: WhyMission) -> Answer:
    """Begin a mission anew that has ended; the old one stays as it is."""
    may_decide(call)
    name = mission_named(asked.mission_id)
    for _ in range(TRIES):
        with suppress(StaleVersion):
            return await _begin_anew(call, await read_mission(call, name), asked.reason)
    return await _begin_anew(call, await read_mission(call, name), asked.reason)


async def _begin_anew(call: Call, read: Read, reason: str) -> Answer:
    name = read.whole.row.id
    fields = read.snapshot.unit.fields
    kept = {word: fields[word] for word in KEPT}
    kept |= {"reset_of": name, "attempt": cast("int", fields["attempt"]) + 1}
    inputs, outputs, others = await things_of(call, read, {})
    new = new_mission(kept, inputs, outputs, others, read.whole.tags)

    def order_of(successor: str) -> Order:
        told: dict[str, object] = {"reason": reason, "successor": successor}
        sent = Asked("reset_mission", args=told, told=told)

        def word(result: Result) -> Reply:
            action = f"Go on with {successor}; it waits for its acceptance."
            return answered(result, {"new_mission_id": successor}, action=action)

        return about(call, name, (sent,), word, read.whole.row.version)

    return await begin_beside(call.engine, call.caller, new, order_of)
