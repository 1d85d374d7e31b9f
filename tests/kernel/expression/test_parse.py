"""What is an expression and what is not: precedence, paths, limits, and where a fault is told."""

import pytest

from interlock.kernel.expression import Grammar, InvalidExpression, Limits, parse
from interlock.kernel.expression.tree import (
    AllOf,
    AnyOf,
    Comparison,
    Exists,
    Membership,
    Negation,
    Node,
    Operator,
    Path,
)
from tests.kernel.expression.language import ROOTS, number, read, text

A = Comparison(Path("result", ("a",)), Operator.EQUAL, number(1))
B = Exists(Path("result", ("b",)))
C = Membership(Path("result", ("c",)), (number(1), text("x")))


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("a === 1", A),
        ("exists(b)", B),
        ("c in [1, 'x']", C),
        ("c in []", Membership(C.path, ())),
        ("((a === 1))", A),
        ("!exists(b)", Negation(B)),
        ("!(a === 1)", Negation(A)),
        ("!!(a === 1)", Negation(Negation(A))),
        ("a === 1 && exists(b) && c in [1, 'x']", AllOf((A, B, C))),
        ("a === 1 || exists(b) || c in [1, 'x']", AnyOf((A, B, C))),
        ("a === 1 || exists(b) && c in [1, 'x']", AnyOf((A, AllOf((B, C))))),
        ("a === 1 && exists(b) || c in [1, 'x']", AnyOf((AllOf((A, B)), C))),
        ("(a === 1 || exists(b)) && c in [1, 'x']", AllOf((AnyOf((A, B)), C))),
        ("!exists(b) && a === 1", AllOf((Negation(B), A))),
        ("!(exists(b) && a === 1)", Negation(AllOf((B, A)))),
    ],
)
def test_not_binds_tighter_than_and_which_binds_tighter_than_or(source: str, tree: Node) -> None:
    assert read(source).root == tree


@pytest.mark.parametrize("operator", list(Operator))
def test_every_operator_is_read(operator: Operator) -> None:
    assert read(f"a {operator.value} 1").root == Comparison(A.path, operator, number(1))


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("confidence", Path("confidence")),
        ("step.status", Path("step", ("status",))),
        ("score", Path("result", ("score",))),
        ("result.score", Path("result", ("score",))),
        ("result.result", Path("result", ("result",))),
        ("items[0][12].name", Path("result", ("items", 0, 12, "name"))),
        ("result[3]", Path("result", (3,))),
        ("result.in.exists.true.null", Path("result", ("in", "exists", "true", "null"))),
        ("__class__.__init__", Path("result", ("__class__", "__init__"))),
        ("existsx", Path("result", ("existsx",))),
        ("inside", Path("result", ("inside",))),
    ],
)
def test_a_path_begins_at_a_root_or_else_in_the_default_root(source: str, path: Path) -> None:
    assert read(f"exists({source})").root == Exists(path)


def test_the_roots_are_those_of_the_grammar_and_no_others() -> None:
    grammar = Grammar(frozenset({"fields"}), default_root="fields")

    assert parse("exists(plan)", grammar).root == Exists(Path("fields", ("plan",)))


