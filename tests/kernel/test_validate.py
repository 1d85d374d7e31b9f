"""Rows that do not fit together: each mistake is told, with its place and the nearest right name."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from interlock.kernel.forms import All, Any, Both, By, Count, Form, In, Is, Named, Not, Says
from interlock.kernel.machine import Edge, Status
from interlock.kernel.rules import ACTORS, AGENT, USER, Cascade, Do, Fire, Guard, Lift, Pair, Rule
from interlock.kernel.validate import mistakes, nearest
from interlock.kernel.workflow import Field, InvalidWorkflow, PartKind, Workflow
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASES, HANDS, added, rule_that

HERE = In("unit", ("busy",))
ITEM = CASES.parts[0]


def wrong(make: Callable[[], Workflow]) -> str:
    """Return what a workflow that cannot be made is told."""
    with pytest.raises(InvalidWorkflow) as caught:
        make()
    return caught.value.message


@pytest.mark.parametrize("flow", [*WORKFLOWS.values(), CASES, SHELVES], ids=lambda flow: flow.name)
def test_a_workflow_that_exists_has_no_mistakes(flow: Workflow) -> None:
    assert mistakes(flow) == ()


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (Rule("x", "itme", HANDS), "rule x: kind 'itme'; did you mean 'item'?"),
        (Rule("x", "item", frozenset()),
         "rule x: actors must be some of agent, system, user, worker"),
        (Rule("x", "item", frozenset({AGENT, "robot"})),
         "rule x: actors must be some of agent, system, user, worker"),
        (Rule("x", "item", HANDS, sees=("childs",)),
         "rule x: slice 'childs'; did you mean 'children'?"),
        (Rule("x", "item", HANDS, walk=(Do("grand_lease"),)),
         "rule x: function 'grand_lease' is not registered; did you mean 'grant_lease'?"),
        (Rule("x", "item", HANDS, walk=(Fire("part", "do", when=In("part", ("helt",))),)),
         "rule x: item has no status 'helt'; did you mean 'held'?"),
        (Rule("claim", "item", HANDS), "rule 'claim' is in the table twice"),
    ],
)  # fmt: skip
def test_mistakes_in_a_rule_are_told(rule: Rule, told: str) -> None:
    assert wrong(lambda: added(rule)) == told


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (In("unit", ("bussy",)), "rule probe: case has no status 'bussy'; did you mean 'busy'?"),
        (In("part", ("helt",)), "rule probe: item has no status 'helt'; did you mean 'held'?"),
        (In("parent", ("helt",)), "rule probe: no part has status 'helt'; did you mean 'held'?"),
        (In("current", ("xyz",)),
         "rule probe: no part has status 'xyz'; known: done, held, void, waiting"),
        (All("itme", ("held",)), "rule probe: kind 'itme'; did you mean 'item'?"),
        (Any("item", ("helt",)), "rule probe: item has no status 'helt'; did you mean 'held'?"),
        (Count("item", (), "<", "mots"),
         "rule probe: case has no field 'mots'; did you mean 'most'?"),
        (Is("unit", "mots"), "rule probe: case has no field 'mots'; did you mean 'most'?"),
        (Is("part", "holdr"), "rule probe: item has no field 'holdr'; did you mean 'holder'?"),
        (Is("current", "holdr"),
         "rule probe: current has no field 'holdr'; did you mean 'holder'?"),
        (Named("leese_is_mine"),
         "rule probe: function 'leese_is_mine' is not registered; did you mean 'lease_is_mine'?"),
        (By(("robot",)), "rule probe: actors must be some of agent, system, user, worker"),
        (Says("a =="), "rule probe: 'a ==' cannot be read: "),
        (Not(Both((HERE, Named("xyzzy")))), "rule probe: function 'xyzzy' is not registered; "),
    ],
)  # fmt: skip
def test_mistakes_in_a_form_are_told_wherever_it_is_nested(form: Form, told: str) -> None:
    assert wrong(lambda: added(rule_that(test=form))).startswith(told)


def test_a_field_of_the_event_is_whatever_a_caller_sends() -> None:
    assert added(rule_that(test=Is("event", "anything"))).rule("probe") is not None


@pytest.mark.parametrize(
    "form", [In("part", ("held",)), Is("part", "holder"), In("parent", ("held",))]
)
def test_a_rule_about_the_unit_that_asks_about_a_part_is_told(form: In | Is) -> None:
    assert wrong(lambda: added(rule_that(test=form, kind="case"))) == (
        f"rule probe: asks about the {form.who}, but it is about the case"
    )


def test_a_parent_is_asked_about_what_its_kind_has() -> None:
    told = wrong(lambda: added(rule_that(test=In("parent", ("loose",))), flow=SHELVES))

    assert told.startswith("rule probe: box has no status 'loose'; ")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ({"lifts": (Lift("l", Any("item", ("helt",)), "finish"),)},
         "lift l: item has no status 'helt'; did you mean 'held'?"),
        ({"pairs": (Pair("p", ("bussy",), HERE),)},
         "pair p: status 'bussy'; did you mean 'busy'?"),
        ({"pairs": (Pair("p", ("busy",), Named("xyzzy")),)},
         "pair p: function 'xyzzy' is not registered; "),
        ({"cascades": (Cascade("c", "kase", enters=("busy",), to="item", fire="void"),)},
         "cascade c: kind 'kase'; did you mean 'case'?"),
        ({"cascades": (Cascade("c", "case", enters=("bussy",), to="item", fire="void"),)},
         "cascade c: case has no status 'bussy'; did you mean 'busy'?"),
        ({"cascades": (Cascade("c", "item", leaves=("helt",), to="item", fire="void"),)},
         "cascade c: item has no status 'helt'; did you mean 'held'?"),
        ({"cascades": (Cascade("c", "case", enters=("busy",), to="itme", fire="void"),)},
         "cascade c: kind 'itme'; did you mean 'item'?"),
        ({"cascades": (Cascade("c", "case", enters=("busy",), fire="void"),)},
         "cascade c: fires 'void' on no kind; known: case, item"),
        ({"cascades": (Cascade("c", "case", enters=("busy",), do="lapsed_lease"),)},
         "cascade c: function 'lapsed_lease' is not registered; did you mean 'lapse_lease'?"),
        ({"cascades": (Cascade("c", "case", enters=("busy",), do="keep_lease",
                               when=Is("unit", "mots")),)},
         "cascade c: case has no field 'mots'; did you mean 'most'?"),
        ({"cascades": (Cascade("c", "case", enters=("busy",), to="item", fire="void",
                               whom="childs"),)},  # type: ignore[arg-type]  # the mistake
         "cascade c: whom 'childs'; did you mean 'children'?"),
    ],
)  # fmt: skip
def test_mistakes_in_the_interlock_are_told(rows: dict[str, object], told: str) -> None:
    assert wrong(lambda: added(**rows)).startswith(told)  # type: ignore[arg-type]  # rows by name


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        (replace(CASES.unit, initial="opn"),
         "case: initial status 'opn' is not in the table; did you mean 'open'?"),
        (replace(CASES.unit, statuses=(*CASES.unit.statuses, Status("busy"))),
         "case: status 'busy' is in the table twice"),
        (replace(CASES.unit, edges=(*CASES.unit.edges, Edge("bussy", "x", "open"))),
         "case: edge 'x' names 'bussy'; did you mean 'busy'?"),
        (replace(CASES.unit, edges=(*CASES.unit.edges, Edge("busy", "x", "opn"))),
         "case: edge 'x' names 'opn'; did you mean 'open'?"),
        (replace(CASES.unit, edges=(*CASES.unit.edges, Edge("busy", "x", "@shwon"))),
         "case: edge 'x': case has no field 'shwon'; did you mean 'shown'?"),
        (replace(CASES.unit, edges=(*CASES.unit.edges,
                                    Edge("busy", "x", "open", guards=(Guard(Named("q")),)))),
         "case: edge 'x': function 'q' is not registered; "),
    ],
)  # fmt: skip
def test_mistakes_in_a_machine_are_told(unit: object, told: str) -> None:
    assert wrong(lambda: added(unit=unit)).startswith(told)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (replace(ITEM, parent="bocks"), "item: parent 'bocks'; known: item"),
        (replace(ITEM, closed=frozenset({"don"})),
         "item: closed: item has no status 'don'; did you mean 'done'?"),
        (replace(ITEM, claim="klaim"), "item: claim 'klaim' is no event; did you mean 'claim'?"),
        (replace(ITEM, claimable=Named("q")), "item: queue: function 'q' is not registered; "),
        (replace(ITEM, verbs={"fail": "fial"}), "item: fail 'fial' is no event; "),
        (replace(ITEM, verbs={"submitt": "claim"}), "item: verb 'submitt'; did you mean 'submit'?"),
        (replace(ITEM, alone=frozenset({"lost"})), "item: alone: item has no status 'lost'; "),
        (replace(ITEM, first=Is("part", "laps")),
         "item: queue: item has no field 'laps'; did you mean 'lapsed'?"),
        (replace(ITEM, fields=(*ITEM.fields, Field("x", during=("helt",)))),
         "item: field 'x' lives in 'helt'; did you mean 'held'?"),
    ],
)  # fmt: skip
def test_mistakes_in_a_kind_of_part_are_told(kind: PartKind, told: str) -> None:
    assert wrong(lambda: added(parts=(kind,))).startswith(told)


def test_two_kinds_of_the_same_name_are_told() -> None:
    assert wrong(lambda: added(parts=(ITEM, ITEM))).startswith("kind 'item' is in the table twice")


def test_a_lift_along_a_self_loop_is_told_whether_it_lifts_the_unit_or_a_part() -> None:
    unit = replace(CASES.unit, edges=(*CASES.unit.edges, Edge("busy", "stay", "busy")))
    lift = Lift("l", HERE, "stay")
    box = replace(SHELVES.parts[0].machine,
                  edges=(*SHELVES.parts[0].machine.edges, Edge("opened", "stay", "opened")))  # fmt: skip
    parts = (replace(SHELVES.parts[0], machine=box), SHELVES.parts[1])
    above = Lift("l", Any("item", ("packed",), "children"), "stay", who="parent")

    said = "lift l: 'stay' is a self-loop and would be lifted for ever"
    assert wrong(lambda: added(unit=unit, lifts=(lift,))) == said
    assert wrong(lambda: added(flow=SHELVES, parts=parts, lifts=(above,))) == said


def test_a_self_loop_of_the_unit_is_nothing_to_a_lift_of_parts() -> None:
    unit = replace(SHELVES.unit, edges=(*SHELVES.unit.edges, Edge("used", "pack", "used")))

    assert mistakes(added(flow=SHELVES, unit=unit)) == ()


def test_a_signal_without_an_edge_is_no_mistake_because_a_row_may_be_taken_out() -> None:
    rule = Rule("x", "case", frozenset({USER}), walk=(Fire("unit", "nowhere", maybe=True),))

    assert mistakes(added(rule)) == ()


def test_all_mistakes_are_told_at_once() -> None:
    rules = (Rule("x", "itme", HANDS), Rule("y", "item", HANDS, sees=("prat",)))

    assert wrong(lambda: added(*rules)) == (
        "rule x: kind 'itme'; did you mean 'item'?; rule y: slice 'prat'; did you mean 'part'?"
    )


def test_the_nearest_name_is_named_or_else_all_of_them() -> None:
    assert nearest("bussy", frozenset({"busy", "open"})) == "did you mean 'busy'?"
    assert nearest("xyzzy", {"busy", "open"}) == "known: busy, open"


def test_what_follows_from_an_unknown_kind_is_not_told_too() -> None:
    rule = Rule("x", "itme", HANDS, (Guard(Is("part", "holder")), Guard(In("part", ("held",)))))

    assert wrong(lambda: added(rule)) == "rule x: kind 'itme'; did you mean 'item'?"


def test_a_rule_may_be_for_everyone() -> None:
    assert mistakes(added(Rule("x", "case", ACTORS))) == ()


def test_what_holds_a_unit_is_a_field_of_it() -> None:
    told = wrong(lambda: replace(WORKFLOWS["mission"], held="hold"))

    assert "mission: held has no field 'hold'" in told


def test_of_the_current_part_nobody_knows_the_kind_so_nothing_is_demanded() -> None:
    for status in ("opened", "loose"):
        asking = rule_that(test=In("current", (status,)), kind="item", sees=("part", "current"))

        assert added(asking, flow=SHELVES).rule("probe") == asking
