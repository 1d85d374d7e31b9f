"""The words of a text, cut and folded by us alone, so that both databases find the same.

Capitals, accents and forms of width do not matter. No word is turned into its stem: what means
the same in other words is found by its meaning, where vectors are made.
"""

import re
import unicodedata
from typing import Final

WORD: Final = re.compile(r"[^\W_]+")
LENGTH_MAX: Final = 100
"""A longer word is cut: no database keeps words of any length."""


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order; each is made of letters and digits only."""
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join([one for one in apart if not unicodedata.combining(one)]).casefold()
    return tuple(word[:LENGTH_MAX] for word in WORD.findall(plain))
