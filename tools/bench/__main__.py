"""Run the benchmark: print a table, write ``build/bench.json``."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from interlock.kernel.check.explore import explore
from interlock.kernel.decide import decide
from interlock.kernel.seen import Event, Seen
from interlock.kernel.snapshot import begin, new_part
from interlock.workflows.plan.scope import scope
from interlock.workflows.plan.workflow import WORKFLOW
from tools.bench.measure import Figure, beside, figure, moves_per_second, seconds
from tools.bench.peers import with_statemachine, with_transitions
from tools.bench.plan import FENCE, ME, STEPS, ours

OUTPUT: Final = Path("build/bench.json")
CHECKER_FLOOR: Final = 80_000
SMALL, LARGE = 10, 10_000
CHECKED_STEPS: Final = 3
PLANS: Final = {"ours": 200, "transitions": 60, "statemachine": 6}
"""Plans a round: about as long for each of them."""


def main() -> int:
    """Measure everything once and tell it."""
    figures = [*_kernel(), _size(), *_checker()]
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps([f.data() for f in figures], indent=2) + "\n", encoding="utf-8")
    print(f"{'':<44} {'value':>12} {'unit':<10} {'floor':>12} {'ratio':>7}")
    for one in figures:
        row = f"{one.value:>12,.3f} {one.unit:<10} {one.floor:>12,.3f} {one.ratio:>7.2f}"
        print(f"{one.name:<44} {row}")
    print(f"\nwrote {OUTPUT}")
    return 0


def _kernel() -> list[Figure]:
    entrants = {"ours": ours, "transitions": with_transitions, "statemachine": with_statemachine}
    ends = {name: entrant(STEPS)()[:2] for name, entrant in entrants.items()}
    if len({str(end) for end in ends.values()}) != 1:
        message = f"they do not do the same: {ends}"
        raise AssertionError(message)
    rounds = moves_per_second(entrants, STEPS, PLANS)
    return [
        beside("decide, beside transitions", rounds, "ours", "transitions"),
        beside("decide, beside python-statemachine", rounds, "ours", "statemachine"),
    ]


def _size() -> Figure:
    """Compare a submit on a plan of 10,000 steps with one on a plan of 10."""
    small, large = _submit(SMALL), _submit(LARGE)
    pairs = [(seconds(large, 2_000), seconds(small, 2_000)) for _ in range(3)]
    value, floor = sorted(pairs, key=lambda pair: pair[0] / pair[1])[1]
    return figure(f"submit, {LARGE:,} steps beside {SMALL}", value * 1e6, "us", floor * 1e6)


def _submit(steps: int) -> Callable[[], object]:
    unit, part = begin(WORKFLOW).unit, new_part(WORKFLOW, "step")
    seen = Seen(unit, {"step": {"pending": steps}}, part=part)
    claimed = decide(WORKFLOW, seen, Event("claim", ME, 0), 0)
    after = Seen(claimed.unit, claimed.tally, part=claimed.part, conditions=())
    event = Event("submit", ME, 0, FENCE)
    return lambda: decide(WORKFLOW, after, event, 0)


def _checker() -> list[Figure]:
    wall, begun = time.monotonic(), time.process_time()
    graph = explore(scope(CHECKED_STEPS)).graph
    took, passed = time.process_time() - begun, time.monotonic() - wall
    name = f"checker, plan of {CHECKED_STEPS} steps"
    return [
        figure(name, graph.decides / took, "decides/s", CHECKER_FLOOR),
        figure(f"{name}, {len(graph.states):,} states", passed, "s", passed),
    ]


if __name__ == "__main__":
    sys.exit(main())
