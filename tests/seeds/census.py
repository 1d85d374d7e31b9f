"""Counts over everything a literal machine can reach, walking on where a pair is broken.

The checker stops at a broken pair, because nothing of ours may pass one. The documents know no
pairs and go on, so their machines are walked without them and the pairs are asked afterwards.
"""

from dataclasses import dataclass

from interlock.kernel.check.graph import ANYONE, PLACES
from interlock.kernel.check.scope import GONE
from interlock.kernel.check.space import State
from interlock.kernel.check.walk import Walk
from interlock.kernel.draft import Draft
from interlock.kernel.forms import Check
from interlock.kernel.rules import SYSTEM
from interlock.kernel.seen import Actor, Event, Seen
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow

NOBODY_ASKS = Event("", Actor(SYSTEM))


@dataclass(frozen=True, slots=True)
class Census:
    """How many reachable states there are, and how many of them are bad in which way.

    ``raising`` counts calls, not states: what the document admits and its own maps refuse, once
    for each state, event and part. ``breaking`` counts states that break a pair, ``stuck`` states
    that have not ended and that nothing leads out of, ``orphaned`` states that can never end and
    have a dead agent's running part in them.
    """

    states: int
    raising: int
    breaking: int
    stuck: int
    orphaned: int


def count(walk: Walk, flow: Workflow) -> Census:
    """Count a walk that was made without pairs against the pairs of ``flow``."""
    graph, ended = walk.graph, flow.table.terminal
    goals = [n for n, (unit, _) in enumerate(graph.states) if unit.status in ended]
    lost = [n for n, distance in enumerate(graph.distances(goals, ANYONE)) if distance < 0]
    leaving = set(graph.sources) | graph.cut
    return Census(
        states=len(graph.states),
        raising=len(_broken_calls(walk)),
        breaking=len(breaking(walk, flow)),
        stuck=sum(n not in leaving for n in lost),
        orphaned=sum(_has_lost_agent(graph.states[n]) for n in lost),
    )


def breaking(walk: Walk, flow: Workflow) -> list[int]:
    """Return the states in which some pair of ``flow`` does not hold."""
    checks = [(frozenset(pair.units), pair.holds.compile(flow.functions)) for pair in flow.pairs]
    return [n for n, state in enumerate(walk.graph.states) if _breaks(flow, checks, state)]


def _breaks(flow: Workflow, checks: list[tuple[frozenset[str], Check]], state: State) -> bool:
    unit, parts = state
    draft = Draft(flow, Seen(unit, tally(parts)), NOBODY_ASKS, 0)
    return any(unit.status in units and not holds(draft) for units, holds in checks)


def _broken_calls(walk: Walk) -> set[tuple[int, str, int]]:
    graph = walk.graph
    return {
        (problem.state, graph.variants[problem.label // PLACES].event, problem.label % PLACES)
        for problem in walk.problems
        if problem.kind == "BROKEN_CALL"
    }


def _has_lost_agent(state: State) -> bool:
    return any(part.fields.get("holder") == GONE for part in state[1])
