"""States that no row can tell apart are one state, and only those."""

from dataclasses import replace

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.scope import ALIVE, GONE, Scope
from interlock.kernel.check.space import Space, State
from interlock.kernel.forms import All, Any, Count, Form, In
from interlock.kernel.rules import Cascade, Fire, Guard, Lift, Pair, Rule
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import new_part
from interlock.kernel.workflow import PartKind, Workflow
from interlock.workflows.built_in import BUILT_IN
from interlock.workflows.plan import rules as plan_rules
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.kernel import tiny
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.check.apart import by_place, explored_apart, merged
from tests.kernel.tiny import CASES, HANDS, added, case_is, rule_that
from tests.seeds.planting import without_cascades, without_guards, without_rules


def space_of(flow: Workflow = CASES) -> Space:
    """Return an empty space."""
    return Space(flow)


def items(space: Space, *words: str) -> tuple[Part, ...]:
    """Return items of a space: ``held*`` is held by one who lives, ``held+`` by one who is dead."""
    marks = {"*": ALIVE, "+": GONE}
    return tuple(
        space.part(replace(
            new_part(space.flow, "item", {"holder": marks.get(word[-1]), "fence": 7}),
            status=word.rstrip("*+"),
        ))
        for word in words
    )  # fmt: skip


def statuses(state: State) -> list[str]:
    """Return the statuses of a state's parts, in order."""
    return [part.status for part in state[1]]


# -- merging is sound ------------------------------------------------------------------------------

BOTH = pytest.mark.parametrize(
    "flow",
    [
        PLAN,
        without_cascades(PLAN, "close the steps"),
        without_guards(PLAN, "submit", plan_rules.MINE),
        without_guards(PLAN, "remove_step", plan_rules.NOT_LAST),
        without_rules(PLAN, "fail_plan"),
    ],
    ids=["sound", "open steps", "zombies", "nothing counted", "wedged"],
)


@BOTH
def test_without_merging_plans_of_two_steps_reach_the_same_states_and_findings(
    flow: Workflow,
) -> None:
    scope = plan_scope(2, flow=flow)
    apart, together = explored_apart(scope), explore(scope)

    assert len(apart.graph.states) > len(together.graph.states)
    assert merged(apart) == merged(together)
    assert len(merged(together)) == len(together.graph.states)
    assert {(f.kind, f.where) for f in judge(apart)} == {(f.kind, f.where) for f in judge(together)}
    assert (apart.edges, apart.statuses) == (together.edges, together.statuses)


def test_without_merging_the_same_statuses_of_plans_stand_together() -> None:
    scope = plan_scope(2)
    alias = {"skipped": "completed"}

    def standings(walk_of: Scope, *, apart: bool) -> set[tuple[str, tuple[str, ...]]]:
        walk = explored_apart(walk_of) if apart else explore(walk_of)
        return {
            (unit.status, tuple(sorted(alias.get(p.status, p.status) for p in parts)))
            for unit, parts in walk.graph.states
        }

    assert standings(scope, apart=True) == standings(scope, apart=False)


@pytest.mark.parametrize(
    "scope",
    [tiny.scope(), tiny.scope(items=3), BUILT_IN["ticket"].scope(1)],
    ids=["cases of two", "cases of three", "tickets"],
)
def test_without_merging_other_workflows_reach_the_same_states(scope: Scope) -> None:
    apart, together = explored_apart(scope), explore(scope)

    assert merged(apart) == merged(together)
    assert judge(apart) == judge(together) == ()


def test_without_merging_boxes_with_items_in_them_reach_the_same_states() -> None:
    scope = Scope(SHELVES, (by_place(shelf("made: shut() shut()")),), {})
    apart, together = explored_apart(scope), explore(scope)

    assert {boxes(state) for state in apart.graph.states} == {
        boxes(state) for state in together.graph.states
    }
    assert {(f.kind, f.where) for f in judge(apart)} == {(f.kind, f.where) for f in judge(together)}


def boxes(state: State) -> object:
    """Return what can be told apart of a shelf: live boxes by content, dead ones by status."""
    unit, parts = state
    live, dead = [], set()
    for place, part in enumerate(parts):
        content = sorted(other.status for other in parts if other.parent == place)
        is_current = unit.fields["current"] == place
        if part.kind == "box" and part.status in ("shut", "opened"):
            live.append((part.status, tuple(content), is_current))
        elif part.kind == "box" and is_current:
            dead.add(part.status)
    ended = unit.status in ("full", "gone")
    return (unit.status, None if ended else tuple(sorted(live)), None if ended else frozenset(dead))


