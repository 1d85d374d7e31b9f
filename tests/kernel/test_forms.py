"""Every form: when it holds, how it is said, how it is exported."""

from dataclasses import replace

import pytest

from interlock.kernel.draft import Draft
from interlock.kernel.forms import (
    All,
    Any,
    Both,
    By,
    Count,
    Either,
    Form,
    Free,
    In,
    Is,
    Named,
    Not,
    Op,
    Says,
    leaves,
)
from interlock.kernel.look import look
from interlock.kernel.rules import AGENT, SYSTEM, USER
from interlock.kernel.seen import SLICES, Event, PartId, SliceError
from interlock.kernel.workflow import Field, InvalidWorkflow, Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import CASES, added, case, rule_that
from tests.workflows.story import ME

YES, NO = Named("yes"), Named("no")
FUNCTIONS = {"yes": lambda _: 1, "no": lambda _: None}
EVERYTHING = tuple(SLICES)


def holds(
    form: Form, words: str, part: PartId | None = "1", args: dict[str, object] | None = None,
    most: int | None = None,
) -> bool:  # fmt: skip
    """Ask a form about a case."""
    event = Event("probe", ME, part, args or {})
    kind = "case" if part is None else "item"
    flow = added(rule_that(kind=kind, sees=EVERYTHING))
    draft = Draft(flow, look(flow, case(words, most=most), event), event, 0)
    return form.compile({**flow.functions, **FUNCTIONS})(draft)


def holds_of_shelf(
    form: Form, words: str, part: str | None, current: str | None = None, of: Workflow = SHELVES
) -> bool:
    """Ask a form about a shelf."""
    kind = "shelf" if part is None else "item" if part[1:] else "box"
    flow = added(rule_that(kind=kind, sees=EVERYTHING), flow=of)
    event = Event("probe", ME, part)
    draft = Draft(flow, look(flow, shelf(words, current, flow), event), event, 0)
    return form.compile(flow.functions)(draft)


def test_in_asks_where_the_unit_or_the_part_stands() -> None:
    assert holds(In("unit", ("open", "busy")), "busy: held")
    assert not holds(In("unit", ("open",)), "busy: held")
    assert holds(In("part", ("held",)), "busy: held")
    assert not holds(In("part", ("waiting",)), "busy: held")


def test_in_asks_where_the_parent_or_the_current_part_stands() -> None:
    assert holds_of_shelf(In("parent", ("opened",)), "used: opened(loose)", "a1")
    assert not holds_of_shelf(In("parent", ("shut",)), "used: opened(loose)", "a1")
    assert holds_of_shelf(In("current", ("shut",)), "used: opened() shut()", None, "b")


def test_a_thing_that_is_not_there_stands_nowhere() -> None:
    assert not holds_of_shelf(In("parent", ("opened",)), "used: opened()", "a")
    assert not holds_of_shelf(In("current", ("opened",)), "used: opened()", None)
    assert not holds_of_shelf(Is("current", "size"), "used: opened()", None)


def test_in_asked_of_a_part_by_a_rule_about_the_unit_is_a_mistake() -> None:
    with pytest.raises(SliceError):
        holds(In("part", ("held",)), "busy: held", None)


@pytest.mark.parametrize(
    ("words", "every", "some"),
    [
        ("busy: done void", True, True),
        ("busy: done held", False, True),
        ("busy: held held", False, False),
        ("busy:", False, False),
    ],
)
def test_all_and_any_ask_the_tally_and_no_parts_are_not_all_of_them(
    words: str, *, every: bool, some: bool
) -> None:
    assert holds(All("item", ("done", "void")), words, None) is every
    assert holds(Any("item", ("done", "void")), words, None) is some


def test_all_any_and_count_can_ask_a_family_only() -> None:
    words = "used: opened(packed) opened(loose)"

    assert holds_of_shelf(All("item", ("packed",), "children"), words, "a")
    assert not holds_of_shelf(All("item", ("packed",)), words, "a")
    assert not holds_of_shelf(Any("item", ("loose",), "children"), words, "a1")
    assert holds_of_shelf(Any("item", ("loose",), "children"), words, "b1")
    assert holds_of_shelf(Count("item", (), "==", 1, "children"), words, "b")
    most = added(fields=(*SHELVES.fields, Field("most", 1)), flow=SHELVES)
    assert holds_of_shelf(Count("item", (), "<=", "most", "children"), words, "b", of=most)


@pytest.mark.parametrize(
    ("op", "true_of"),
    [("<", (0, 1)), ("<=", (0, 1, 2)), ("==", (2,)), (">=", (2, 3)), (">", (3,))],
)
def test_count_compares_a_number_of_parts(op: Op, true_of: tuple[int, ...]) -> None:
    found = tuple(
        number
        for number in range(4)
        if holds(Count("item", ("held",), op, 2), f"busy: {'held ' * number}done", None)
    )

    assert found == true_of


def test_count_without_statuses_counts_all_of_the_kind() -> None:
    assert holds(Count("item", (), "==", 3), "busy: held done waiting", None)


def test_count_against_a_field_is_unlimited_where_the_field_is_empty() -> None:
    form = Count("item", ("held",), "<", "most")

    assert holds(form, "busy: held", None, most=2)
    assert not holds(form, "busy: held", None, most=1)
    assert holds(form, "busy: held", None, most=None)


def test_is_asks_a_field_of_the_unit_the_part_or_the_event() -> None:
    assert holds(Is("unit", "most", (1, 2)), "busy: held", most=2)
    assert not holds(Is("unit", "most", (1, 2)), "busy: held", most=3)
    assert holds(Is("part", "lapsed"), "busy: held!")
    assert not holds(Is("part", "lapsed"), "busy: held*")
    assert holds(Is("event", "why", ("x",)), "busy: held", args={"why": "x"})
    assert holds(Is("event", "why", (None, "")), "busy: held")


