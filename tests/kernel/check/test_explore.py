"""Walking every state within bounds: what is gathered, and when it stops."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from interlock.kernel.check.explore import REPORT_EVERY, explore
from interlock.kernel.check.graph import ANYONE, DEATH, PLACES, WORLD
from interlock.kernel.check.outcome import after
from interlock.kernel.check.scope import GONE, Scope
from interlock.kernel.check.space import Space
from interlock.kernel.check.walk import Problem, Walk
from interlock.kernel.decide import decide
from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, Named
from interlock.kernel.look import look, next_part
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import Cascade, Do, Fire, Guard, Pair, Rule
from interlock.kernel.snapshot import Snapshot, begin, new_part, waits
from tests.kernel import tiny
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.check.apart import by_place, explored_apart, plain_state, within
from tests.kernel.tiny import CASES, HANDS, added, case, case_is, changed, item_is
from tests.kernel.wander import everything, explored, small_missions


def _add(draft: Draft) -> None:
    draft.create(New("item", "waiting", draft.flow.kind("item").defaults()))


GROWING = added(
    Rule("add", "case", HANDS, (case_is("open"),), (Do("add"),)),
    functions={**CASES.functions, "add": _add},
)


def test_a_walk_starts_where_the_scope_does_and_reaches_every_status() -> None:
    walk = explore(tiny.scope())
    graph = walk.graph

    assert [n for n, parent in enumerate(graph.parents) if parent < 0] == [0, 1]
    assert {unit.status for unit, _ in graph.states} == set(CASES.unit.names())
    assert walk.statuses == {
        (machine.name, status) for machine in CASES.machines() for status in machine.names()
    }
    assert walk.events == {rule.event for rule in CASES.rules}
    assert walk.problems == []


def shelves() -> Walk:
    """Explore two boxes that items are put into; in order, so that no two are tried as one."""
    flow = replace(SHELVES, parts=tuple(replace(kind, is_ordered=True) for kind in SHELVES.parts))
    return explore(Scope(flow, (by_place(shelf("made: shut() shut()")),), {}))


def chains() -> Walk:
    """Explore cases in which an item that is void takes those with it that need it."""
    void = Rule("void", "item", HANDS, (item_is("waiting"),), (Fire("part", "void"),),
                ("part", "dependents"))  # fmt: skip
    follow = Cascade("follow", "item", ("void",), to="item", fire="void", whom="dependents")
    flow = added(void, cascades=(follow,), pairs=())
    return explore(Scope(flow, (by_place(case("open: waiting waiting waiting<", flow)),), {}))


WALKS: dict[str, tuple[Callable[[], Walk], int]] = {
    "plan": (lambda: explored("plan", 2), 1),
    "mission": (small_missions, 3),
    "ticket": (lambda: explored("ticket", 1), 1),
    "shelves": (shelves, 1),
    "chains": (chains, 1),
}


@pytest.mark.parametrize("name", WALKS)
def test_deciding_everything_everywhere_finds_the_same_edges_as_deciding_slices_once(
    name: str,
) -> None:
    make, stride = WALKS[name]
    walk = make()
    found = zip(walk.graph.sources, walk.graph.targets, walk.graph.actors, strict=True)

    assert edges_by_hand(walk, stride) == {
        (source, target)
        for source, target, by in found
        if by != WORLD and not source % stride and not has_ended(walk, source)
    }


def has_ended(walk: Walk, number: int) -> bool:
    """Say whether a unit has ended: what moves then may be a problem, and leads nowhere."""
    return walk.graph.states[number][0].status in walk.graph.scope.flow.table.terminal


def edges_by_hand(walk: Walk, stride: int) -> set[tuple[int, int]]:
    """Decide every event in every state, whether or not it was decided for a like slice."""
    graph, flow, space = walk.graph, walk.graph.scope.flow, Space(walk.graph.scope.flow)
    number = {state: n for n, state in enumerate(graph.states)}
    numbers = {plain_state(state): n for n, state in enumerate(graph.states)}
    edges = set()
    for snapshot, event, variant, place in everything(walk, stride):
        kind = flow.kind(variant.kind) if place is not None else None
        if kind and kind.claim == event.name and next_part(flow, snapshot, kind) != place:
            continue
        try:
            decision = decide(flow, look(flow, snapshot, event), event)
        except Refusal:
            continue
        ahead = tuple(turn.ahead for turn in variant.turns)
        own = within(space, snapshot)
        then = plain_state(space.state(*after(space, *own, place or 0, decision, ahead)))
        # What leads beyond the bounds is no state.
        if then in numbers:
            edges.add((number[(snapshot.unit, snapshot.parts)], numbers[then]))
    return {(one, other) for one, other in edges if one != other and not has_ended(walk, one)}


def test_starts_that_are_the_same_are_one() -> None:
    scope = tiny.scope(items=1)

    assert len(explore(replace(scope, starts=scope.starts * 2)).graph.states) == len(
        explore(scope).graph.states
    )


def test_an_agent_that_holds_a_part_may_die_and_nothing_else_changes() -> None:
    graph = explore(tiny.scope(items=1)).graph
    deaths = [n for n, label in enumerate(graph.labels) if label < 0]

    assert deaths
    for state in deaths:
        (unit, [held]), (same, [orphan]) = graph.states[graph.parents[state]], graph.states[state]

        assert graph.labels[state] // PLACES == DEATH
        assert orphan.fields == {**held.fields, "holder": GONE}
        assert (orphan.status, same) == (held.status, unit)


def test_only_the_head_of_a_queue_is_claimed() -> None:
    graph = explored("plan", 2).graph
    flow = graph.scope.flow
    claims = [
        (graph.parents[state], label % PLACES - 1)
        for state, label in enumerate(graph.labels)
        if label >= 0 and graph.parents[state] >= 0
        and graph.variants[label // PLACES].event == "claim"
    ]  # fmt: skip

    assert claims
    for source, place in claims:
        snapshot = Snapshot(*graph.states[source])
        assert next_part(flow, snapshot, flow.kind("step")) == place


def test_edges_say_who_can_take_them() -> None:
    graph = explore(tiny.scope()).graph

    assert all(0 < actors <= ANYONE for actors in graph.actors)
    assert len(graph.sources) == len(graph.targets) == len(graph.actors)
    assert all(
        source != target for source, target in zip(graph.sources, graph.targets, strict=True)
    )


def test_bounds_cut_the_space_and_the_states_at_the_edge_are_remembered() -> None:
    scope = replace(tiny.scope(GROWING, 1), most={"item": 2})
    graph = explore(scope).graph

    assert max(len(parts) for _, parts in graph.states) == 2
    assert graph.cut
    assert all(graph.states[n][0].status == "open" for n in graph.cut)


def test_a_space_that_does_not_end_is_given_up() -> None:
    walk = explore(replace(tiny.scope(GROWING, 1), states_max=50))

    assert [problem.kind for problem in walk.problems] == ["ENDLESS"]
    assert walk.problems[0].message == "more than 50 states were found"


def test_a_start_that_breaks_a_pair_is_a_problem_of_its_own() -> None:
    flow = added(pairs=(Pair("p", ("open",), Any("item", ("held",))),))
    walk = explore(tiny.scope(flow, 1))

    assert walk.problems == [
        Problem("ILLEGAL_PAIR", 0, -1,
                "The case is open, where it must hold that some item is held (p)")
    ]  # fmt: skip


def test_a_call_that_breaks_the_tables_is_a_problem_and_leads_nowhere() -> None:
    walk = explore(tiny.scope(changed("ask", walk=(*CASES.rules[4].walk, *CASES.rules[4].walk))))

    assert {problem.kind for problem in walk.problems} == {"BROKEN_CALL"}
    assert "asked" not in {unit.status for unit, _ in walk.graph.states}


def _number(draft: Draft) -> int:
    number = draft.unit.fields["most"]
    assert isinstance(number, int)
    return number


def test_progress_is_told_every_so_often() -> None:
    functions = {
        "is_small": lambda draft: _number(draft) < 2 * REPORT_EVERY,
        "count": lambda draft: draft.write("unit", "most", _number(draft) + 1),
    }
    count = Rule("count", "case", HANDS, (Guard(Named("is_small")),), (Do("count"),))
    flow = replace(CASES, rules=(count,), parts=(), lifts=(), cascades=(), pairs=(),
                   functions=functions)  # fmt: skip
    told: list[tuple[int, int]] = []
    explore(Scope(flow, (begin(flow, unit={"most": 0}),), {}), lambda *at: told.append(at))

    assert told == [(REPORT_EVERY, 1), (2 * REPORT_EVERY, 1)]


def test_a_unit_without_parts_is_explored_too() -> None:
    walk = explore(Scope(CASES, (begin(CASES),), {}))

    assert [unit.status for unit, _ in walk.graph.states] == ["open", "dropped"]


def test_interchangeable_parts_are_tried_once_for_all_of_them() -> None:
    alike = replace(CASES.parts[0], is_ordered=False)
    flow = replace(CASES, parts=(alike,))
    start = replace(begin(flow), parts=tuple(new_part(flow, "item") for _ in range(3)))
    ordered = replace(start, parts=tuple(new_part(CASES, "item") for _ in range(3)))

    assert len(explore(Scope(flow, (start,), {})).graph.states) < len(
        explore(Scope(CASES, (Snapshot(ordered.unit, ordered.parts),), {})).graph.states
    )


def test_events_about_the_unit_that_see_more_than_it_are_tried_too() -> None:
    walk = explore(Scope(SHELVES, (by_place(shelf("made: shut()")),), {}))

    assert {"empty_current", "sweep"} <= walk.events


def test_of_alike_parts_one_that_is_needed_is_not_taken_for_one_that_is_not() -> None:
    alike = replace(CASES.parts[0], is_ordered=False)
    void = Rule("void", "item", HANDS, (item_is("waiting"),), (Fire("part", "void"),))
    flow = added(void, parts=(alike,))
    start = by_place(case("busy: waiting waiting waiting", flow))
    needing = replace(start.parts[2], needs=(1,))
    scope = Scope(flow, (replace(start, parts=(*start.parts[:2], needing)),), {})

    assert standings(explore(scope)) == standings(explored_apart(scope))


def standings(walk: Walk) -> set[tuple[str, tuple[tuple[str, int], ...]]]:
    """Return what stands together: statuses of parts, with how many others they wait for."""
    flow = walk.graph.scope.flow
    return {
        (unit.status, tuple(sorted(
            (part.status, waits(flow, Snapshot(unit, parts), part))
            for part in parts if part.status in ("waiting", "held")
        )))
        for unit, parts in walk.graph.states
    }  # fmt: skip