# -- what is forgotten -----------------------------------------------------------------------------


def test_equal_values_are_one_and_the_same_object() -> None:
    space = space_of()

    assert space.unit("busy", CASES.defaults()) is space.unit("busy", CASES.defaults())
    assert items(space, "held*")[0] is items(space, "held*")[0]
    assert items(space, "held*")[0] is not items(space, "held")[0]


def test_fields_no_rule_reads_and_numbers_of_claims_are_forgotten() -> None:
    space = space_of()
    part = space.part(new_part(CASES, "item", {"note": "red", "fence": 7, "holder": "me"}))

    assert part.fields == {"holder": ALIVE, "fence": 1, "lapsed": False, "note": ""}


def test_a_holder_that_is_dead_is_told_from_one_that_lives() -> None:
    space = space_of()

    assert [part.fields["holder"] for part in items(space, "held*", "held+", "held")] == [
        ALIVE,
        GONE,
        None,
    ]


def test_parts_of_an_order_keep_it_and_dead_ones_go_first() -> None:
    space = space_of()
    unit = space.unit("busy", CASES.defaults())

    assert statuses(space.state(unit, items(space, "waiting", "done", "held"))) == [
        "done",
        "waiting",
        "held",
    ]
    assert statuses(space.state(unit, items(space, "held", "waiting"))) == ["held", "waiting"]


def test_interchangeable_parts_are_sorted() -> None:
    flow = replace(CASES, parts=(replace(CASES.parts[0], is_ordered=False),))
    space = space_of(flow)
    unit = space.unit("busy", flow.defaults())

    assert space.state(unit, items(space, "waiting", "held")) == space.state(
        unit, items(space, "held", "waiting")
    )


def test_where_nobody_counts_one_dead_part_of_a_status_is_enough() -> None:
    space = space_of()
    unit = space.unit("busy", CASES.defaults())

    assert statuses(space.state(unit, items(space, "done", "held", "done"))) == ["done", "held"]


def test_where_somebody_counts_every_dead_part_is_kept() -> None:
    flow = added(rule_that(test=Count("item", (), ">", 1)))
    space = space_of(flow)
    unit = space.unit("busy", flow.defaults())

    assert statuses(space.state(unit, items(space, "done", "held", "done"))) == [
        "done",
        "done",
        "held",
    ]


@pytest.mark.parametrize(
    ("test", "is_one"),
    [
        (Any("item", ("done", "void")), True),
        (Any("item", ("void",)), False),
        (All("item", ("waiting", "held", "done")), False),
        (In("part", ("done",)), False),
        (In("current", ("void",)), False),
        (In("unit", ("busy",)), True),
    ],
    ids=["named together", "some", "all", "the part", "the current part", "the unit"],
)
def test_dead_statuses_are_one_where_every_form_names_them_together(
    test: Any | All | In, *, is_one: bool
) -> None:
    flow = added(rule_that(test=test, sees=("part", "current")))
    space = space_of(flow)
    unit = space.unit("busy", flow.defaults())
    done, void = (space.state(unit, items(space, word, "held")) for word in ("done", "void"))

    assert (done == void) is is_one


ASKED = Count("item", (), ">", 1)
KIND = CASES.parts[0]


def with_edge_guard() -> PartKind:
    """Return items of which one edge asks for the number of all."""
    first, *rest = KIND.machine.edges
    edges = (replace(first, guards=(Guard(ASKED),)), *rest)
    return replace(KIND, machine=replace(KIND.machine, edges=edges))


@pytest.mark.parametrize(
    "flow",
    [
        added(parts=(replace(KIND, claimable=ASKED),)),
        added(parts=(replace(KIND, first=ASKED),)),
        added(parts=(with_edge_guard(),)),
        added(rule_that(test=ASKED)),
        added(Rule("x", "case", HANDS, walk=(Fire("unit", "ask", when=ASKED),))),
        added(lifts=(Lift("x", ASKED, "finish"),)),
        added(cascades=(Cascade("x", "case", ("busy",), to="item", fire="void", when=ASKED),)),
        added(pairs=(Pair("x", ("busy",), ASKED),)),
    ],
    ids=["queue", "order of a queue", "edge", "guard", "stage", "lift", "cascade", "pair"],
)
def test_forms_are_found_wherever_they_stand(flow: Workflow) -> None:
    space = space_of(flow)
    unit = space.unit("busy", CASES.defaults())

    assert statuses(space.state(unit, items(space, "done", "done"))) == ["done", "done"]