@pytest.mark.parametrize(
    ("source", "position", "expected", "found"),
    [
        ("", 0, "a path", "the end of the expression"),
        ("()", 1, "a path", "`)`"),
        ("a === 1 &&", 10, "a path", "the end of the expression"),
        ("|| a === 1", 0, "a path", "`||`"),
        ("true", 0, "a path", "`true`"),
        ("in in [1]", 0, "a path", "`in`"),
        ("exists(1)", 7, "a path", "`1`"),
        ("exists()", 7, "a path", "`)`"),
        ("exists(exists(a))", 7, "a path", "`exists`"),
        ("a", 1, "an operator (=== !== >= <= > < in)", "the end of the expression"),
        ("a 1", 2, "an operator (=== !== >= <= > < in)", "`1`"),
        ("a '==='", 2, "an operator (=== !== >= <= > < in)", "`'==='`"),
        ("a-b > 1", 2, "a digit", "`b`"),
        ("a ===", 5, "a literal", "the end of the expression"),
        ("a === b", 6, "a literal", "`b`"),
        ("a === (1)", 6, "a literal", "`(`"),
        ("a in [1,]", 8, "a literal", "`]`"),
        ("a in [b]", 6, "a literal", "`b`"),
        ("a in [[1]]", 6, "a literal", "`[`"),
        ("a in 1", 5, "`[`", "`1`"),
        ("a in [1 2]", 8, "`]`", "`2`"),
        ("a in [1", 7, "`]`", "the end of the expression"),
        ("exists a", 7, "`(`", "`a`"),
        ("exists(a", 8, "`)`", "the end of the expression"),
        ("exists(a === 1)", 9, "`)`", "`===`"),
        ("a. === 1", 3, "a name after `.`", "`===`"),
        ("a.0 === 1", 2, "a name after `.`", "`0`"),
        ("a[-1] === 1", 2, "a whole number from 0 up", "`-1`"),
        ("a[-0] === 1", 2, "a whole number from 0 up", "`-0`"),
        ("a[1.0] === 1", 2, "a whole number from 0 up", "`1.0`"),
        ("a['x'] === 1", 2, "a whole number from 0 up", "`'x'`"),
        ("a[] === 1", 2, "a whole number from 0 up", "`]`"),
        ("a[0 === 1", 4, "`]`", "`===`"),
        ("(a === 1", 8, "&&, || or `)`", "the end of the expression"),
        ("(a === 1]", 8, "&&, || or `)`", "`]`"),
        ("a === 1)", 7, "&&, || or the end of the expression", "`)`"),
        ("a === 1 === 2", 8, "&&, || or the end of the expression", "`===`"),
        ("exists(a) === true", 10, "&&, || or the end of the expression", "`===`"),
        ("! a === 1", 2, "`(`, `exists` or `!` after `!`", "`a`"),
        ("!!", 2, "`(`, `exists` or `!` after `!`", "the end of the expression"),
        ("a === 'x", 6, "a closing '", "the end of the expression"),
        ("a b == 1", 2, "an operator (=== !== >= <= > < in)", "`b`"),
    ],
)
def test_the_first_fault_is_told_with_its_place_and_what_was_expected(
    source: str, position: int, expected: str, found: str
) -> None:
    with pytest.raises(InvalidExpression) as refused:
        read(source)

    error = refused.value
    assert (error.position, error.expected, error.found) == (position, expected, found)
    assert error.fix


def refused_for_size(source: str, **limits: int) -> tuple[str, int]:
    with pytest.raises(InvalidExpression) as refused:
        parse(source, Grammar(ROOTS, "result", Limits(**limits)))
    assert refused.value.fix
    return refused.value.message, refused.value.position


def test_two_thousand_characters_are_read_and_one_more_is_refused() -> None:
    source = "a > 1" + " " * 1_995

    assert read(source).root == read("a > 1").root
    assert refused_for_size(source + " ") == (
        "the expression has 2,001 characters; 2,000 are allowed",
        2_000,
    )


@pytest.mark.parametrize("opening", ["(", "!", "!("])
def test_thirty_two_levels_are_read_and_one_more_is_refused(opening: str) -> None:
    def nested(levels: int) -> str:
        openings = (opening * levels)[:levels]
        return openings + "exists(a)" + ")" * openings.count("(")

    read(nested(32))
    assert refused_for_size(nested(33)) == (
        "the expression is nested deeper than 32 levels of ( and !",
        32,
    )


def test_levels_side_by_side_are_not_deep() -> None:
    root = read(" || ".join(["!(!(a > 1))"] * 100)).root

    assert isinstance(root, AnyOf)
    assert len(root.terms) == 100


def test_every_part_of_an_expression_counts_as_a_node() -> None:
    # Chain, negation; exists, its path and name; comparison, path, name, index and literal;
    # membership, path, name and two literals.
    source = "!exists(a) && b[0] === 1 && c in [1, 2]"

    parse(source, Grammar(ROOTS, "result", Limits(nodes=15)))
    message, _ = refused_for_size(source, nodes=14)
    assert message == "the expression has more than 14 nodes"


def test_no_text_of_two_thousand_characters_reaches_the_limit_of_nodes() -> None:
    for source in ("a in [" + "1," * 996 + "1]", "a" + ".a" * 996 + " > 1"):
        assert read(source).source == source
