"""What expressions mean: strict kinds, missing paths, and no code of any value ever run."""

import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.expression import Expression, evaluate
from interlock.kernel.expression.tree import Node, Operator
from tests.kernel.expression.language import GRAMMAR, PATIENT, TREES, read
from tests.kernel.expression.traps import ODD, TrapDict

HUGE = 10**5_000


def holds(source: str, **result: object) -> bool:
    return evaluate(read(source), {"result": result})


@pytest.mark.parametrize(
    ("source", "scope", "answer"),
    [
        ("confidence >= 0.8", {"confidence": 0.8}, True),
        ("confidence >= 0.8", {"confidence": 0.79}, False),
        ('quality === "low" && sources < 3', {"result": {"quality": "low", "sources": 2}}, True),
        ('quality === "low" && sources < 3', {"result": {"quality": "low", "sources": 3}}, False),
        ('decision in ["reject", "modify"]', {"decision": "modify"}, True),
        (
            '!(step.type === "search") || plan.depth > 2',
            {"step": {"type": "search"}, "plan": {"depth": 3}},
            True,
        ),
        ("hits[1].score > 0.5", {"result": {"hits": [{"score": 0.1}, {"score": 0.9}]}}, True),
        ("result.hits[0].score > 0.5", {"result": {"hits": [{"score": 0.1}]}}, False),
        ("result === null", {"result": None}, True),
    ],
)
def test_conditions_of_a_research_plan_read_as_they_sound(
    source: str, scope: dict[str, object], *, answer: bool
) -> None:
    assert evaluate(read(source), scope) is answer


# Each value under the key of what it is; two are the same only if their keys are.
VALUES: list[tuple[tuple[str, object], object, str]] = [
    (("number", 0), 0, "0"),
    (("number", 0), 0.0, "-0.0"),
    (("number", 1), 1, "1"),
    (("number", 1), 1.0, "1.0"),
    (("number", 2.5), 2.5, "25e-1"),
    (("text", ""), "", "''"),
    (("text", "1"), "1", "'1'"),
    (("text", "true"), "true", "'true'"),
    (("text", "null"), "null", "'null'"),
    (("truth", True), True, "true"),
    (("truth", False), False, "false"),
    (("null", None), None, "null"),
]


@pytest.mark.parametrize(("value_key", "value", "_written"), VALUES)
@pytest.mark.parametrize(("literal_key", "_value", "literal"), VALUES)
def test_values_are_the_same_only_within_a_kind_and_nothing_is_coerced(
    value_key: object,
    value: object,
    _written: str,
    literal_key: object,
    _value: object,
    literal: str,
) -> None:
    is_same = value_key == literal_key

    assert holds(f"a === {literal}", a=value) is is_same
    assert holds(f"a !== {literal}", a=value) is not is_same
    assert holds(f"a in [{literal}]", a=value) is is_same
    assert holds(f"a in ['other', {literal}]", a=value) is is_same


@pytest.mark.parametrize(
    ("sign", "below", "same", "above"),
    [
        (">", False, False, True),
        (">=", False, True, True),
        ("<", True, False, False),
        ("<=", True, True, False),
    ],
)
def test_numbers_are_ordered(sign: str, *, below: bool, same: bool, above: bool) -> None:
    for values, answer in (((1, 1.9, -5), below), ((2, 2.0), same), ((2.1, 3, 1e300), above)):
        for value in values:
            assert holds(f"a {sign} 2", a=value) is answer


@pytest.mark.parametrize("sign", [">", ">=", "<", "<="])
def test_order_is_false_unless_both_sides_are_numbers(sign: str) -> None:
    for value in ("5", True, False, None, [5], {"a": 5}, math.nan):
        assert not holds(f"a {sign} 1", a=value)
    for literal in ("'1'", "true", "null"):
        assert not holds(f"a {sign} {literal}", a=1)
        assert not holds(f"a {sign} {literal}", a="1")


@pytest.mark.parametrize(
    "path",
    [
        "missing",
        "a.missing",
        "a.b.c",
        "a[0]",
        "list[2]",
        "list[99999999999999999999]",
        "list.length",
        "text[0]",
        "text.length",
        "nothing.a",
        "number.real",
        "step.status",
        "decision",
    ],
)
def test_a_missing_path_makes_every_comparison_false_but_not_equal(path: str) -> None:
    result = {"a": {"b": 1}, "list": [1, 2], "text": "abc", "nothing": None, "number": 5}

    for operator in Operator:
        for literal in ("1", "'abc'", "true", "null"):
            expected = operator is Operator.DIFFERENT
            assert holds(f"{path} {operator.value} {literal}", **result) is expected
    assert not holds(f"{path} in [1, null, 'abc', true]", **result)
    assert not holds(f"exists({path})", **result)


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}, object()])
def test_whatever_a_path_resolves_to_exists_also_null(value: object) -> None:
    assert holds("exists(a)", a=value)
    assert holds("exists(a[0])", a=[value])


def test_nothing_is_in_an_empty_list() -> None:
    assert not holds("a in []", a=None)


def test_and_or_and_not_combine_as_in_logic() -> None:
    for a in (0, 1):
        for b in (0, 1):
            assert holds("a === 1 && b === 1", a=a, b=b) is (a == 1 and b == 1)
            assert holds("a === 1 || b === 1", a=a, b=b) is (a == 1 or b == 1)
            assert holds("!(a === 1 || !(b === 1))", a=a, b=b) is (a != 1 and b == 1)


def test_huge_whole_numbers_compare_exactly_and_do_not_overflow() -> None:
    assert holds("a > 1.5", a=HUGE)
    assert holds("a < -1e308", a=-HUGE)
    assert not holds("a === 1e308", a=HUGE)
    assert holds("a !== 0.5", a=HUGE)
    assert not holds("a === 9007199254740993", a=9007199254740992.0)
    assert holds("a > 1e308 && a !== 1", a=math.inf)


@pytest.mark.parametrize("name", sorted(ODD))
def test_a_value_json_could_not_hold_exists_equals_nothing_and_runs_no_code(name: str) -> None:
    odd = ODD[name]
    for sign in ("===", ">", ">=", "<", "<="):
        for literal in ("1", "'yes'", "true", "null"):
            assert not holds(f"odd {sign} {literal}", odd=odd)
    assert holds("odd !== 'yes' && exists(odd)", odd=odd)
    assert not holds("odd in ['yes', 1, null]", odd=odd)
    assert not holds("exists(odd.a) || exists(odd[0])", odd=odd)


def test_a_scope_that_is_no_plain_dict_holds_nothing() -> None:
    assert not evaluate(read("exists(confidence)"), TrapDict(confidence=1))
    assert not evaluate(read("exists(confidence)"), MappingProxyType({"confidence": 1}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["score", "state", "in"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@PATIENT
@given(TREES, st.dictionaries(st.sampled_from(["result", "plan", "confidence"]), JSON))
def test_every_tree_has_an_answer_in_every_scope(tree: Node, scope: dict[str, object]) -> None:
    answer = evaluate(Expression(tree, "", GRAMMAR), scope)

    assert answer is True or answer is False
