"""Each kind of finding is brought out by the hole it is named for, and by nothing sound."""

from collections import deque
from dataclasses import replace

import pytest

from interlock.kernel.check.effects import event_of
from interlock.kernel.check.explore import explore
from interlock.kernel.check.graph import PEOPLE, Graph
from interlock.kernel.check.judge import KINDS, judge
from interlock.kernel.check.outcome import after
from interlock.kernel.check.scope import GONE
from interlock.kernel.check.space import Space, State
from interlock.kernel.check.variants import PERSON
from interlock.kernel.decide import decide
from interlock.kernel.forms import All, Both, Count
from interlock.kernel.look import look
from interlock.kernel.machine import Edge, Status
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import USER, Do, Fire, Lift, Rule
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from tests.kernel import tiny
from tests.kernel.check.apart import plain_state
from tests.kernel.check.holes import (
    DROP,
    FUNCTIONS,
    HOLES,
    PERSONS,
    Hole,
    checked,
    fires,
    grown,
    with_drop,
)
from tests.kernel.tiny import CASE, CASES, HANDS, added, case_is, changed, findings, places
from tests.kernel.wander import explored


def test_a_sound_workflow_has_no_findings() -> None:
    assert findings(CASES) == ()
    assert findings(CASES, items=3) == ()


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: f"{hole.kind} {hole.where}")
def test_a_hole_is_found_where_it_was_planted_and_what_follows_from_it(hole: Hole) -> None:
    found = judge(explore(checked(hole)))

    assert (hole.kind, hole.where) in places(found)
    assert {finding.kind for finding in found} == {hole.kind, *hole.also}


def test_every_kind_of_finding_has_its_hole() -> None:
    assert {hole.kind for hole in HOLES} == set(KINDS)


def test_findings_are_listed_gravest_kind_first_and_each_says_what_to_do() -> None:
    found = [finding for hole in HOLES for finding in judge(explore(checked(hole)))]
    for hole in HOLES:
        kinds = [list(KINDS).index(f.kind) for f in judge(explore(checked(hole)))]

        assert kinds == sorted(kinds)
    assert all(finding.message and finding.fix for finding in found)


def test_states_that_break_a_promise_in_the_same_way_are_one_finding_with_their_number() -> None:
    [wedged, *_] = findings(changed("drop", actors=HANDS), items=1)

    assert (wedged.where, wedged.count) == ("case open", 1)
    busy = next(f for f in findings(changed("drop", actors=HANDS), 1) if f.where == "case busy")
    assert busy.count > 1


def test_a_finding_carries_the_shortest_trace() -> None:
    flow = with_drop("lost", fires("lose", "enter", "busy"))
    graph = explore(tiny.scope(flow)).graph
    finding = next(f for f in judge(explore(tiny.scope(flow))) if f.where == "case lost")
    ways = [
        len(graph.trace(n)) for n, (unit, _) in enumerate(graph.states) if unit.status == "lost"
    ]

    assert len(graph.trace(finding.state)) == min(ways) == 3


def test_every_trace_of_plans_is_as_short_as_any() -> None:
    graph = explored("plan", 2).graph
    far = distances_from_the_starts(graph)

    assert [len(graph.trace(n)) - 1 for n in range(len(graph.states))] == far


def distances_from_the_starts(graph: Graph) -> list[int]:
    """Search breadth first, over the edges alone."""
    leads: dict[int, set[int]] = {}
    for source, target in zip(graph.sources, graph.targets, strict=True):
        leads.setdefault(source, set()).add(target)
    far = {n: 0 for n, parent in enumerate(graph.parents) if parent < 0}
    queue = deque(far)
    while queue:
        state = queue.popleft()
        for target in leads.get(state, set()) - far.keys():
            far[target] = far[state] + 1
            queue.append(target)
    return [far[n] for n in range(len(graph.states))]


# -- a person can always end it --------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bound"), [("plan", 2), ("ticket", 1)])
def test_with_every_agent_dead_a_person_ends_it_in_a_few_commands(name: str, bound: int) -> None:
    graph = explored(name, bound).graph
    ended = graph.scope.flow.table.terminal
    goals = [n for n, (unit, _) in enumerate(graph.states) if unit.status in ended]
    far = graph.distances(goals, PEOPLE)

    assert min(far) == 0
    assert max(far) <= graph.scope.commands_max == 3


def test_the_way_out_consists_of_a_persons_commands_that_are_accepted_from_a_person() -> None:
    graph = explored("plan", 2).graph
    flow, space = graph.scope.flow, Space(graph.scope.flow)
    known = {plain_state(state): n for n, state in enumerate(graph.states)}
    goals = [n for n, (unit, _) in enumerate(graph.states) if unit.status in flow.table.terminal]
    far = graph.distances(goals, PEOPLE)
    for number, state in enumerate(graph.states):
        if far[number]:
            closer = {far[known[plain_state(then)]] for then in commanded(graph, space, state)}

            assert min(closer) == far[number] - 1


