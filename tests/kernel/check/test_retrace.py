"""Walking a trace again, call by call."""

from dataclasses import replace

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.graph import Graph
from interlock.kernel.check.judge import Finding, judge
from interlock.kernel.check.retrace import Sent, calls_to, check_from, retrace
from interlock.kernel.check.scope import Scope
from interlock.kernel.check.variants import STALE_FENCE
from interlock.kernel.refusal import BrokenWalk
from interlock.workflows.plan.scope import scope as plan_scope
from tests.kernel import tiny
from tests.kernel.check.apart import plain_state
from tests.kernel.check.holes import HOLES, checked
from tests.kernel.tiny import CASES, changed, places
from tests.kernel.wander import explored

CLAIM = Sent("claim", "agent", 0, "agent")
DEATH = Sent("", "world", 0)
FINISH = Sent("finish", "agent", 0, "agent", {"fence": 1})


def finding_at(state: int, label: int = -1) -> Finding:
    """Return a finding at a state."""
    return Finding("DEAD_END", "somewhere", "", "", state, label)


def words(scope: Scope, *calls: Sent, start: int = 0) -> str:
    """Say where calls lead."""
    unit, parts = retrace(scope, start, calls)
    return f"{unit.status}: " + " ".join(f"{p.status}/{p.fields['holder']}" for p in parts)


def test_calls_are_made_one_after_the_other() -> None:
    scope = tiny.scope()

    assert words(scope) == "open: waiting/None"
    assert words(scope, CLAIM) == "busy: held/agent"
    assert words(scope, CLAIM, DEATH) == "busy: held/gone"
    assert words(scope, CLAIM, FINISH) == "closed: done/None"
    assert words(scope, CLAIM, start=1) == "busy: held/agent waiting/None"


@pytest.mark.parametrize(("name", "bound"), [("plan", 2), ("ticket", 1)])
def test_the_trace_of_every_state_leads_back_to_it(name: str, bound: int) -> None:
    graph = explored(name, bound).graph
    for number in range(0, len(graph.states), 9):
        start, calls = calls_to(graph, finding_at(number))
        there = retrace(graph.scope, start, calls)

        assert plain_state(there) == plain_state(graph.states[number])


def test_starts_that_are_the_same_are_counted_as_an_exploration_counts_them() -> None:
    scope = tiny.scope()
    doubled = replace(scope, starts=(scope.starts[0], *scope.starts))
    graph = explore(doubled).graph
    for number in range(len(graph.states)):
        start, calls = calls_to(graph, finding_at(number))

        assert plain_state(retrace(doubled, start, calls)) == plain_state(graph.states[number])


def test_a_finding_about_a_call_ends_with_that_call() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "STOLEN")
    walk = explore(checked(hole))
    stolen = next(f for f in judge(walk) if f.kind == "STOLEN")
    start, calls = calls_to(walk.graph, stolen)

    assert (start, [call.event for call in calls]) == (0, ["claim", "grab"])


def test_a_call_about_the_unit_that_comes_first_in_the_table_is_a_call_too() -> None:
    flow = replace(CASES, rules=(CASES.rules[4], *CASES.rules[:4], *CASES.rules[5:]))
    graph: Graph = explore(tiny.scope(flow)).graph
    asked = next(n for n, (unit, _) in enumerate(graph.states) if unit.status == "busy")

    assert graph.variants[0].event == "ask"
    assert [call.event for call in calls_to(graph, finding_at(asked, 0))[1]] == ["claim", "ask"]


def test_a_call_that_a_mended_workflow_refuses_is_as_far_as_the_trace_leads() -> None:
    stale = replace(FINISH, args={"fence": -1})

    assert words(tiny.scope(), CLAIM, stale, FINISH) == "busy: held/agent"
    assert words(tiny.scope(), CLAIM, Sent("xyzzy", "agent"), FINISH) == "busy: held/agent"


@pytest.mark.parametrize("call", [replace(CLAIM, place=5), replace(DEATH, place=5)])
def test_a_part_that_a_mended_workflow_does_not_have_ends_the_trace(call: Sent) -> None:
    assert words(tiny.scope(), call, CLAIM) == "open: waiting/None"


def test_what_breaks_the_tables_is_raised() -> None:
    flow = changed("finish", walk=(*CASES.rules[1].walk, *CASES.rules[1].walk))

    with pytest.raises(BrokenWalk):
        retrace(tiny.scope(flow), 0, (CLAIM, FINISH))


def test_branches_hang_on_the_part_again() -> None:
    graph = explored("plan", 2).graph
    skipping = (("go === true", "fail", {"reason": "a dead end"}, 0),)
    submit = Sent("submit", "agent", 0, "agent", {"result": {"go": True}}, skipping)

    assert retrace(graph.scope, 0, (submit,))[0].status == "failed"
    assert retrace(graph.scope, 0, (replace(submit, branches=()),))[0].status == "completed"


def test_a_branch_points_as_many_places_on_as_it_says() -> None:
    jump = (("go === true", "skip_to", dict[str, object](), 2),)
    submit = Sent("submit", "agent", 0, "agent", {"result": {"go": True}}, jump)
    _, steps = retrace(plan_scope(3), 2, (submit,))

    assert sorted(step.status for step in steps) == ["completed", "completed", "pending"]


def test_a_call_brings_the_fence_of_its_lease_and_none_where_it_has_none() -> None:
    walk = explore(checked(next(hole for hole in HOLES if hole.kind == "ZOMBIE")))
    zombie = next(f for f in judge(walk) if f.kind == "ZOMBIE")

    assert [call.args for call in calls_to(walk.graph, zombie)[1]] == [{}, {"fence": STALE_FENCE}]


def test_a_state_is_checked_from_there_on() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "HOPELESS")
    scope = replace(checked(hole), is_wide=False)
    lost = retrace(scope, 0, (CLAIM, Sent("lose", "agent", None, "agent")))
    found = check_from(scope, lost)

    assert places(tuple(one.finding for one in found.findings)) == {
        ("HOPELESS", "case lost"),
        ("AGENTS_STUCK", "case lost"),
    }
    assert found.states < len(explore(scope).graph.states)
    assert not [one.trace for one in found.findings if one.trace]
