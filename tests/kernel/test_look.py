"""Each slice shows what its name says, and nothing else is shown."""

from dataclasses import replace

import pytest

from interlock.kernel.look import current, family, family_head, look, next_part, standing
from interlock.kernel.seen import (
    SLICES,
    UNSEEN,
    Event,
    Part,
    PartId,
    Seen,
    Target,
    Unseen,
)
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.kernel.workflow import Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import CASES, YES, added, case, rule_that
from tests.workflows.story import ME

NAMED = ("parent", "current", "children", "dependents", "conditions", "gate")


def showing(*names: str, kind: str = "item", flow: Workflow = CASES) -> Workflow:
    """Return a workflow with a rule that sees these slices."""
    return added(rule_that(kind=kind, sees=names), flow=flow)


def seen_by(
    snapshot: Snapshot, *names: str, part: PartId | None = "1", kind: str = "item",
    flow: Workflow = CASES,
) -> Seen:  # fmt: skip
    """Return what a rule that names these slices is shown."""
    return look(showing(*names, kind=kind, flow=flow), snapshot, Event("probe", ME, part))


def test_every_rule_is_shown_the_unit_and_its_tally() -> None:
    snapshot = case("busy: held* waiting waiting")
    seen = seen_by(snapshot, part=None, kind="case")

    assert seen.unit is snapshot.unit
    assert seen.tally == {"item": {"held": 1, "waiting": 2}}
    assert seen.part is UNSEEN


def test_an_event_about_a_part_is_shown_the_part_and_how_much_it_waits_for() -> None:
    snapshot = case("busy: held* waiting<")
    seen = seen_by(snapshot, "part", part="2")

    assert seen.part is snapshot.parts[1]
    assert seen.waits == 1


@pytest.mark.parametrize("name", NAMED)
def test_a_slice_that_is_not_named_is_not_shown(name: str) -> None:
    others = [other for other in SLICES if other != name]
    seen = seen_by(shelf("used: opened(loose)", "a"), *others, part="a1", flow=SHELVES)

    assert getattr(seen, name) is UNSEEN


@pytest.mark.parametrize("name", NAMED)
def test_a_slice_that_is_named_is_shown(name: str) -> None:
    seen = seen_by(shelf("used: opened(loose)", "a"), name, part="a1", flow=SHELVES)

    assert not isinstance(getattr(seen, name), Unseen)


def test_the_parent_is_the_part_above() -> None:
    snapshot = shelf("used: opened(loose) shut()", "b")

    assert seen_by(snapshot, "parent", part="a1", flow=SHELVES).parent is snapshot.parts[0]
    assert seen_by(snapshot, "parent", part="a", kind="box", flow=SHELVES).parent is None


def test_the_current_part_is_the_one_the_unit_points_at() -> None:
    snapshot = shelf("used: opened() shut()", "b")

    assert (
        seen_by(snapshot, "current", part="a", kind="box", flow=SHELVES).current
        is (snapshot.parts[1])
    )
    assert current(shelf("used: opened()")) is None


@pytest.mark.parametrize(
    ("part", "pointer", "counted"),
    [
        ("a", None, {"item": {"loose": 1, "packed": 1}}),
        ("a2", None, {"item": {"loose": 1, "packed": 1}}),
        ("b", "a", {"item": {"lost": 1}}),
        (None, "b", {"item": {"lost": 1}}),
        (None, None, {}),
    ],
    ids=["under the part", "beside it", "not under the current one", "under the current one",
         "under nobody"],
)  # fmt: skip
def test_children_are_the_family_of_the_part_or_else_of_the_current_one(
    part: str | None, pointer: str | None, counted: dict[str, dict[str, int]]
) -> None:
    snapshot = shelf("used: opened(loose packed) shut(lost)", pointer)

    assert family(SHELVES, snapshot, part) == counted


def test_a_part_that_could_have_a_parent_and_has_none_heads_its_own_family() -> None:
    snapshot = shelf("used: opened(loose)")
    alone = replace(snapshot, parts=(snapshot.parts[0], replace(snapshot.parts[1], parent=None)))

    assert family_head(SHELVES, snapshot, "a1") == "a"
    assert family_head(SHELVES, alone, "a1") == "a1"


def test_dependents_are_those_that_need_the_part() -> None:
    seen = seen_by(case("busy: held* waiting< waiting"), "dependents")

    assert seen.dependents == {"item": {"waiting": 1}}


def test_conditions_show_where_their_target_stands_and_what_lies_between() -> None:
    snapshot = case("busy: held* done waiting waiting waiting").with_conditions(
        {"1": (Condition(YES, "stop"), Condition(YES, "jump", {"far": 1}, "5"))}
    )
    conditions = seen_by(snapshot, "conditions").conditions
    assert not isinstance(conditions, Unseen)
    plain, aimed = conditions

    assert (plain.action, plain.target) == ("stop", None)
    assert (aimed.action, dict(aimed.params)) == ("jump", {"far": 1})
    assert aimed.target == Target("5", "waiting", is_later=True, between={"done": 1, "waiting": 2})