def commanded(graph: Graph, space: Space, state: State) -> list[State]:
    """Return where a person's commands lead, sent as a person."""
    flow, (unit, parts) = graph.scope.flow, state
    reached = []
    for variant in graph.variants:
        if variant.actor.kind != USER and not variant.is_also_a_persons:
            continue
        about = (None,) if variant.kind == flow.unit.name else range(len(parts))
        for place in about:
            event = event_of(variant, parts, place)._replace(actor=PERSON)
            try:
                decision = decide(flow, look(flow, Snapshot(unit, parts), event), event)
            except Refusal:
                continue
            own = space.unit(unit.status, unit.fields), tuple(map(space.part, parts))
            reached.append(space.state(*after(space, *own, place or 0, decision, ())))
    return reached


# -- bounds and excuses ----------------------------------------------------------------------------


def test_a_narrow_scope_says_nothing_of_what_was_never_used() -> None:
    flow = added(unit=grown(Edge("asked", "back", "open"), status="odd"))

    assert judge(explore(replace(tiny.scope(flow), is_wide=False))) == ()


def test_what_lies_beyond_the_bounds_may_still_succeed() -> None:
    grow = Rule("add", "case", HANDS, (case_is("busy"),), (Do("add"),))
    three = Both((All("item", tiny.OVER), Count("item", (), ">=", 3)))
    flow = added(grow, functions=FUNCTIONS, lifts=(Lift("three are over", three, "finish"),))
    bounded = replace(tiny.scope(flow), most={"item": 2}, is_wide=False)

    assert judge(explore(bounded)) == ()
    assert explore(bounded).graph.cut
    unbounded = replace(bounded, most={"item": 3})
    assert judge(explore(unbounded)) == ()


def test_a_unit_that_is_doomed_is_not_expected_to_succeed() -> None:
    flow = with_drop("lost", fires("lose", "enter", "busy"))
    excused = replace(tiny.scope(flow), is_doomed=lambda unit: unit.status == "lost", is_wide=False)

    assert {f.kind for f in judge(explore(excused))} == {"AGENTS_STUCK"}


def test_a_unit_that_is_held_waits_for_a_person_as_at_a_gate() -> None:
    flow = with_drop("paused", fires("pause", "enter", "busy"),
                     fires("go_on", "leave", "paused", PERSONS))  # fmt: skip
    excused = replace(tiny.scope(flow), is_held=lambda unit: unit.status == "paused")

    assert judge(explore(excused)) == ()


def test_what_fails_in_dead_hands_need_only_reach_trouble() -> None:
    repair = Status("repair", "gate", is_trouble=True)
    unit = replace(CASE, statuses=(*CASE.statuses, repair), edges=(
        *CASE.edges, Edge("busy", "break", "repair"), Edge("repair", "mend", "busy"),
        Edge("repair", "drop", "dropped"),
    ))  # fmt: skip
    breaks = (Fire("part", "give_back"), Fire("unit", "break", maybe=True))
    rules = (
        *CASES.rules[:3], replace(CASES.rules[3], walk=breaks), *CASES.rules[4:6],
        replace(DROP, guards=(case_is("open", "busy", "asked", "repair"),)),
        fires("mend", "mend", "repair", PERSONS),
    )  # fmt: skip
    scope = tiny.scope(replace(CASES, unit=unit, rules=rules))

    assert places(judge(explore(scope))) == {("AGENTS_STUCK", "case busy")}
    assert judge(explore(replace(scope, is_failing=_is_in_dead_hands))) == ()


def _is_in_dead_hands(unit: Unit, parts: tuple[Part, ...]) -> bool:
    return any(part.fields["holder"] == GONE for part in parts)


def test_of_a_check_that_gave_up_nothing_is_said_to_be_missing() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "ENDLESS")

    assert [f.kind for f in judge(explore(checked(hole)))] == ["ENDLESS"]


def test_what_fails_must_reach_trouble_all_the_same() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "AGENTS_STUCK")
    excused = replace(checked(hole), is_failing=lambda *_: True)

    assert places(judge(explore(excused))) == {("AGENTS_STUCK", "case paused")}


def test_a_person_has_as_many_commands_as_the_scope_allows_and_no_more() -> None:
    assert judge(explore(replace(tiny.scope(), commands_max=1))) == ()
    assert {f.kind for f in judge(explore(replace(tiny.scope(), commands_max=0)))} == {"WEDGED"}


def test_the_very_first_call_of_all_may_be_the_one_that_is_wrong() -> None:
    force = Rule("force", "case", HANDS, walk=(Fire("unit", "answer"),))
    flow = replace(CASES, rules=(force, *CASES.rules))

    assert ("BROKEN_CALL", "force on open") in places(judge(explore(tiny.scope(flow))))
