"""The error carries where, what was expected, what was found and what to do."""

import pytest

from interlock.errors import InterlockError
from interlock.kernel.expression import Grammar, InvalidExpression, parse
from interlock.kernel.expression.grammar import Limits
from interlock.kernel.expression.invalid import shown, unexpected
from tests.kernel.expression.language import GRAMMAR, read

END = "the end of the expression"
ESCAPES = r"the escapes are \\ \" \' \n \t \r and \uXXXX"
HALVES = r"write both halves, as in \ud83d\ude00, or the character itself"
NUMBERS = "write numbers as in JSON: 12, -3.5, 0.5, 1e6"
MINUS = "- only begins a number, as in -3.5; a name has letters, digits and _"
LISTED = "separate literals with commas and close the list with ]"
INSIDE = "write exists(path), with nothing but a path inside"
INDEX = "write an index as [0], [1], ...; write a name after a dot: result.name"
FIRST = "write the path first, then the literal: score > 3"
SHALLOW = "remove parentheses, or use several conditions"


def test_the_error_says_where_what_and_how_to_mend_it() -> None:
    error = unexpected(4, expected="a path", found="`)`", fix="write a path")

    assert isinstance(error, InterlockError)
    assert (error.code, error.http, error.retryable) == ("INVALID_EXPRESSION", 422, False)
    assert error.message == str(error) == "expected a path at position 4, found `)`"
    assert (error.position, error.expected, error.found) == (4, "a path", "`)`")
    assert error.fix == "write a path"


def test_an_error_without_a_fix_of_its_own_says_what_to_write() -> None:
    error = InvalidExpression("no", position=7, expected="`)`", found="`]`")

    assert error.fix == "write `)` at position 7"


def test_found_text_is_shown_short_and_printable() -> None:
    assert shown("") == "the end of the expression"
    assert shown("==") == "`==`"
    assert shown("\x00") == "the character U+0000"
    assert shown("\ud800") == "the character U+D800"
    assert shown("a\nb\ud800") == "`a\\u000ab\\ud800`"
    assert shown("x" * 24) == f"`{'x' * 24}`"
    assert shown("x" * 25) == f"`{'x' * 21}...`"


@pytest.mark.parametrize(
    ("wrong", "position", "expected", "found", "fix"),
    [
        (r'a === "\q"', 8, "an escape", "`q`", ESCAPES),
        ('a === "\\', 8, "an escape", END, ESCAPES),
        (r'a === "\u12g4"', 11, "a hexadecimal digit", "`g`", ESCAPES),
        ('a === "x\ny"', 8, "a printable character or an escape", "the character U+000A", ESCAPES),
        (r'a === "\ud83d"', 7, "a character", "half of a surrogate pair, U+D83D", HALVES),
        (r'a === "\ud83d\u0041"', 7, "a character", "half of a surrogate pair, U+D83D", HALVES),
        (r'a === "\udc00\udc00"', 7, "a character", "half of a surrogate pair, U+DC00", HALVES),
        (r'a === "\ud83d\ue000"', 7, "a character", "half of a surrogate pair, U+D83D", HALVES),
        (r'a === "\udfff"', 7, "a character", "half of a surrogate pair, U+DFFF", HALVES),
        ("a === 01", 6, "a number without a leading zero", "`01`", NUMBERS),
        ("a === 1x", 7, "the end of the number", "`x`", NUMBERS),
        ("a === 1.", 8, "a digit", END, NUMBERS),
        ("a === -x", 7, "a digit", "`x`", MINUS),
        ("exists(a > 1)", 9, "`)`", "`>`", INSIDE),
        ("a in 1", 5, "`[`", "`1`", 'write a list of literals: state in ["open", "held"]'),
        ("a in [1 2]", 8, "`]`", "`2`", LISTED),
        ("a[x] > 1", 2, "a whole number from 0 up", "`x`", INDEX),
        ("a[1 > 2", 4, "`]`", "`>`", INDEX),
        ("a.1 > 2", 2, "a name after `.`", "`1`", INDEX),
        (
            "!a",
            1,
            "`(`, `exists` or `!` after `!`",
            "`a`",
            "put what ! negates in parentheses: !(score > 3)",
        ),
        ('"x" === a', 0, "a path", '`"x"`', FIRST),
        ("-1 === a", 0, "a path", "`-1`", FIRST),
        ("12 === a", 0, "a path", "`12`", FIRST),
        ("1.5 === a", 0, "a path", "`1.5`", FIRST),
        (
            "a # 1",
            2,
            "a name, a literal or an operator",
            "`#`",
            "remove it; text belongs in quotes",
        ),
    ],
)
def test_a_mistake_is_told_in_full(
    wrong: str, position: int, expected: str, found: str, fix: str
) -> None:
    with pytest.raises(InvalidExpression) as told:
        read(wrong)

    assert told.value.message == f"expected {expected} at position {position}, found {found}"
    assert (told.value.position, told.value.expected) == (position, expected)
    assert (told.value.found, told.value.fix) == (found, fix)


@pytest.mark.parametrize(
    ("wrong", "message", "expected", "found", "fix"),
    [
        (
            "a === 'x",
            "the text that begins at position 6 has no closing '",
            "a closing '",
            END,
            "close the text with '",
        ),
        (
            "a === 1e999",
            "the number at position 6 is too large",
            "a number of at most about 1.8e308",
            "`1e999`",
            "compare with a smaller number",
        ),
        (
            "(" * 33,
            "the expression is nested deeper than 32 levels of ( and !",
            "at most 32 levels",
            "`(`",
            SHALLOW,
        ),
    ],
)
def test_what_is_too_much_or_has_no_end_is_told_in_full(
    wrong: str, message: str, expected: str, found: str, fix: str
) -> None:
    with pytest.raises(InvalidExpression) as told:
        read(wrong)

    assert (told.value.message, told.value.expected) == (message, expected)
    assert (told.value.found, told.value.fix) == (found, fix)


def test_a_text_that_is_too_long_is_told_in_full() -> None:
    with pytest.raises(InvalidExpression) as told:
        read("a" * 2_001)

    assert told.value.expected == "at most 2,000 characters"
    assert (told.value.found, told.value.position) == ("2,001 characters", 2_000)
    assert told.value.fix == "shorten it, or use several conditions"


def test_half_a_pair_that_ends_the_range_is_still_a_character_when_whole() -> None:
    assert read(r'a === "\ud800\udc00"') == read('a === "\U00010000"')
    assert read(r'a === "\udbff\udfff"') == read('a === "\U0010ffff"')
    assert read(r'a === "\ue000"') == read('a === "\ue000"')


def test_too_many_nodes_are_told_where_the_first_too_many_is() -> None:
    few = Grammar(GRAMMAR.roots, GRAMMAR.default_root, Limits(nodes=14))

    with pytest.raises(InvalidExpression) as told:
        parse("!exists(a) && b[0] === 1 && c in [1, 2]", few)

    assert (told.value.position, told.value.expected) == (39, "at most 14 nodes")
    assert told.value.found == END
    assert told.value.fix == "shorten it, or use several conditions"