def test_what_lies_between_is_counted_of_the_same_kind_only() -> None:
    snapshot = shelf("used: opened(loose) shut(loose) shut()").with_conditions(
        {"a": (Condition(YES, "jump", target="c"),)}
    )
    conditions = seen_by(snapshot, "conditions", part="a", kind="box", flow=SHELVES).conditions
    assert not isinstance(conditions, Unseen)

    assert conditions[0].target == Target("c", "shut", is_later=True, between={"shut": 1})
    assert conditions[0].expression == YES


def test_a_target_that_stands_earlier_is_not_later_and_has_nothing_between() -> None:
    snapshot = case("busy: done done held*").with_conditions(
        {"3": (Condition(YES, "jump", target="1"),)}
    )
    conditions = seen_by(snapshot, "conditions", part="3").conditions
    assert not isinstance(conditions, Unseen)

    assert conditions[0].target == Target("1", "done", is_later=False, between={})


def test_a_part_is_not_later_than_itself() -> None:
    snapshot = case("busy: held*").with_conditions({"1": (Condition(YES, "jump", target="1"),)})
    conditions = seen_by(snapshot, "conditions").conditions
    assert not isinstance(conditions, Unseen)

    assert conditions[0].target == Target("1", "held", is_later=False, between={})


def test_a_branch_without_a_target_is_what_hangs_on_the_part() -> None:
    snapshot = case("busy: held*").with_conditions({"1": (Condition(YES, "stop", {"a": 1}),)})
    conditions = seen_by(snapshot, "conditions").conditions
    assert not isinstance(conditions, Unseen)

    (branch,) = conditions
    assert (branch.expression, branch.action, branch.params) == (YES, "stop", {"a": 1})
    assert branch.target is None


def test_a_part_without_branches_has_no_conditions() -> None:
    assert seen_by(case("busy: held*"), "conditions").conditions == ()


def test_where_nothing_can_be_shown_the_gate_is_empty() -> None:
    assert seen_by(shelf("used: opened(loose)"), "gate", part="a1", flow=SHELVES).gate == ""


def test_the_gate_is_what_was_shown_of_the_unit_where_the_event_is_about_it() -> None:
    assert seen_by(case("asked: held*", shown="d1"), "gate", part=None, kind="case").gate == "d1"


def test_the_gate_is_what_was_shown_of_the_part_where_the_event_is_about_one() -> None:
    kind = replace(CASES.parts[0], fields=(*CASES.parts[0].fields, CASES.fields[0]))
    flow = replace(CASES, parts=(kind,))
    snapshot = case("asked: held*", flow, shown="d1")
    part = replace(snapshot.parts[0], fields={**snapshot.parts[0].fields, "shown": "d2"})

    assert seen_by(replace(snapshot, parts=(part,)), "gate", flow=flow).gate == "d2"


def test_parts_that_were_counted_before_are_not_counted_again() -> None:
    counted = {"item": {"held": 1}}

    assert look(CASES, case("busy: held*"), Event("finish", ME, "1"), counted).tally is counted


def test_an_event_nobody_knows_is_shown_the_least() -> None:
    seen = look(CASES, case("busy: held*"), Event("xyzzy", ME, "1"))

    assert isinstance(seen.part, Part)
    assert all(getattr(seen, name) is UNSEEN for name in NAMED)


def test_a_part_nobody_knows_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="9"):
        look(CASES, case("busy: held*"), Event("finish", ME, "9"))


@pytest.mark.parametrize(
    ("words", "handed_out"),
    [
        ("busy: held* waiting waiting", "2"),
        ("busy: done waiting", "2"),
        ("busy: waiting held!", "2"),
        ("busy: held* waiting<", None),
        ("busy: done waiting<", "2"),
        ("busy: held*", None),
    ],
    ids=["the first in order", "what can be claimed", "what goes first", "not what waits",
         "what waits no longer", "nothing"],
)  # fmt: skip
def test_a_queue_hands_out_the_first_part_that_can_be_claimed(
    words: str, handed_out: str | None
) -> None:
    assert next_part(CASES, case(words), CASES.kind("item")) == handed_out


def test_a_kind_without_a_queue_hands_out_nothing() -> None:
    assert next_part(SHELVES, shelf("made: shut()"), SHELVES.kind("box")) is None


def test_a_unit_as_it_stands_is_asked_about_without_anything_being_sent() -> None:
    snapshot = shelf("used: opened(loose packed) shut(loose)", current="a")

    sheet = standing(SHELVES, snapshot)

    assert (sheet.event.name, sheet.event.actor.kind, sheet.event.part) == ("", "system", None)
    assert (sheet.now, sheet.seen.unit) == (0, snapshot.unit)
    assert sheet.seen.current == current(snapshot) == snapshot.parts[0]
    assert sheet.seen.children == family(SHELVES, snapshot, None)
    assert sheet.entries == []
