"""Cut the text of an expression into tokens: names, numbers, texts and signs.

A plain scan from left to right that looks at each character a bounded number of times; there is
no regular expression, so no text can make it slow. What order tokens may stand in is not here.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple, NoReturn

from interlock.kernel.expression.hints import MISSPELT_SIGNS, for_stray
from interlock.kernel.expression.invalid import shown, unexpected
from interlock.kernel.expression.literals import DIGITS, QUOTES, read_number, read_text

BLANKS: Final = " \t\n\r"
LONE_SIGNS: Final = frozenset("()[],.")
SIGNS: Final = LONE_SIGNS | {"===", "!==", ">=", "<=", ">", "<", "&&", "||", "!"}

# By their first character, longest first, the wrong ones among the right ones: else != would be
# read as ! and =. Each first character is itself a spelling, so one of them always fits.
_SPELLINGS: Final = {
    first: tuple(
        sorted((s for s in SIGNS.union(MISSPELT_SIGNS) if s[0] == first), key=len, reverse=True)
    )
    for first in {sign[0] for sign in SIGNS.union(MISSPELT_SIGNS)}
}


class TokenKind(Enum):
    """What a token is, which its first character decides."""

    NAME = "name"
    NUMBER = "number"
    TEXT = "text"
    SIGN = "sign"
    END = "end"


class Token(NamedTuple):
    """One token: as written in ``text``, and for a number or a text what it stands for.

    A tuple, because a frozen dataclass takes nearly twice as long to make, and the longest
    expressions have some two thousand tokens.
    """

    kind: TokenKind
    text: str
    position: int
    value: int | float | str = ""


def tokenize(source: str) -> Iterator[Token]:
    """Yield the tokens of ``source``, the last of kind END, or raise at the first bad character."""
    position, end = 0, len(source)
    while position < end:
        if source[position] in BLANKS:
            position += 1
            continue
        token = _read_token(source, position)
        yield token
        position += len(token.text)
    yield Token(TokenKind.END, "", end)


def _read_token(source: str, start: int) -> Token:
    first = source[start]
    if first in LONE_SIGNS:
        return Token(TokenKind.SIGN, first, start)
    if first.isidentifier():
        return Token(TokenKind.NAME, source[start : _name_end(source, start)], start)
    if first in DIGITS or first == "-":
        number, end = read_number(source, start)
        return Token(TokenKind.NUMBER, source[start:end], start, number)
    if first in QUOTES:
        text, end = read_text(source, start)
        return Token(TokenKind.TEXT, source[start:end], start, text)
    return Token(TokenKind.SIGN, _read_sign(source, start), start)


def _read_sign(source: str, start: int) -> str:
    for sign in _SPELLINGS.get(source[start], ()):
        if source.startswith(sign, start):
            return sign if sign in SIGNS else _refuse_misspelt(sign, start)
    stray = source[start]
    expected = "a name, a literal or an operator"
    raise unexpected(start, expected=expected, found=shown(stray), fix=for_stray(stray))


def _refuse_misspelt(sign: str, start: int) -> NoReturn:
    right = MISSPELT_SIGNS[sign]
    fix = f"use {right} for {sign}"
    raise unexpected(start, expected=f"`{right}`", found=shown(sign), fix=fix)


def _name_end(source: str, start: int) -> int:
    end = start + 1
    while end < len(source) and ("_" + source[end]).isidentifier():
        end += 1
    return end
