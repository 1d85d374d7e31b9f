"""Judge what was explored: find the promises of soundness that some reachable state breaks.

Each kind of finding is one function over the walk. Of the many states that break the same
promise in the same way only the one with the shortest trace is reported, with their number.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from interlock.kernel.check.graph import AGENTS, ANYONE, CLOCK, PEOPLE, PLACES
from interlock.kernel.check.walk import Walk
from interlock.kernel.seen import Unit
from interlock.kernel.workflow import Workflow

KINDS: Final = {
    "AMBIGUOUS": "two edges leave one status on the same signal",
    "BROKEN_CALL": "a call that the rules admit finds no edge to take",
    "ILLEGAL_PAIR": "statuses stand together that may not",
    "LOOP": "cascades and lifts do not come to rest",
    "ZOMBIE": "a call with a lease that is no longer good is accepted",
    "STOLEN": "an agent takes a part that somebody else holds",
    "NO_LEASE": "a claim gives the part to nobody",
    "LEFT_TERMINAL": "something that has ended moves without a person",
    "ENDLESS": "the space of states does not end where a check gives up",
    "DEAD_END": "nothing and nobody can move it",
    "WEDGED": "with every agent dead a person cannot end it in a few commands",
    "HOPELESS": "it can no longer succeed, though no person gave it up",
    "AGENTS_STUCK": "agents alone cannot go on, though no gate is in the way",
    "GATE_WITHOUT_EXIT": "a gate that a person cannot decide",
    "UNREACHABLE": "a status nothing leads to",
    "UNUSED_EDGE": "an edge nothing ever takes",
    "UNUSED_RULE": "an event that is never accepted",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One way in which the workflow is unsound. ``state`` is -1 for what the tables alone show."""

    kind: str
    where: str
    message: str
    fix: str
    state: int = -1
    label: int = -1
    count: int = 1


def judge(walk: Walk) -> tuple[Finding, ...]:
    """Return every finding, gravest kind first.

    A walk that gave up has not seen what lies beyond, so nothing can be said to be missing.
    """
    judges: tuple[Callable[[Walk], Iterable[Finding]], ...] = (_ambiguous, _problems)
    if all(problem.kind != "ENDLESS" for problem in walk.problems):
        judges += (
            _dead_ends, _wedged, _hopeless, _agents_stuck,
            _gates, _unreachable, _unused, _unused_rules,
        )  # fmt: skip
    order = list(KINDS)
    found = [finding for one in judges for finding in one(walk)]
    return tuple(sorted(found, key=lambda f: order.index(f.kind)))


def _ambiguous(walk: Walk) -> Iterator[Finding]:
    for machine in walk.graph.scope.flow.machines():
        seen: set[tuple[str, str]] = set()
        for edge in machine.edges:
            if (edge.source, edge.on) in seen:
                yield Finding(
                    "AMBIGUOUS", f"{machine.name} {edge.source}",
                    f"More than one edge leaves {edge.source} on {edge.on}.",
                    "Give one of them another signal, or take one out.",
                )  # fmt: skip
            seen.add((edge.source, edge.on))


