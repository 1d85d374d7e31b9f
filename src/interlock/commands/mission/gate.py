"""Decisions at the gates of a mission and its hops, as the inbox and the page of a gate send them.

Each does what the command of the same name does, on the gate that was named. What only writes a
proposal anew is no decision there: it needs its own command, which says what is to be written.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from interlock.commands.mission import hops, make, resolve
from interlock.commands.row import Call
from interlock.service.errors import InvalidInput
from interlock.service.run import Answer
from interlock.wire.gates import Verdict

WRITES: Final = frozenset({"edit_mission", "revise_hop"})
"""What can be said only at a gate and decides nothing."""

Said = Mapping[str, object]
Decides = Callable[[Call, str, Said, str], Awaitable[Answer]]


async def decide_mission(call: Call, name: str, asked: Verdict, gate: str) -> Answer:
    """Take a decision about a mission or a hop."""
    said: dict[str, object] = {"content_digest": asked.content_digest}
    feedback = (asked.feedback or "").strip()
    if feedback:
        said |= {"reason": feedback, "feedback": feedback}
    if asked.answers:
        said["answers"] = asked.answers
    decide = DECIDES.get(asked.decision)
    if decide is None:
        message = f"{asked.decision} writes a proposal anew; that is no decision."
        raise InvalidInput(message, fix=f"Call {asked.decision} with what is to be written.")
    return await decide(call, name, said, gate)


def _saying(event: str) -> Decides:
    async def decide(call: Call, name: str, said: Said, gate: str) -> Answer:
        return await hops.say(call, event, name, said, gate)

    return decide


DECIDES: Final[Mapping[str, Decides]] = {
    "accept_mission": make.accept,
    "accept_hop": hops.accept,
    "execute_hop": resolve.execute,
    "reject_hop": _saying("reject_hop"),
    "request_changes": _saying("request_changes"),
    "approve_design": _saying("approve_design"),
}
