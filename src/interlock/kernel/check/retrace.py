"""Walk a trace again, call by call: what a generated test does to show a finding.

A trace is kept as plain calls, so that it can be written into a test file and outlives the
graph it was found in.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interlock.kernel.check.graph import PLACES, Graph
from interlock.kernel.check.judge import Finding
from interlock.kernel.check.outcome import after
from interlock.kernel.check.report import Report, check
from interlock.kernel.check.scope import GONE, Scope
from interlock.kernel.check.space import Space, State
from interlock.kernel.check.variants import fence_of
from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.seen import Actor, Event, PartId
from interlock.kernel.snapshot import Condition, Snapshot


@dataclass(frozen=True, slots=True)
class Sent:
    """One call of a trace. ``event`` is empty where the agent that holds the part died.

    ``branches`` are the conditions that hang on the part: expression, action, parameters, and
    how many places on the target is.
    """

    event: str
    actor: str
    place: int | None = None
    session: str = ""
    args: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    branches: Sequence[tuple[str, str, Mapping[str, object], int]] = ()


def sent(graph: Graph, label: int, source: int) -> Sent:
    """Return the call behind a label as plain data."""
    if label < 0:
        return Sent("", "world", label % PLACES)
    variant = graph.variants[label // PLACES]
    place = label % PLACES - 1
    args = dict(variant.args)
    if place >= 0 and variant.lease:
        fence = fence_of(variant, graph.states[source][1][place])
        args |= {} if fence is None else {"fence": fence}
    branches = tuple(
        (turn.expression.source, turn.action, dict(turn.params), turn.ahead)
        for turn in variant.turns
    )
    actor = variant.actor
    return Sent(
        variant.event, actor.kind, None if place < 0 else place, actor.session, args, branches
    )


def calls_to(graph: Graph, finding: Finding) -> tuple[int, tuple[Sent, ...]]:
    """Return the number of the start and the calls that lead to a finding."""
    way = graph.trace(finding.state)
    calls = [sent(graph, label, way[i][1]) for i, (label, _) in enumerate(way[1:])]
    if finding.label >= 0:
        calls.append(sent(graph, finding.label, finding.state))
    return way[0][1], tuple(calls)


def retrace(scope: Scope, start: int, calls: Iterable[Sent]) -> State:
    """Make the calls one after the other; raises what the tables raise.

    A mended workflow may refuse one of them: what came before it is as far as the trace leads.
    """
    space = Space(scope.flow)
    state = _starts(scope, space)[start]
    for call in calls:
        try:
            state = _make(scope, space, state, call)
        except (Refusal, KeyError):
            break
    return state


def _starts(scope: Scope, space: Space) -> list[State]:
    """Return where the scope starts, each state once: as an exploration numbers them."""
    states: list[State] = []
    for first in scope.starts:
        unit = space.unit(first.unit.status, first.unit.fields)
        state = space.state(unit, tuple(space.part(part) for part in first.parts))
        if state not in states:
            states.append(state)
    return states


def check_from(scope: Scope, state: State) -> Report:
    """Check the workflow from one state on."""
    return check(replace(scope, starts=(Snapshot(*state),)))


def _make(scope: Scope, space: Space, state: State, call: Sent) -> State:
    unit, parts = state
    place = 0 if call.place is None else call.place
    if not call.event:
        dead = space.written(Snapshot(unit, parts).part(place), "holder", GONE)
        return space.state(unit, (*parts[:place], dead, *parts[place + 1 :]))
    event = Event(call.event, Actor(call.actor, call.actor, call.session), call.place, call.args)
    conditions: dict[PartId, tuple[Condition, ...]] = {
        place: tuple(
            Condition(scope.read(text), action, params, place + ahead if ahead else None)
            for text, action, params, ahead in call.branches
        )
    }
    decision = decide(
        scope.flow, look(scope.flow, Snapshot(unit, parts, (), conditions), event), event
    )
    ahead = tuple(branch[3] for branch in call.branches)
    return space.state(*after(space, unit, parts, place, decision, ahead))