def test_what_needed_a_closed_dead_part_no_longer_does() -> None:
    space = space_of()
    unit = space.unit("busy", CASES.defaults())
    done, waiting = items(space, "done", "waiting")
    needing = space.part(replace(waiting, needs=(0,)))

    assert space.state(unit, (done, needing)) == space.state(unit, (done, waiting))


def test_needs_and_parents_follow_their_parts_to_their_places() -> None:
    space = space_of()
    unit = space.unit("busy", CASES.defaults())
    held, done, waiting = items(space, "held", "done", "waiting")
    _, parts = space.state(unit, (held, done, space.part(replace(waiting, needs=(0,)))))

    assert [(part.status, part.needs) for part in parts] == [
        ("done", ()),
        ("held", ()),
        ("waiting", (1,)),
    ]


@pytest.mark.parametrize(
    ("test", "kept"),
    [
        (Any("item", ("lost",)), 3),
        (Any("item", ("packed",)), 4),
        (Any("item", ("packed",), "children"), 3),
        (Count("item", ("lost",), "<", 9), 3),
        (Count("item", ("packed",), "<", 9), 4),
        (Count("item", (), "<", 9), 4),
        (All("item", ("loose",)), 4),
    ],
)
def test_what_stands_under_a_dead_part_is_forgotten_unless_a_form_would_miss_it(
    test: Form, kept: int
) -> None:
    snapshot = by_place(shelf("used: packed(packed) opened(loose)"))
    space = space_of(added(Rule("probe", "box", HANDS, (Guard(test),)), flow=SHELVES))
    state = space.state(space.unit("used", {"current": 2}), tuple(map(space.part, snapshot.parts)))

    assert len(state[1]) == kept
    assert state[1][_pointer(state[0])].status == "opened"


def _pointer(unit: Unit) -> int:
    pointer = unit.fields["current"]
    assert isinstance(pointer, int)
    return pointer


def test_the_pointer_follows_a_part_that_was_merged_with_another() -> None:
    snapshot = by_place(shelf("used: lost() packed() packed()"))
    space = space_of(SHELVES)
    state = space.state(space.unit("used", {"current": 2}), tuple(map(space.part, snapshot.parts)))

    assert state[1][_pointer(state[0])].status == "packed"
    assert len(state[1]) == 2


def test_of_a_unit_that_nothing_moves_any_more_only_statuses_are_kept() -> None:
    guarded = tuple(replace(r, guards=(case_is("busy"), *r.guards)) for r in CASES.rules)
    for flow, is_one in ((replace(CASES, rules=guarded), True), (CASES, False)):
        space = space_of(flow)
        unit = space.unit("closed", CASES.defaults())
        one, other = (items(space, *words) for words in (("held*", "waiting"), ("waiting", "held")))

        assert (space.state(unit, one) == space.state(unit, other)) is is_one


def test_tallies_that_are_equal_share_a_number() -> None:
    space = space_of()
    one, other = items(space, "held*", "done"), items(space, "done", "held+")

    assert space.tally(one)[0] == space.tally(other)[0]
    assert space.tally(one)[1] == {"item": {"held": 1, "done": 1}}
    assert space.tally(one)[0] != space.tally(items(space, "done"))[0]


def test_a_part_that_moves_ends_what_lives_in_a_status_and_one_written_to_does_not() -> None:
    space = space_of()
    [held] = items(space, "held*")

    assert space.moved(held, "done").fields["holder"] is None
    assert space.written(held, "lapsed", value=True).fields == {
        "holder": ALIVE, "fence": 1, "lapsed": True, "note": "",
    }  # fmt: skip


def test_only_terminal_statuses_without_an_edge_are_dead() -> None:
    space = space_of(PLAN)
    step = new_part(PLAN, "step")

    assert space.is_dead(replace(step, status="completed"))
    assert not space.is_dead(replace(step, status="failed"))


def test_a_space_speaks_of_places_and_not_of_names() -> None:
    space = space_of()
    [waiting] = items(space, "waiting")

    with pytest.raises(TypeError):
        space.canonical((space.part(replace(waiting, needs=("1",))),))
