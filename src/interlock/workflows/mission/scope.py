"""What the checker explores of missions: up to N hops, of one or two tool steps each.

The mission has an input, which must be supplied, and an output, which expires and which the tool
steps make; a second tool step needs what the first one made. A completed hop can never move
again, so it does not count against the bound: a mission may have completed any number of them.
"""

from dataclasses import replace
from typing import Final

from interlock.kernel.check.scope import GONE, Scope
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot, begin, new_part
from interlock.kernel.workflow import Workflow
from interlock.workflows.mission.mission_rules import SHOWN
from interlock.workflows.mission.workflow import WORKFLOW

HOPS_DEFAULT: Final = 2
TRIES: Final = 2
STEPS: Final = 2
"""How many tool steps a mission may have at once, in hops that are not completed."""

INPUT: Final = 0
OUTPUT: Final = 1
"""Places of the mission's assets, which the examples of rules name."""


def scope(hops: int = HOPS_DEFAULT, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of missions with up to ``hops`` hops covers."""
    return Scope(
        flow=flow,
        starts=(_start(flow, policy="human"), _start(flow, policy="relay", deadline=1)),
        bounds={
            "hops": hops,
            "hops counted": "all, but of the completed ones only one",
            "tool steps": f"1 or {STEPS} a hop, kept or replaced when it is resolved again",
            "tries": TRIES,
            "final hop": "yes, and no",
            "decision policy": "human, and relay with a deadline for repairs",
            "assets": "the mission's input, and its output, which expires; no scratch",
            "failures": "transient, validation, resource_unavailable; system where a hop is resolved",
            "leases": "held, lapsed, holder dead, given back, stale",
        },
        most={"hop": hops, "tool_step": STEPS},
        is_held=_is_held,
        is_failing=_is_last_try_dead,
    )


def _start(flow: Workflow, **fields: object) -> Snapshot:
    first = begin(flow, unit={"tries_max": TRIES, "shown": SHOWN, "outputs": (OUTPUT,), **fields})
    assets = {INPUT: new_part(flow, "asset"), OUTPUT: new_part(flow, "asset", {"ttl": 60})}
    return replace(first, parts=tuple(assets.values()))


def _is_held(unit: Unit) -> bool:
    return bool(unit.fields["held"])


def _is_last_try_dead(unit: Unit, parts: tuple[Part, ...]) -> bool:
    """Say whether the last try of a tool step was in the hands of an agent that is dead."""
    return any(
        part.fields["holder"] == GONE and part.fields["tries"] == TRIES - 1
        for part in parts
        if part.kind == "tool_step"
    )
