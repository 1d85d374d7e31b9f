"""How far runs come: where units and parts came to stand, and what was said to them, and how often.

A simulation that never sees a status proves nothing about it. What a leg must see of every
workflow is all of its statuses and all of its events, but for those that are excused here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS
from tests.simulation.mirror import Stand

SELDOM: Final[Mapping[str, str]] = {}
"""Events that a small leg need not see, each with why."""


def stands(flow: Workflow) -> Iterator[Stand]:
    """Return everywhere something of a workflow can stand."""
    for machine in (flow.unit, *(kind.machine for kind in flow.parts)):
        for status in machine.names():
            yield flow.name, machine.name, status


def unseen(reached: Counter[Stand], events: Counter[str]) -> list[str]:
    """Return what was never seen and should have been."""
    return [
        *(
            f"no {kind} of a {name} was ever {status}"
            for flow in WORKFLOWS.values()
            for name, kind, status in stands(flow)
            if not reached[name, kind, status]
        ),
        *(
            f"nobody ever said {rule.event}"
            for flow in WORKFLOWS.values()
            for rule in flow.rules
            if not events[rule.event] and rule.event not in SELDOM
        ),
    ]


def table(reached: Counter[Stand], events: Counter[str]) -> Iterator[str]:
    """Tell how often each status and each event was seen, line by line."""
    for flow in WORKFLOWS.values():
        for stand in stands(flow):
            yield f"{reached[stand]:8,}  {' '.join(stand)}"
        for rule in flow.rules:
            yield f"{events[rule.event]:8,}  {flow.name}: {rule.event}"