def test_is_asks_a_field_of_the_parent_or_the_current_part() -> None:
    assert not holds_of_shelf(Is("parent", "size"), "used: opened()", "a")


def test_by_asks_who_sent_the_event() -> None:
    assert holds(By((AGENT, USER)), "busy: held")
    assert not holds(By((SYSTEM,)), "busy: held")


def test_free_asks_whether_the_part_waits_for_another() -> None:
    assert not holds(Free(), "busy: held waiting<", "2")
    assert holds(Free(), "busy: done waiting<", "2")


def test_not_both_and_either_combine() -> None:
    assert holds(Not(NO), "busy: held")
    assert not holds(Not(YES), "busy: held")
    assert [holds(Both(pair), "busy: held") for pair in ((YES, YES), (YES, NO))] == [True, False]
    assert [holds(Either(pair), "busy: held") for pair in ((NO, YES), (NO, NO))] == [True, False]


def test_named_asks_a_registered_function_and_takes_its_answer_for_yes_or_no() -> None:
    assert holds(YES, "busy: held")
    assert not holds(NO, "busy: held")


def test_says_asks_an_expression_over_unit_part_and_event() -> None:
    assert holds(Says("unit.most === 3 && part.status === 'held'"), "busy: held", most=3)
    assert holds(Says("why === 'x'"), "busy: held", args={"why": "x"})
    assert holds(Says("event.why === 'x'"), "busy: held", args={"why": "x"})
    assert not holds(Says("part.status === 'held'"), "busy: held", None)


def test_an_expression_that_cannot_be_read_is_told_when_the_workflow_is_made() -> None:
    with pytest.raises(InvalidWorkflow, match="cannot be read"):
        added(rule_that(test=Says("unit.most ===")))


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (In("part", ("held", "done")), "the part is held or done"),
        (All("item", ("done",)), "every item is done"),
        (All("item", ("done",), "children"), "every item under it is done"),
        (Any("item", ("done", "void")), "some item is done or void"),
        (Count("item", ("held",), "<", "most"), "the number of item parts held is < most"),
        (Count("item", (), ">", 1, "children"), "the number of item parts under it is > 1"),
        (Is("unit", "held"), "unit.held"),
        (Is("unit", "policy", ("human", "relay")), "unit.policy is human or relay"),
        (By((AGENT, USER)), "sent by agent or user"),
        (Free(), "nothing the part needs is open"),
        (Not(Free()), "it is not so that nothing the part needs is open"),
        (Both((Free(), By((USER,)))), "nothing the part needs is open and sent by user"),
        (Either((Free(), By((USER,)))), "nothing the part needs is open, or sent by user"),
        (Named("lease_is_mine"), "lease is mine"),
        (Says("a === 1"), "a === 1"),
    ],
)  # fmt: skip
def test_every_form_can_say_itself(form: Form, words: str) -> None:
    assert form.words() == words


@pytest.mark.parametrize(
    ("form", "data"),
    [
        (In("part", ("held",)), {"in": {"who": "part", "statuses": ["held"]}}),
        (All("item", ("done",)), {"all": {"kind": "item", "statuses": ["done"]}}),
        (Any("item", ("done",), "children"),
         {"any": {"kind": "item", "statuses": ["done"], "of": "children"}}),
        (Count("item", (), ">", 1),
         {"count": {"kind": "item", "statuses": [], "op": ">", "than": 1, "of": "unit"}}),
        (Is("unit", "held"), {"is": {"who": "unit", "field": "held", "values": [True]}}),
        (By((USER,)), {"by": ["user"]}),
        (Not(Free()), {"not": {"free": True}}),
        (Both((Free(), Free())), {"both": [{"free": True}, {"free": True}]}),
        (Either((Free(),)), {"either": [{"free": True}]}),
        (Named("x"), {"named": "x"}),
        (Says("a === 1"), {"says": "a === 1"}),
    ],
)  # fmt: skip
def test_every_form_can_be_exported(form: Form, data: dict[str, object]) -> None:
    assert form.data() == data


def test_leaves_are_the_forms_that_are_made_of_no_others() -> None:
    form = Either((Both((Free(), Not(YES))), Not(Not(NO))))

    assert list(leaves(form)) == [Free(), YES, NO]


def test_a_form_of_its_own_must_be_able_to_do_all_three() -> None:
    class Empty(Form):
        pass

    for promise in (lambda: Empty().compile({}), Empty().words, Empty().data):
        with pytest.raises(NotImplementedError):
            promise()


@pytest.mark.parametrize("flow", [CASES, SHELVES], ids=["cases", "shelves"])
def test_forms_are_values(flow: Workflow) -> None:
    for rule in flow.rules:
        for guard in rule.guards:
            assert guard == replace(guard)
            assert hash(guard.test) == hash(replace(guard).test)


@pytest.mark.parametrize(("size", "expected"), [(1, True), (2, False)])
def test_a_field_of_the_parent_is_asked_like_any_other(size: int, *, expected: bool) -> None:
    flow = added(rule_that(sees=("part", "parent")), flow=SHELVES)
    snapshot = shelf("used: opened(loose)")
    box = replace(snapshot.parts[0], fields={"size": 1})
    event = Event("probe", ME, "a1")
    seen = look(flow, replace(snapshot, parts=(box, snapshot.parts[1])), event)

    assert Is("parent", "size", (size,)).compile({})(Draft(flow, seen, event, 0)) is expected
