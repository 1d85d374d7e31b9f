"""The one error of the language: a text that is not an expression, and where it stops being one.

Only reading raises it; evaluating never raises. The words for single mistakes are in ``hints.py``.
"""

from typing import Final

from interlock.errors import InterlockError

_SHOWN_MAX: Final = 24


class InvalidExpression(InterlockError):
    """The text is not an expression of our language."""

    code = "INVALID_EXPRESSION"
    http = 422

    def __init__(
        self, message: str, *, position: int, expected: str, found: str, fix: str = ""
    ) -> None:
        """Say what is wrong at ``position``, a character offset that starts at 0."""
        super().__init__(message, fix=fix or f"write {expected} at position {position}")
        self.position = position
        self.expected = expected
        self.found = found


def unexpected(position: int, *, expected: str, found: str, fix: str) -> InvalidExpression:
    """Return the error for text that should have been something else."""
    message = f"expected {expected} at position {position}, found {found}"
    return InvalidExpression(message, position=position, expected=expected, found=found, fix=fix)


def shown(text: str) -> str:
    """Return ``text`` in a form fit for a message: short, quoted, and printable everywhere."""
    if not text:
        return "the end of the expression"
    if len(text) == 1 and not text.isprintable():
        return f"the character U+{ord(text):04X}"
    short = text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 3] + "..."
    # Lone surrogates and control characters would break a log line or a UTF-8 reply.
    safe = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in short)
    return f"`{safe}`"
