"""What to write instead: the mistakes people and agents bring from other languages.

Only words are here; where each mistake is noticed is in ``tokens.py`` and ``parse.py``. Every
hint is an instruction, because the agent that wrote the expression will follow it.
"""

from collections.abc import Mapping
from typing import Final

MISSPELT_SIGNS: Final[Mapping[str, str]] = {
    "==": "===",
    "=": "===",
    "!=": "!==",
    "<>": "!==",
    "=>": ">=",
    "=<": "<=",
    "&": "&&",
    "|": "||",
    "\u2260": "!==",
    "\u2264": "<=",
    "\u2265": ">=",
}

NEGATION_HINT: Final = "put what ! negates in parentheses: !(score > 3)"
INDEX_HINT: Final = "write an index as [0], [1], ...; write a name after a dot: result.name"

_COMPARE: Final = "compare the path with a literal, as in score > 3, or write exists(score)"
_LITERALS: Final = 'a number, a quoted text, true, false or null: score > 3, state === "open"'

_SIGN_FOR_WORD: Final[Mapping[str, str]] = {
    "and": "&&",
    "or": "||",
    "is": "===",
    "eq": "===",
    "equals": "===",
    "ne": "!==",
    "gt": ">",
    "ge": ">=",
    "gte": ">=",
    "lt": "<",
    "le": "<=",
    "lte": "<=",
    "in": "in",
}
_LITERAL_FOR_WORD: Final[Mapping[str, str]] = {
    "true": "true",
    "yes": "true",
    "false": "false",
    "no": "false",
    "null": "null",
    "none": "null",
    "nil": "null",
    "undefined": "null",
}
_UNREAL_NUMBERS: Final = frozenset({"nan", "inf", "infinity"})
_CURLY_QUOTES: Final = frozenset("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb`")
_ARITHMETIC: Final = frozenset("+*/%^~")


def for_stray(char: str) -> str:
    """Return what to do about a character that begins no token."""
    if char in _CURLY_QUOTES:
        return "put text in plain quotes, \" or '"
    if char in _ARITHMETIC:
        return "there is no arithmetic: compare a path with a literal, as in score > 3"
    if char.isspace():
        return "use an ordinary space"
    return "remove it; text belongs in quotes"


def for_path(found: str, default_root: str) -> str:
    """Return what to do where a path should have begun."""
    if found.isidentifier():
        return f"`{found}` is a word of the language; for a field, write {default_root}.{found}"
    if found[:1] in {'"', "'", "-"} or found[:1].isdigit():
        return "write the path first, then the literal: score > 3"
    return _COMPARE


def for_operator(first: str, found: str) -> str:
    """Return what to do where an operator should have followed the path that begins ``first``."""
    if first.lower() == "not":
        return "use ! for not: !(score > 3)"
    if found == "(":
        return "only exists(path) can be called"
    if found.lower() == "not":
        return "negate the whole comparison: !(state in [1, 2])"
    return _for_word(found) or _COMPARE


def for_join(found: str) -> str:
    """Return what to do where a comparison has ended and something else follows."""
    return _for_word(found) or "join comparisons with && or ||"


def for_literal(found: str) -> str:
    """Return what to do where a literal should have stood."""
    word = found.lower()
    if word in _UNREAL_NUMBERS:
        return "compare with a finite number"
    if word in _LITERAL_FOR_WORD:
        return f"write {_LITERAL_FOR_WORD[word]}"
    if found.isidentifier():
        return f'put text in quotes: "{found}" (the right side is a literal, never a path)'
    return f"write {_LITERALS}"


def _for_word(found: str) -> str:
    sign = _SIGN_FOR_WORD.get(found.lower())
    return f"use {sign} for {found}" if sign else ""
