"""What the checker explores of tickets: up to N beads, with the shapes their needs can have.

The shapes multiply only the phases in which there are beads. Councils of one and of three are
explored, a ticket whose decisions an agent may relay and that codes beads in parallel, and a
ticket that was found corrupt and no longer knows where it was.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from interlock.kernel.check.scope import GONE, Scope, Variant
from interlock.kernel.check.variants import AGENT_ACTOR
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot, begin
from interlock.kernel.workflow import Workflow
from interlock.workflows.ticket.council import quorum
from interlock.workflows.ticket.phases import BLOCKED
from interlock.workflows.ticket.work_rules import SHOWN
from interlock.workflows.ticket.workflow import WORKFLOW

BEADS_DEFAULT: Final = 3
LITERAL_MAX: Final = 4
"""With more beads, needs that follow from other needs are left out of a shape: a bead that needs
the second one, which needs the first, is free at the same moment whether it names the first too.
"""

TRIES: Final = 3

Shape = tuple[tuple[int, ...], ...]
"""For each bead the places of the earlier ones it needs."""


def scope(beads: int = BEADS_DEFAULT, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of tickets with up to ``beads`` beads covers."""
    return Scope(
        flow=flow,
        starts=tuple(_starts(flow)),
        bounds={
            "beads": beads,
            "dependencies": _bound(beads),
            "council": "1 member, and 3 with a quorum of 2",
            "audits": "interview 2, PRD 5, beads 5",
            "attempts of a bead": f"{TRIES}, so two retries",
            "parallel beads": "1, and 2",
            "policy": "human, and relay",
            "leases": "held, lapsed, holder dead, given back, stale",
            "faults": "work failed, deadline passed, budget spent or found corrupt in every phase",
            "excused": "a last attempt whose holder is dead need only reach BLOCKED_ERROR",
        },
        extra=tuple(
            Variant("submit_work", "assignment", AGENT_ACTOR, _answer(shape), "current")
            for count in range(2, beads + 1)
            for shape in shapes(count)
        ),
        is_doomed=_is_lost,
        is_failing=_is_last_attempt_dead,
    )


def shapes(beads: int) -> tuple[Shape, ...]:
    """Return every way in which so many beads may need each other, earlier ones only."""
    every = product(*(tuple(_subsets(place)) for place in range(beads)))
    if beads <= LITERAL_MAX:
        return tuple(every)
    return tuple(shape for shape in every if not _repeats(shape))


def _subsets(places: int) -> Iterator[tuple[int, ...]]:
    for size in range(places + 1):
        yield from combinations(range(places), size)


def _repeats(shape: Shape) -> bool:
    """Say whether some bead names a need that its other needs have already."""
    behind: list[set[int]] = []
    for needs in shape:
        inherited = set().union(*(behind[need] for need in needs))
        if inherited.intersection(needs):
            return True
        behind.append(inherited.union(needs))
    return False


def _bound(beads: int) -> str:
    if beads <= LITERAL_MAX:
        return "every shape"
    return "every shape, but for needs that follow from other needs"


def _answer(shape: Shape) -> dict[str, object]:
    beads = tuple({"title": f"bead {place}", "needs": needs} for place, needs in enumerate(shape))
    return {"outcome": "COVERAGE_CLEAN", "digest": SHOWN, "beads": beads}


def _starts(flow: Workflow) -> Iterator[Snapshot]:
    for members in (1, 3):
        yield _start(flow, members=members, quorum=quorum(members))
    yield _start(flow, parallel=2, policy="relay")
    lost = _start(flow, is_lost=True)
    yield Snapshot(Unit(BLOCKED, lost.unit.fields))


def _start(flow: Workflow, **fields: object) -> Snapshot:
    return begin(flow, unit={"tries_max": TRIES, **fields})


def _is_lost(unit: Unit) -> bool:
    return unit.status == BLOCKED and unit.fields["previous"] is None


def _is_last_attempt_dead(unit: Unit, parts: tuple[Part, ...]) -> bool:
    """A lease that runs out is a failed attempt, and after the last one the ticket is blocked."""
    return unit.status == "CODING" and any(
        part.fields["holder"] == GONE and part.fields["tries"] == TRIES - 1
        for part in parts
        if part.kind == "bead"
    )
