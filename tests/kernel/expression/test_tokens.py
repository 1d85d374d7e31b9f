"""Text is cut into names, numbers, texts and signs; what begins none of them is refused."""

import pytest

from interlock.kernel.expression import InvalidExpression
from interlock.kernel.expression.tokens import Token, TokenKind, tokenize


def cut(source: str) -> list[str]:
    return [token.text for token in tokenize(source)]


def test_tokens_know_their_kind_text_place_and_value() -> None:
    assert list(tokenize(' a>= -1.5"x" ')) == [
        Token(TokenKind.NAME, "a", 1),
        Token(TokenKind.SIGN, ">=", 2),
        Token(TokenKind.NUMBER, "-1.5", 5, -1.5),
        Token(TokenKind.TEXT, '"x"', 9, "x"),
        Token(TokenKind.END, "", 13),
    ]


@pytest.mark.parametrize("source", ["", "   ", "\t\r\n "])
def test_an_empty_text_is_only_an_end(source: str) -> None:
    assert list(tokenize(source)) == [Token(TokenKind.END, "", len(source))]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("a.b[0]", ["a", ".", "b", "[", "0", "]", ""]),
        ("!!(a)", ["!", "!", "(", "a", ")", ""]),
        ("===!==>=<=><&&||!", ["===", "!==", ">=", "<=", ">", "<", "&&", "||", "!", ""]),
        ("a>-1", ["a", ">", "-1", ""]),
        ("[1,'x']", ["[", "1", ",", "'x'", "]", ""]),
        ("größe_1 _x", ["größe_1", "_x", ""]),
        ('a==="&& \' ||"', ["a", "===", '"&& \' ||"', ""]),
    ],
)
def test_the_longest_sign_wins_and_blanks_are_not_needed(source: str, texts: list[str]) -> None:
    assert cut(source) == texts


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("==", "==="),
        ("=", "==="),
        ("!=", "!=="),
        ("<>", "!=="),
        ("=>", ">="),
        ("=<", "<="),
        ("&", "&&"),
        ("|", "||"),
        ("\u2260", "!=="),
        ("\u2264", "<="),
        ("\u2265", ">="),
    ],
)
def test_a_sign_of_another_language_is_answered_with_ours(wrong: str, right: str) -> None:
    with pytest.raises(InvalidExpression) as refused:
        cut(f"a {wrong} 1")

    assert refused.value.message == f"expected `{right}` at position 2, found `{wrong}`"
    assert refused.value.fix == f"use {right} for {wrong}"


@pytest.mark.parametrize(
    "stray", [*"#$%*+/:;?@\\^`{}~", "\x00", "\xa0", "\u201c", "\ud800", "\u0663"]
)
def test_a_character_that_begins_no_token_is_refused_where_it_stands(stray: str) -> None:
    with pytest.raises(InvalidExpression) as refused:
        cut(f"ab {stray}")

    assert (refused.value.position, refused.value.expected) == (
        3,
        "a name, a literal or an operator",
    )
