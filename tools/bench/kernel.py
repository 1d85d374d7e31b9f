"""The kernel alone: deciding, beside state-machine libraries; its growth; the checker."""

import time
from collections.abc import Callable
from typing import Final

from interlock.kernel.check.explore import explore
from interlock.kernel.decide import decide
from interlock.kernel.seen import Event, Seen
from interlock.kernel.snapshot import begin, new_part
from interlock.workflows.plan.scope import scope
from interlock.workflows.plan.workflow import WORKFLOW
from tools.bench.libraries import with_statemachine, with_transitions
from tools.bench.measure import Figure, beside, figure, moves_per_second, seconds
from tools.bench.plan import FENCE, ME, STEPS, ours
from tools.bench.scale import Scale

CHECKER_FLOOR: Final = 80_000
SMALL, LARGE = 10, 10_000
SUBMITS: Final = 2_000


def kernel_figures(scale: Scale) -> list[Figure]:
    """Measure the kernel without any store."""
    return [*_decide(scale), _size(scale), *_checker(scale)]


def _decide(scale: Scale) -> list[Figure]:
    entrants = {"ours": ours, "transitions": with_transitions, "statemachine": with_statemachine}
    ends = {name: entrant(STEPS)()[:2] for name, entrant in entrants.items()}
    if len({str(end) for end in ends.values()}) != 1:
        message = f"they do not do the same: {ends}"
        raise AssertionError(message)
    rounds = moves_per_second(entrants, STEPS, scale.kernel_plans, scale.kernel_rounds)
    return [
        beside("decide, beside transitions", rounds, "ours", "transitions"),
        beside("decide, beside python-statemachine", rounds, "ours", "statemachine"),
    ]


def _size(scale: Scale) -> Figure:
    """Compare a submit on a plan of 10,000 steps with one on a plan of 10."""
    small, large = _submit(SMALL), _submit(LARGE)
    rounds = scale.kernel_rounds
    pairs = [(seconds(large, SUBMITS, rounds), seconds(small, SUBMITS, rounds)) for _ in range(3)]
    value, floor = sorted(pairs, key=lambda pair: pair[0] / pair[1])[1]
    return figure(f"submit, {LARGE:,} steps beside {SMALL}", value * 1e6, "us", floor * 1e6)


def _submit(steps: int) -> Callable[[], object]:
    unit, part = begin(WORKFLOW).unit, new_part(WORKFLOW, "step")
    seen = Seen(unit, {"step": {"pending": steps}}, part=part)
    claimed = decide(WORKFLOW, seen, Event("claim", ME, 0), 0)
    after = Seen(claimed.unit, claimed.tally, part=claimed.part, conditions=())
    event = Event("submit", ME, 0, FENCE)
    return lambda: decide(WORKFLOW, after, event, 0)


def _checker(scale: Scale) -> list[Figure]:
    wall, begun = time.monotonic(), time.process_time()
    graph = explore(scope(scale.checked_steps)).graph
    took, passed = time.process_time() - begun, time.monotonic() - wall
    name = f"checker, plan of {scale.checked_steps} steps"
    return [
        figure(name, graph.decides / took, "decides/s", CHECKER_FLOOR),
        figure(f"{name}, {len(graph.states):,} states", passed, "s", passed),
    ]
