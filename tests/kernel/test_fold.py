"""Folding a rule beforehand changes no outcome: it is held against running the rows one by one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from interlock.kernel.decide import decide
from interlock.kernel.draft import Draft
from interlock.kernel.entries import Cause, Decision, Move
from interlock.kernel.fold import fold, guards_left, plot
from interlock.kernel.forms import Both, By, Either, Form, Free, In, Named, Not
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.rules import Do, Fire, Rule
from interlock.kernel.seen import Event, Seen
from interlock.kernel.settle import settle
from interlock.kernel.workflow import Field, Workflow
from tests.kernel.tiny import CASES, HANDS, added, case_is, item_is
from tests.kernel.wander import NAMES, NUMBERS, everything, explored, plain, scope_of, wander

BUSY, OPEN = In("unit", ("busy",)), In("unit", ("open",))
HELD, MINE = In("part", ("held",)), Named("lease_is_mine")


# -- the reference: every guard, every stage, and nothing kept -------------------------------------


class Plain:
    """A workflow whose rows are run one by one, as they stand in the tables."""

    def __init__(self, flow: Workflow) -> None:
        """Compile the guards of every rule by themselves."""
        # A copy has tables of its own, and so a memory of its own that can be emptied.
        self.flow = replace(flow)
        self.guards = {
            rule.event: [(guard.test.compile(flow.functions), guard) for guard in rule.guards]
            for rule in flow.rules
        }

    def decide(self, seen: Seen, event: Event) -> Decision:
        """Decide an event that has a rule, from an actor who may send it."""
        draft = Draft(self.flow, seen, event, 0)
        for check, guard in self.guards[event.name]:
            if not check(draft):
                raise Refusal(draft, guard.code, guard)
        for stage in self.flow.table.rules[event.name].walk:
            stage(draft)
        self.flow.table.calm.clear()
        settle(draft)
        return draft.decision()


def outcome(flow: Workflow | Plain, seen: Seen, event: Event) -> object:
    """Return what comes of an event, as values that can be compared."""
    try:
        if isinstance(flow, Plain):
            return plain(flow.decide(seen, event))
        return plain(decide(flow, seen, event))
    except Refusal as refusal:
        return (refusal.code, refusal._guard)
    except BrokenTable as broken:
        return (type(broken), str(broken))


def test_folding_changes_no_outcome_in_any_state_of_plans_with_two_steps() -> None:
    walk = explored("plan", 2)
    flow = walk.graph.scope.flow
    bare = Plain(flow)
    tried = 0
    for snapshot, event, _, _ in everything(walk):
        seen = look(flow, snapshot, event)
        tried += 1

        assert outcome(flow, seen, event) == outcome(bare, seen, event)
    assert tried > walk.graph.decides


@pytest.mark.parametrize("name", ["cases", *NAMES])
@settings(max_examples=15)
@given(numbers=NUMBERS)
def test_folding_changes_no_outcome_on_random_walks(name: str, numbers: list[int]) -> None:
    bare = Plain(scope_of(name).flow)
    for tried in wander(name, numbers):
        folded = outcome(tried.flow, tried.seen, tried.event)

        assert folded == outcome(bare, tried.seen, tried.event)


# -- forms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "left"),
    [
        (BUSY, True),
        (OPEN, False),
        (HELD, True),
        (In("parent", ("held",)), In("parent", ("held",))),
        (MINE, MINE),
        (Not(BUSY), False),
        (Not(OPEN), True),
        (Not(MINE), Not(MINE)),
        (Both((BUSY, HELD)), True),
        (Both((BUSY, MINE)), MINE),
        (Both((OPEN, MINE)), False),
        (Both((MINE, BUSY, Free())), Both((MINE, Free()))),
        (Both(()), True),
        (Either((OPEN, MINE)), MINE),
        (Either((BUSY, MINE)), True),
        (Either((OPEN, Not(HELD))), False),
        (Either((MINE, OPEN, Free())), Either((MINE, Free()))),
        (Either(()), False),
        (Either((Both((OPEN, MINE)), Not(Both((BUSY, MINE))))), Not(MINE)),
    ],
)
def test_what_two_statuses_settle_is_taken_out_of_a_form(form: Form, left: object) -> None:
    assert fold(form, "busy", "held") == left


# -- guards and walks ------------------------------------------------------------------------------


def path_of(rule: Rule, unit: str, part: str = "") -> tuple[list[str], str, str, int]:
    """Fold a rule of a case; return certain signals, where they lead, and stages left over."""
    flow = added(rule)
    path = plot(flow, flow.table, rule, unit, part)
    return ([m.signal for m in path.moves], path.unit_status, path.part_status, len(path.stages))


def test_only_guards_that_still_need_asking_are_left() -> None:
    rule = CASES.rule("finish")
    assert rule is not None

    assert [guard.code for _, guard in guards_left(CASES, rule, "busy", "held")] == ["NOT_YOURS"]


def test_after_a_guard_that_is_sure_to_refuse_no_other_is_asked() -> None:
    rule = CASES.rule("finish")
    assert rule is not None
    left = guards_left(CASES, rule, "closed", "held")

    assert [guard.test for _, guard in left] == [case_is("busy").test]
    assert left[0][0](None) is False  # type: ignore[arg-type]  # it does not even look


def test_the_certain_beginning_of_a_walk_is_taken_at_once() -> None:
    rule = Rule("r", "item", HANDS, walk=(
        Fire("unit", "begin", maybe=True), Fire("part", "take"), Do("grant_lease"),
        Fire("part", "do"),
    ))  # fmt: skip

    assert path_of(rule, "open", "waiting") == (["begin", "take"], "busy", "held", 2)
    assert path_of(rule, "busy", "waiting") == (["take"], "busy", "held", 2)


def test_a_stage_is_certain_when_the_statuses_on_the_way_settle_its_test() -> None:
    rule = Rule("r", "item", HANDS, walk=(
        Fire("part", "give_back", when=HELD),
        Fire("part", "take", when=Both((BUSY, In("part", ("waiting",))))),
        Do("grant_lease", when=OPEN),
    ))  # fmt: skip

    assert path_of(rule, "busy", "held") == (["give_back", "take"], "busy", "held", 0)


@pytest.mark.parametrize(
    "stage",
    [
        Do("grant_lease"),
        Fire("part", "take", when=MINE),
        Fire("part", "", from_arg="what"),
        Fire("part", "", maybe=True, from_arg="what"),
        Fire("current", "take"),
        Fire("part", "do"),
    ],
    ids=["a function", "a test that needs asking", "an argument", "an argument that may be wrong",
         "another part", "no edge"],
)  # fmt: skip
def test_what_is_not_certain_is_left_to_the_walk(stage: Fire | Do) -> None:
    rule = Rule("r", "item", HANDS, walk=(stage, Fire("unit", "begin")))

    assert path_of(rule, "open", "waiting") == ([], "open", "waiting", 2)


def test_an_edge_with_a_guard_or_a_remembered_target_is_not_certain() -> None:
    edges = CASES.unit.edges
    guarded = replace(edges[0], guards=(case_is("open"),))
    aimed = replace(edges[0], target="@shown")
    for edge in (guarded, aimed):
        unit = replace(CASES.unit, edges=(edge, *edges[1:]))
        rule = Rule("r", "case", HANDS, walk=(Fire("unit", "begin"),))
        flow = added(rule, unit=unit)

        path = plot(flow, flow.table, rule, "open", "")
        assert (path.moves, len(path.stages)) == ((), 1)


def test_a_path_knows_what_its_moves_end_and_which_of_them_others_follow() -> None:
    walk = (Fire("part", "do", reason="over"), Fire("unit", "drop"))
    rule = Rule("r", "item", HANDS, (item_is("held"),), walk)
    flow = added(rule)
    path = plot(flow, flow.table, rule, "busy", "held")

    assert path.clears_part == {"holder": None, "lapsed": False}
    assert path.reactions == (1,)
    assert path.shifts
    assert path.moves[0] == Move("part", "item", "do", "held", "done", Cause("event", "r"), "over")


def test_a_path_ends_no_field_that_lives_on_where_it_leads() -> None:
    (items,) = CASES.parts
    mark = Field("mark", 0, during=("waiting", "held"))
    rule = Rule("r", "item", HANDS, walk=(Fire("part", "take"),))
    flow = added(rule, parts=(replace(items, fields=(*items.fields, mark)),))

    assert plot(flow, flow.table, rule, "busy", "waiting").clears_part == {}


def test_a_walk_that_comes_back_does_not_shift_the_tally_and_still_ends_the_lease() -> None:
    rule = Rule("r", "item", HANDS, walk=(Fire("part", "give_back"), Fire("part", "take")))
    flow = added(rule)
    path = plot(flow, flow.table, rule, "busy", "held")

    assert (path.part_status, path.shifts) == ("held", False)
    assert path.clears_part == {"holder": None, "lapsed": False}


@pytest.mark.parametrize(
    ("form", "actor", "expected"),
    [
        (By(("agent",)), "agent", True),
        (By(("agent",)), "user", False),
        (Not(By(("agent",))), "agent", False),
        (Not(By(("agent",))), "user", True),
    ],
)
def test_who_sends_it_is_known_where_it_is_told(form: Form, actor: str, *, expected: bool) -> None:
    assert fold(form, "busy", "held", actor) is expected
    assert fold(form, "busy", "held") == form
