"""Trees are equal if they ask the same, and print as text that reads back equal."""

import pytest
from hypothesis import given

from interlock.kernel.expression import Expression, Grammar, Limits, parse
from interlock.kernel.expression.tree import (
    Kind,
    Literal,
    Node,
    Path,
    kind_of,
    print_literal,
    print_node,
    print_path,
)
from tests.kernel.expression.language import GRAMMAR, PATIENT, ROOTS, TREES, number, read, text


@PATIENT
@given(TREES)
def test_a_tree_printed_and_parsed_is_the_same_tree(tree: Node) -> None:
    printed = print_node(tree)
    if len(printed) > GRAMMAR.limits.characters:
        return

    assert read(printed) == Expression(tree, printed, GRAMMAR)
    assert str(read(printed)) == printed


@pytest.mark.parametrize(
    ("source", "tidy"),
    [
        ("score>3", "result.score > 3"),
        ("  ( ( plan.a [ 0 ] . b <= 1E2 ) ) ", "plan.a[0].b <= 100.0"),
        ("a in['x',null,true,-1.50]", 'result.a in ["x", null, true, -1.5]'),
        ("a in [ ]", "result.a in []"),
        ("!!exists( a )", "!!exists(result.a)"),
        ("!(a===1)", "!(result.a === 1)"),
        ("(a>1&&b>1)||c>1", "result.a > 1 && result.b > 1 || result.c > 1"),
        ("(a>1||b>1)&&c>1", "(result.a > 1 || result.b > 1) && result.c > 1"),
        ("a>1&&(b>1&&c>1)", "result.a > 1 && (result.b > 1 && result.c > 1)"),
        ("(a>1||b>1)||c>1", "(result.a > 1 || result.b > 1) || result.c > 1"),
        ("!(a>1||b>1)", "!(result.a > 1 || result.b > 1)"),
    ],
)
def test_an_expression_prints_tidily_and_keeps_its_source(source: str, tidy: str) -> None:
    expression = read(source)

    assert (str(expression), expression.source) == (tidy, source)
    assert read(str(expression)) == expression


def test_an_expression_whose_tidy_form_would_be_too_long_prints_as_it_was_written() -> None:
    narrow = Grammar(ROOTS, "result", Limits(characters=len("result.a > 1")))

    assert str(parse("a>1", narrow)) == "result.a > 1"
    assert str(parse("aa>1", narrow)) == "aa>1"


def test_equality_and_hash_are_those_of_what_is_asked_not_of_how_it_is_written() -> None:
    assert read("a === 1") == read(" ( result.a===1 ) ")
    assert hash(read("a === 1")) == hash(read("result.a===1"))
    assert read("a === 1") == read("a === 1.0")


@pytest.mark.parametrize("other", ["a === true", 'a === "1"', "a === null", "a === 2", "a !== 1"])
def test_literals_of_different_kinds_make_different_expressions(other: str) -> None:
    assert read("a === 1") != read(other)
    assert read("a in [1, 0]") != read("a in [true, false]")


@pytest.mark.parametrize(
    ("literal", "printed"),
    [
        (Literal(None, Kind.NULL), "null"),
        (Literal(value=True, kind=Kind.TRUTH), "true"),
        (Literal(value=False, kind=Kind.TRUTH), "false"),
        (number(-7), "-7"),
        (number(1e300), "1e+300"),
        (number(0.1), "0.1"),
        (text("it's"), '"it\'s"'),
        (text('\\ " \n\t\r'), r'"\\ \" \n\t\r"'),
        (text("\x00\xa0\u2028"), r'"\u0000\u00a0\u2028"'),
        (text("é\U0001f600\U000e0001"), '"é\U0001f600\\udb40\\udc01"'),
    ],
)
def test_a_literal_prints_as_the_language_writes_it(literal: Literal, printed: str) -> None:
    assert print_literal(literal) == printed


def test_a_path_prints_with_its_root() -> None:
    assert print_path(Path("plan")) == "plan"
    assert print_path(Path("result", ("a", 0, 12, "in"))) == "result.a[0][12].in"


class Whole(int):
    """A number that could bring code of its own."""


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, Kind.NUMBER),
        (1.5, Kind.NUMBER),
        ("x", Kind.TEXT),
        (True, Kind.TRUTH),
        (None, Kind.NULL),
        ({}, None),
        ([], None),
        (b"x", None),
        (1j, None),
        (Whole(1), None),
    ],
)
def test_the_kind_is_that_of_the_exact_type(value: object, kind: Kind | None) -> None:
    assert kind_of(value) is kind
