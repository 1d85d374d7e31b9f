"""Cut text into pieces that overlap, at natural borders: a paragraph, a sentence, a word.

Pure. Nothing is lost and nothing is changed: each piece is a slice of the text, each begins where
the one before has not ended yet, and the last one ends with the text.
"""

import re
from typing import Final, NamedTuple

SIZE: Final = 2_048
OVERLAP: Final = 200

# From the best border to the poorest; a cut is made behind what matches.
BORDERS: Final = (
    re.compile(r"\n[^\S\n]*\n\s*"),
    re.compile(r"[.!?…]+[\"'”’)\]]*\s+|[。！？]"),  # noqa: RUF001  full stops of other scripts
    re.compile(r"\n\s*"),
    re.compile(r"\s+"),
)


class Piece(NamedTuple):
    """A slice of a text, and where it begins."""

    start: int
    text: str


def cut(text: str, size: int = SIZE, overlap: int = OVERLAP) -> tuple[Piece, ...]:
    """Return the pieces of a text in order; no text is no pieces."""
    if not 0 <= overlap < size // 2:
        message = f"pieces of {size} cannot overlap by {overlap}"
        raise ValueError(message)
    pieces, start = [], 0
    while len(text) - start > size:
        end = _border(text, start + size // 2, start + size)
        pieces.append(Piece(start, text[start:end]))
        start = _beginning(text, end - overlap, end)
    if text:
        pieces.append(Piece(start, text[start:]))
    return tuple(pieces)


def _border(text: str, low: int, high: int) -> int:
    """Return the last place after ``low`` and up to ``high`` at the best border there is."""
    for border in BORDERS:
        places = [found.end() for found in border.finditer(text, low, high)]
        if places and places[-1] > low:
            return places[-1]
    return high


def _beginning(text: str, low: int, high: int) -> int:
    """Return where the first word between the two begins; ``low`` where none does."""
    found = BORDERS[-1].search(text, low, high)
    return low if found is None or found.end() >= high else found.end()
