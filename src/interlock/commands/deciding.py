"""What commands about units of every workflow share: who may decide, and orders made from a reading.

Which events are decisions, and who else may send them, is for the rules to say.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from interlock.commands.row import Call
from interlock.errors import InterlockError
from interlock.kernel.rules import USER
from interlock.service.access import require
from interlock.service.errors import Conflict, StaleVersion
from interlock.service.order import Asked, Order
from interlock.service.run import Answer, advance, earlier
from interlock.store.rows import unit_of

TRIES: Final = 5


def may_decide(call: Call) -> None:
    """Raise unless a person who decides may; whether an agent may, the rules say."""
    if call.caller.kind == USER:
        require(call.caller, "decide", "Deciding")


WORKED_OFF: Final = frozenset({"request_changes", "fix_hop", "reject_hop"})
"""What is said with these is for whoever works on it next: they go by it."""


def decision(
    call: Call,
    event: str,
    part: str | None,
    shown: str,
    said: Mapping[str, object],
    gate: str = "",
) -> Asked:
    """Return a decision. Whoever relays and does not say what was shown means what is now."""
    may_decide(call)
    args = {name: value for name, value in said.items() if value is not None}
    digest = args.pop("content_digest", None)
    if digest is None and call.caller.kind != USER:
        digest = shown or None
    told = {name: args[name] for name in ("reason", "feedback", "answers") if args.get(name)}
    if event in WORKED_OFF and args.get("reason"):
        told["feedback"] = args["reason"]
    return Asked(event, part, args={**args, "digest": digest}, gate=gate, told=told)


async def on_one_version(call: Call, name: str, order_of: Callable[[], Awaitable[Order]]) -> Answer:
    """Carry out an order that was made from how things stood; made anew where they have moved on.

    ``order_of`` reads, and puts the version it has read into the order.
    """
    for _ in range(TRIES):
        try:
            order = await order_of()
        except InterlockError:
            # What does not fit any more may be what this very request has changed.
            before = await earlier(call.engine, call.tenant, unit_of(name), call.key)
            if before is None:
                raise
            return before
        try:
            return await advance(call.engine, order)
        except StaleVersion:
            continue
    message = "Others kept changing it; nothing was applied."
    raise Conflict(message, fix="Send the same command again.")
