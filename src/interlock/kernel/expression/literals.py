"""Read the two literals that have a form of their own: numbers and quoted texts.

Both readers take the whole source and an offset, and return the value and the offset behind it.
``true``, ``false`` and ``null`` are plain words and are read by the parser.
"""

import math
from typing import Final

from interlock.kernel.expression.invalid import InvalidExpression, shown, unexpected

QUOTES: Final = "\"'"
# Not str.isdigit: that is true of digits of other scripts, which JSON does not know.
DIGITS: Final = frozenset("0123456789")

_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_HEX_LENGTH: Final = 4
# What mostly follows a number; after anything else it may go on, or be wrong.
_NUMBER_ENDS: Final = frozenset(" ,)]&|")
_NUMBER_FIX: Final = "write numbers as in JSON: 12, -3.5, 0.5, 1e6"
_MINUS_FIX: Final = "- only begins a number, as in -3.5; a name has letters, digits and _"
_ESCAPES: Final = {"\\": "\\", '"': '"', "'": "'", "n": "\n", "t": "\t", "r": "\r"}
_ESCAPE_FIX: Final = r"the escapes are \\ \" \' \n \t \r and \uXXXX"
_CONTROLS_END: Final = "\x20"


def read_number(source: str, start: int) -> tuple[int | float, int]:
    """Read the JSON number at ``start``; refuse one too large for a double, whole or not."""
    whole = start + 1 if source[start] == "-" else start
    # Without a digit it can only be the minus that misled: a number begins with one or the other.
    end = whole_end = _skip_digits(source, whole, _MINUS_FIX)
    if source[whole] == "0" and end > whole + 1:
        raise unexpected(
            whole,
            expected="a number without a leading zero",
            found=shown(source[whole:end]),
            fix=_NUMBER_FIX,
        )
    if end < len(source) and source[end] not in _NUMBER_ENDS:
        end = _skip_fraction(source, end)
    text = source[start:end]
    value = float(text)
    if math.isinf(value):
        message = f"the number at position {start} is too large"
        raise InvalidExpression(
            message,
            position=start,
            expected="a number of at most about 1.8e308",
            found=shown(text),
            fix="compare with a smaller number",
        )
    # Whole numbers stay whole, so that 9007199254740993 is not rounded. The check above has
    # bounded the digits to 309, far under the length int() may refuse to read.
    return (int(text) if end == whole_end else value), end


def read_text(source: str, start: int) -> tuple[str, int]:
    """Read the quoted text at ``start``, whose first character is the quote that also ends it."""
    quote = source[start]
    pieces: list[str] = []
    position = start + 1
    while position < len(source):
        char = source[position]
        if char == quote:
            return "".join(pieces), position + 1
        if char == "\\":
            piece, position = _read_escape(source, position)
        else:
            _refuse_unwritable(char, position)
            piece, position = char, position + 1
        pieces.append(piece)
    message = f"the text that begins at position {start} has no closing {quote}"
    raise InvalidExpression(
        message,
        position=start,
        expected=f"a closing {quote}",
        found=shown(""),
        fix=f"close the text with {quote}",
    )


def _skip_fraction(source: str, start: int) -> int:
    end = start
    if source.startswith(".", end):
        end = _skip_digits(source, end + 1)
    if source.startswith(("e", "E"), end):
        has_sign = source.startswith(("+", "-"), end + 1)
        end = _skip_digits(source, end + (2 if has_sign else 1))
    following = source[end : end + 1]
    # Without this 0x10 would be read as 0 and then a name, with an error that misleads.
    if following == "." or (following and ("_" + following).isidentifier()):
        expected = "the end of the number"
        raise unexpected(end, expected=expected, found=shown(following), fix=_NUMBER_FIX)
    return end


def _skip_digits(source: str, start: int, fix: str = _NUMBER_FIX) -> int:
    end = start
    while end < len(source) and source[end] in DIGITS:
        end += 1
    if end == start:
        found = shown(source[start : start + 1])
        raise unexpected(start, expected="a digit", found=found, fix=fix)
    return end


def _refuse_unwritable(char: str, position: int) -> None:
    # A raw line break is nearly always a forgotten quote; a lone surrogate cannot be stored.
    if char < _CONTROLS_END or _is_surrogate(ord(char)):
        raise unexpected(
            position,
            expected="a printable character or an escape",
            found=shown(char),
            fix=_ESCAPE_FIX,
        )


def _read_escape(source: str, position: int) -> tuple[str, int]:
    letter = source[position + 1 : position + 2]
    if letter in _ESCAPES:
        return _ESCAPES[letter], position + 2
    if letter != "u":
        raise unexpected(position + 1, expected="an escape", found=shown(letter), fix=_ESCAPE_FIX)
    unit, end = _read_unit(source, position + 2)
    if not _is_surrogate(unit):
        return chr(unit), end
    return _read_pair(source, position, unit, end)


def _read_unit(source: str, start: int) -> tuple[int, int]:
    end = start + _HEX_LENGTH
    for position in range(start, end):
        char = source[position : position + 1]
        # Checked one by one because int(..., 16) also reads signs, blanks and underscores.
        if char not in _HEX_DIGITS:
            raise unexpected(
                position, expected="a hexadecimal digit", found=shown(char), fix=_ESCAPE_FIX
            )
    return int(source[start:end], 16), end


def _read_pair(source: str, start: int, high: int, position: int) -> tuple[str, int]:
    # As in JSON, a character beyond U+FFFF is written as two units: \ud83d\ude00.
    if high < 0xDC00 and source.startswith("\\u", position):  # noqa: PLR2004
        low, end = _read_unit(source, position + 2)
        if 0xDC00 <= low <= 0xDFFF:  # noqa: PLR2004
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), end
    raise unexpected(
        start,
        expected="a character",
        found=f"half of a surrogate pair, U+{high:04X}",
        fix=r"write both halves, as in \ud83d\ude00, or the character itself",
    )


def _is_surrogate(unit: int) -> bool:
    return 0xD800 <= unit <= 0xDFFF  # noqa: PLR2004
