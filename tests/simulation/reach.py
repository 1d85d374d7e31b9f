"""How far runs come: where units and parts came to stand, and what was said to them, and how often.

A simulation that never sees a status proves nothing about it. A leg must see all statuses of every
workflow, none is excused, and nearly all of its events.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS
from tests.simulation.mirror import Stand

SELDOM: Final[Mapping[str, str]] = {
    "complete_early": "a hop that is not the final one has ended, and its output has not expired",
    "mark_hop_complete": "nothing runs in a hop that executes, and its output was supplied by hand",
    "reset_hop": "a proposal was cancelled, and nobody has proposed anything since",
    "validation_failed": "the system speaks up in the moment between design and decision",
}
"""Events that a small leg need not see, each with what must come together for it."""


UNHEARD_MAX: Final = 6
"""How many other events a small leg may miss: which ones is chance."""


def stands(flow: Workflow) -> Iterator[Stand]:
    """Return everywhere something of a workflow can stand."""
    for machine in (flow.unit, *(kind.machine for kind in flow.parts)):
        for status in machine.names():
            yield flow.name, machine.name, status


def unseen(reached: Counter[Stand]) -> list[str]:
    """Return the statuses that nothing ever stood in."""
    return [
        f"no {kind} of a {name} was ever {status}"
        for flow in WORKFLOWS.values()
        for name, kind, status in stands(flow)
        if not reached[name, kind, status]
    ]


def unheard(events: Counter[str]) -> list[str]:
    """Return the events that nobody ever brought about, but for those that are excused."""
    return [
        f"nobody ever said {rule.event}"
        for flow in WORKFLOWS.values()
        for rule in flow.rules
        if not events[rule.event] and rule.event not in SELDOM
    ]


def table(reached: Counter[Stand], events: Counter[str]) -> Iterator[str]:
    """Tell how often each status and each event was seen, line by line."""
    for flow in WORKFLOWS.values():
        for stand in stands(flow):
            yield f"{reached[stand]:8,}  {' '.join(stand)}"
        for rule in flow.rules:
            yield f"{events[rule.event]:8,}  {flow.name}: {rule.event}"
