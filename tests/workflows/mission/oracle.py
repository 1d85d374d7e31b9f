"""Which statuses may stand together, said a second time in plain Python, from the spec's table.

``misjudged`` compares that with the legal pairs of a workflow over every small snapshot: up to
two hops, any of them current or none, held or not, with or without a running step and an asset
in the making.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from interlock.kernel.draft import Draft
from interlock.kernel.refusal import IllegalPair
from interlock.kernel.seen import Actor, Event, Part, Seen, Unit
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Snapshot, new_part
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow

MISSION = (
    "PROPOSED", "READY_FOR_NEXT_HOP", "BUILDING_HOP", "HOP_READY_TO_EXECUTE", "EXECUTING_HOP",
    "COMPLETED", "FAILED", "CANCELLED",
)  # fmt: skip
ACTIVE = ("PROPOSED", "READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING")
HOP = (*ACTIVE, "COMPLETED", "FAILED", "CANCELLED")
HOPS_MAX = 2


class Standing(NamedTuple):
    """How a mission stands; ``current`` is the place of its current hop, or none."""

    mission: str
    hops: tuple[str, ...]
    current: int | None
    is_held: bool
    step_runs: bool = False
    asset_grows: bool = False


def is_legal(standing: Standing) -> bool:
    """Say whether the spec lets a mission and its hops stand so."""
    if standing.step_runs and standing.mission != "EXECUTING_HOP":
        return False
    if standing.asset_grows and not standing.step_runs:
        return False
    if standing.current is None:
        return _is_legal_without_current(standing)
    return _is_legal_with_current(standing, standing.current)


def _is_legal_with_current(standing: Standing, current: int) -> bool:
    at_work = standing.hops[current]
    others = [hop for place, hop in enumerate(standing.hops) if place != current]
    if any(hop in ACTIVE for hop in others):
        return False
    if standing.mission == "HOP_READY_TO_EXECUTE":
        return at_work == "READY_TO_EXECUTE"
    if standing.is_held:
        return standing.mission in ("BUILDING_HOP", "EXECUTING_HOP") and at_work == "FAILED"
    if standing.mission == "BUILDING_HOP":
        return at_work in ("PROPOSED", "READY_TO_RESOLVE")
    return standing.mission == "EXECUTING_HOP" and at_work == "EXECUTING"


def _is_legal_without_current(standing: Standing) -> bool:
    hops = standing.hops
    if standing.mission == "PROPOSED":
        return not hops
    if standing.mission == "READY_FOR_NEXT_HOP":
        # The tally knows no order, so every earlier hop must be completed, not only the last.
        rest = [hop for hop in hops if hop not in ("CANCELLED", "PROPOSED")]
        return hops.count("PROPOSED") <= 1 and all(hop == "COMPLETED" for hop in rest)
    if standing.mission in ("COMPLETED", "FAILED", "CANCELLED"):
        return not any(hop in ACTIVE for hop in hops)
    return False


def standings() -> Iterator[Standing]:
    """Yield every small way a mission could stand, legal or not."""
    for count in range(HOPS_MAX + 1):
        for mission, hops in product(MISSION, product(HOP, repeat=count)):
            for current, is_held in product((None, *range(count)), (False, True)):
                yield Standing(mission, hops, current, is_held)
    for mission, step_runs, asset_grows in product(MISSION, (False, True), (False, True)):
        for hop, current in (("EXECUTING", 0), ("COMPLETED", None)):
            yield Standing(mission, (hop,), current, is_held=False, step_runs=step_runs, asset_grows=asset_grows)  # fmt: skip


def misjudged(flow: Workflow) -> list[str]:
    """Return the standings that a workflow's pairs judge otherwise than the spec."""
    return [
        f"{standing} should be {'legal' if is_legal(standing) else 'illegal'}"
        for standing in standings()
        if is_legal(standing) != _holds(flow, standing)
    ]


def _holds(flow: Workflow, standing: Standing) -> bool:
    snapshot = _snapshot(flow, standing)
    seen = Seen(snapshot.unit, tally(snapshot.parts))
    seen.current = None if standing.current is None else snapshot.parts[standing.current]
    try:
        check_pairs(Draft(flow, seen, Event("look", Actor("system")), 0))
    except IllegalPair:
        return False
    return True


def _snapshot(flow: Workflow, standing: Standing) -> Snapshot:
    fields = {**flow.defaults(), "current": standing.current, "held": standing.is_held}
    rows = [("hop", hop) for hop in standing.hops]
    rows += [("tool_step", "EXECUTING")] * standing.step_runs
    rows += [("asset", "IN_PROGRESS")] * standing.asset_grows
    parts = tuple(Part(kind, status, new_part(flow, kind).fields) for kind, status in rows)
    return Snapshot(Unit(standing.mission, fields), parts)
