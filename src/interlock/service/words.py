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


# Words that nearly every English text has: they find everything, and tell nothing apart.
COMMON: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "does", "for", "from",
    "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "my", "no", "not", "of",
    "on", "or", "our", "so", "than", "that", "the", "their", "then", "there", "these", "they",
    "this", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
    "with", "would", "you", "your",
})  # fmt: skip


def telling(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the different words of a query that tell texts apart; all of them where none does."""
    distinct = tuple(dict.fromkeys(asked))
    return tuple(word for word in distinct if word not in COMMON) or distinct


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order; each is made of letters and digits only."""
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join([one for one in apart if not unicodedata.combining(one)]).casefold()
    return tuple(word[:LENGTH_MAX] for word in WORD.findall(plain))
