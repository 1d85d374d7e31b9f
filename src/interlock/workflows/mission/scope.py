"""What the checker explores of missions: up to N hops, of one or two tool steps each."""

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


def scope(hops: int = HOPS_DEFAULT, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of missions with up to ``hops`` hops covers."""
    return Scope(
        flow=flow,
        starts=(
            _start(flow, policy="human"),
            _start(flow, policy="relay", deadline=1),
        ),
        bounds={"hops": hops},
        most={"hop": hops, "tool_step": STEPS},
        is_held=_is_held,
        is_failing=_is_last_try_dead,
    )


def _start(flow: Workflow, **fields: object) -> Snapshot:
    first = begin(flow, unit={"tries_max": TRIES, "shown": SHOWN, "outputs": (OUTPUT,), **fields})
    return replace(first, parts=(new_part(flow, "asset"), new_part(flow, "asset", {"ttl": 60})))


def _is_held(unit: Unit) -> bool:
    return bool(unit.fields["held"])


def _is_last_try_dead(unit: Unit, parts: tuple[Part, ...]) -> bool:
    """Say whether the last try of a tool step was in the hands of an agent that is dead."""
    return any(
        part.fields["holder"] == GONE and part.fields["tries"] == TRIES - 1
        for part in parts
        if part.kind == "tool_step"
    )