def _problems(walk: Walk) -> Iterator[Finding]:
    """Report what the walk itself saw, once for each event and status it was seen in."""
    graph = walk.graph
    first: dict[tuple[str, str, str], Finding] = {}
    for problem in walk.problems:
        unit, parts = graph.states[problem.state]
        event = graph.variants[problem.label // PLACES].event if problem.label >= 0 else "nothing"
        place = problem.label % PLACES - 1 if problem.label >= 0 else -1
        standing = unit.status if place < 0 else f"{unit.status}, {parts[place].status}"
        key = (problem.kind, event, standing)
        known = first.get(key)
        first[key] = Finding(
            problem.kind, f"{event} on {standing}", problem.message,
            _FIXES[problem.kind], known.state if known else problem.state,
            known.label if known else problem.label, known.count + 1 if known else 1,
        )  # fmt: skip
    yield from first.values()


_FIXES: Final = {
    "BROKEN_CALL": "Let the walk pass through edges that exist, or let a guard refuse the call.",
    "ILLEGAL_PAIR": "Add the lift or cascade that moves the other side along.",
    "LOOP": "Break the circle of cascades and lifts.",
    "ZOMBIE": "Guard the rule with the lease, and refuse parts that wait to be claimed again.",
    "STOLEN": "Let agents take only what is unheld or lapsed.",
    "NO_LEASE": "Let the claim grant a lease: holder and a new fence.",
    "LEFT_TERMINAL": "Let only a person move anything in a unit that has ended.",
    "ENDLESS": "Bound what can be made without end, or give the scope a limit for it.",
}


def _dead_ends(walk: Walk) -> Iterator[Finding]:
    graph = walk.graph
    leaving = set(graph.sources) | graph.cut
    stuck = [
        number
        for number, (unit, _) in enumerate(graph.states)
        if number not in leaving and not _has_ended(walk, unit)
    ]
    yield from _grouped(walk, "DEAD_END", stuck, "Nothing and nobody can move it.",
                        "Add an edge or a lift that leads on from here.")  # fmt: skip


def _wedged(walk: Walk) -> Iterator[Finding]:
    most = walk.graph.scope.commands_max
    far = walk.graph.distances(_ends(walk), PEOPLE)
    stuck = [n for n, d in enumerate(far) if d < 0 or d > most]
    yield from _grouped(
        walk, "WEDGED", stuck,
        f"With every agent dead, no person can end it in {most} commands.",
        "Give a person an event that leads to an end from here.",
    )  # fmt: skip


def _hopeless(walk: Walk) -> Iterator[Finding]:
    graph = walk.graph
    goals = [
        n for n, (unit, _) in enumerate(graph.states) if _succeeded(walk, unit) or n in graph.cut
    ]
    far = graph.distances(goals, ANYONE)
    stuck = [
        n
        for n, (unit, _) in enumerate(graph.states)
        if far[n] < 0 and not _has_ended(walk, unit) and not graph.scope.is_doomed(unit)
    ]
    yield from _grouped(walk, "HOPELESS", stuck, "It can no longer succeed.",
                        "Add the way on that is missing here.")  # fmt: skip


def _agents_stuck(walk: Walk) -> Iterator[Finding]:
    """Without a person: success, or a gate that was not merely asked for, must be in reach."""
    graph = walk.graph
    goals = [
        n
        for n, (unit, _) in enumerate(graph.states)
        if _succeeded(walk, unit) or n in graph.cut or _waits_for_people(walk, n)
    ]
    far = graph.distances(goals, AGENTS | CLOCK)
    stuck = [
        n
        for n, (unit, _) in enumerate(graph.states)
        if far[n] < 0 and not _has_ended(walk, unit) and not _at_gate(walk, n)
    ]
    failing = {n for n in stuck if graph.scope.is_failing(*graph.states[n])}
    if failing:
        # Nothing can save the attempt, but nobody must be needed to say that it has failed.
        far = graph.distances(_troubles(walk), AGENTS | CLOCK)
        stuck = [n for n in stuck if n not in failing or far[n] < 0]
    yield from _grouped(walk, "AGENTS_STUCK", stuck,
                        "Agents alone can neither finish it nor bring it to a gate.",
                        "Let an agent's event, or the clock's, lead on from here.")  # fmt: skip


def _gates(walk: Walk) -> Iterator[Finding]:
    """A gate of the unit must be left by a person somewhere in the space."""
    graph = walk.graph
    flow = graph.scope.flow
    left = {
        graph.states[source][0].status
        for source, target, by in zip(graph.sources, graph.targets, graph.actors, strict=True)
        if by & PEOPLE and graph.states[source][0].status != graph.states[target][0].status
    }
    seen = {unit.status for unit, _ in graph.states}
    for status in flow.unit.names("gate"):
        if status in seen and status not in left:
            yield Finding("GATE_WITHOUT_EXIT", f"{flow.unit.name} {status}",
                          f"No person's event leaves the gate {status}.",
                          "Add a decision that leads on from it.")  # fmt: skip


def _unreachable(walk: Walk) -> Iterator[Finding]:
    if not walk.graph.scope.is_wide:
        return
    for machine in walk.graph.scope.flow.machines():
        for status in machine.names():
            if (machine.name, status) not in walk.statuses:
                yield Finding("UNREACHABLE", f"{machine.name} {status}",
                              f"No edge that is ever taken leads to {status}.",
                              "Add an event that leads there, or take the status out.")  # fmt: skip


def _unused(walk: Walk) -> Iterator[Finding]:
    if not walk.graph.scope.is_wide:
        return
    for machine in walk.graph.scope.flow.machines():
        for edge in machine.edges:
            if (machine.name, edge.source, edge.on) not in walk.edges:
                yield Finding("UNUSED_EDGE", f"{machine.name} {edge.source} {edge.on}",
                              f"Nothing ever takes {edge.source} --{edge.on}--> {edge.target}.",
                              "Let a rule, lift or cascade fire it, or take it out.")  # fmt: skip


def _unused_rules(walk: Walk) -> Iterator[Finding]:
    if not walk.graph.scope.is_wide:
        return
    for rule in walk.graph.scope.flow.rules:
        if rule.event not in walk.events:
            yield Finding("UNUSED_RULE", f"{rule.kind} {rule.event}",
                          f"{rule.event} is refused wherever it is tried.",
                          "Mend its guards or its examples, or take it out.")  # fmt: skip


def _grouped(
    walk: Walk, kind: str, states: Iterable[int], message: str, fix: str
) -> Iterator[Finding]:
    """Report one finding for each status of the unit: states are numbered in order of depth."""
    first: dict[str, list[int]] = {}
    for number in states:
        unit, _ = walk.graph.states[number]
        first.setdefault(unit.status, []).append(number)
    for status, numbers in first.items():
        yield Finding(kind, f"{walk.graph.scope.flow.unit.name} {status}", message, fix,
                      numbers[0], -1, len(numbers))  # fmt: skip


def _has_ended(walk: Walk, unit: Unit) -> bool:
    return unit.status in walk.graph.scope.flow.table.terminal


def _succeeded(walk: Walk, unit: Unit) -> bool:
    return walk.graph.scope.flow.unit.status(unit.status).is_success


def _ends(walk: Walk) -> list[int]:
    return [n for n, (unit, _) in enumerate(walk.graph.states) if _has_ended(walk, unit)]


def _troubles(walk: Walk) -> list[int]:
    flow = walk.graph.scope.flow
    return [
        n
        for n, (unit, _) in enumerate(walk.graph.states)
        if flow.unit.status(unit.status).is_trouble or walk.graph.scope.is_held(unit)
    ]


def _at_gate(walk: Walk, number: int) -> bool:
    flow: Workflow = walk.graph.scope.flow
    unit, parts = walk.graph.states[number]
    if flow.unit.status(unit.status).kind == "gate" or walk.graph.scope.is_held(unit):
        return True
    return any(flow.machine(p.kind).status(p.status).kind == "gate" for p in parts)


def _waits_for_people(walk: Walk, number: int) -> bool:
    """Say whether a person's turn has come in the normal course of things."""
    flow = walk.graph.scope.flow
    unit, parts = walk.graph.states[number]
    rows = [flow.unit.status(unit.status)]
    rows += [flow.machine(p.kind).status(p.status) for p in parts]
    return any(r.kind == "gate" and not r.is_asked and not r.is_trouble for r in rows)
