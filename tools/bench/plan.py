"""The piece of work that everyone is measured on: a plan whose steps are claimed and submitted.

A move is one accepted command with the plan's status derived after it. Everyone checks the same
things before it (the plan is open, the step stands where it must, its dependencies are closed,
the fence is the holder's), records every status change, and must end in the same statuses.
"""

from collections.abc import Callable
from typing import Final

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision
from interlock.kernel.rules import AGENT, NO_ARGS
from interlock.kernel.seen import Actor, Event, Seen, Tally, Unit
from interlock.kernel.snapshot import begin, new_part
from interlock.workflows.plan.workflow import WORKFLOW

STEPS: Final = 10
ME: Final = Actor(AGENT, "me", "me")
FENCE: Final = {"fence": 1}
Played = tuple[str, list[str], int]
"""How it ended: the plan's status, the steps' statuses, moves made."""
Entrant = Callable[[int], Callable[[], Played]]
"""Sets a plan of so many steps up (not measured) and returns what plays it (measured)."""


def ours(steps: int) -> Callable[[], Played]:
    """Play the plan through ``decide``, keeping unit, parts and tally as a store would."""
    first = begin(WORKFLOW).unit
    parts = [new_part(WORKFLOW, "step") for _ in range(steps)]

    def play() -> Played:
        unit: Unit = first
        tally: Tally = {"step": {"pending": steps}}
        log: list[Decision] = []
        for place in range(steps):
            for name, args in (("claim", NO_ARGS), ("submit", FENCE)):
                seen = Seen(unit, tally, parts[place], ())
                decision = decide(WORKFLOW, seen, Event(name, ME, place, args), 0)
                unit, tally = decision.unit, decision.tally
                parts[place] = decision.part or parts[place]
                log.append(decision)
        return unit.status, [part.status for part in parts], len(log)

    return play
