"""Every row of a workflow's tables by name, and the workflow without it.

Edges, guards (of rules and edges), stages of walks, lifts, cascades and legal pairs. The mutation
tests take each one out and see that somebody notices: a row that nobody misses is not needed, or
not tested.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from interlock.kernel.machine import Edge, Machine
from interlock.kernel.rules import Do, Rule
from interlock.kernel.workflow import Workflow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One row; ``without`` makes the workflow that lacks it."""

    name: str
    kind: str
    without: Callable[[], Workflow]


def rows(flow: Workflow) -> tuple[Row, ...]:
    """Return every row of the workflow, in table order."""
    return (*_edges(flow), *_rules(flow), *_interlock(flow))


def _edges(flow: Workflow) -> Iterator[Row]:
    for machine in flow.machines():
        for edge in machine.edges:
            name = f"edge {machine.name} {edge.source} {edge.on}"
            yield Row(name, "edge", partial(_with_edges, flow, machine, _less(machine.edges, edge)))
            for guard in edge.guards:
                bare = replace(edge, guards=_less(edge.guards, guard))
                kept = tuple(bare if e is edge else e for e in machine.edges)
                words = f"{name} guard {guard.code} {guard.test.words()}"
                yield Row(words, "guard", partial(_with_edges, flow, machine, kept))


def _less(items: tuple[T, ...], gone: T) -> tuple[T, ...]:
    return tuple(item for item in items if item is not gone)


def _with_edges(flow: Workflow, machine: Machine, kept: tuple[Edge, ...]) -> Workflow:
    mended = replace(machine, edges=kept)
    if machine is flow.unit:
        return replace(flow, unit=mended)
    parts = tuple(replace(p, machine=mended) if p.machine is machine else p for p in flow.parts)
    return replace(flow, parts=parts)


def _rules(flow: Workflow) -> Iterator[Row]:
    for rule in flow.rules:
        for place, guard in enumerate(rule.guards):
            kept = (*rule.guards[:place], *rule.guards[place + 1 :])
            name = f"guard {rule.event} {guard.code} {guard.test.words()}"
            yield Row(name, "guard", partial(_with_rule, flow, rule, replace(rule, guards=kept)))
        for place, stage in enumerate(rule.walk):
            walk = (*rule.walk[:place], *rule.walk[place + 1 :])
            done = stage.name if isinstance(stage, Do) else f"{stage.who} {stage.signal}"
            name = f"walk {rule.event} {place + 1} {done}"
            yield Row(name, "walk", partial(_with_rule, flow, rule, replace(rule, walk=walk)))


def _with_rule(flow: Workflow, old: Rule, new: Rule) -> Workflow:
    return replace(flow, rules=tuple(new if rule is old else rule for rule in flow.rules))


def _interlock(flow: Workflow) -> Iterator[Row]:
    for lift in flow.lifts:
        lifts = _less(flow.lifts, lift)
        yield Row(f"lift {lift.name}", "lift", partial(replace, flow, lifts=lifts))
    for cascade in flow.cascades:
        cascades = _less(flow.cascades, cascade)
        yield Row(f"cascade {cascade.name}", "cascade", partial(replace, flow, cascades=cascades))
    for pair in flow.pairs:
        pairs = _less(flow.pairs, pair)
        yield Row(f"pair {pair.name}", "pair", partial(replace, flow, pairs=pairs))
