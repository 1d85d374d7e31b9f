"""The error carries where, what was expected, what was found and what to do."""

from interlock.errors import InterlockError
from interlock.kernel.expression import InvalidExpression
from interlock.kernel.expression.invalid import shown, unexpected


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
