"""Texts and scopes for the fuzz of expressions: at random, mutated, and the worst ones we know."""

import math
from collections.abc import Callable
from random import Random
from typing import Final

from tests.kernel.expression.traps import ODD

VALID: Final = (
    'confidence >= 0.8 && result.quality === "high"',
    'step.type in ["search", "extract"] || !(plan.depth > 2)',
    "exists(hits[0].score) && hits[0].score > -1.5e3",
    "!(a === null || b !== true) && !exists(c) && !!exists(d.e.f[12])",
    "((a > 1) && (b < 2 || c >= 3)) || d <= 4",
    "text === 'it\\'s \\u00e9 \\n' && decision !== \"reject\"",
    "odd === 1 || odd > 1 || odd in [1, 'yes', null] || exists(odd.a[0])",
    "a === true || b >= 1 || c < 0.5 || hits[1] in [false, '\\ud83d\\ude00', 1e2]",
)
WORDS: Final = (
    "===", "!==", ">=", "<=", ">", "<", "&&", "||", "!", "(", ")", "[", "]", ",", ".", "in", "exists",
    "true", "false", "null", "==", "=", "&", "|", "and", "not", "NaN", "a", "b", "hits", "odd", "result",
    "confidence", "step", "plan", "decision", "__class__", "0", "1", "-1", "2.5", "1e5", "1e999", "00",
    "9" * 400, "'x'", '"y"', "'", '"', "\\", "\\u", "\x00", "\ud800", "\u00e9", "\n", " ",
)  # fmt: skip
ALPHABET: Final = "ab01.,-+eE\"'\\()[]!=<>&|_ \t\n\x00\xa0\u00e9\ud800\U0001f600nutrx"
WORST: Final = (
    "||".join(["a>1"] * 400),
    "a in [" + "1," * 996 + "1]",
    "a" + ".a" * 990 + ">1",
    "a" + "[0]" * 660 + ">1",
    "||".join(["(" * 32 + "a>1" + ")" * 32] * 28),
    "||".join(["!" * 32 + "exists(a)"] * 46),
    'a==="' + "\\u0041" * 330 + '"',
    "a>" + "1" * 1_990,
    "a>0." + "1" * 1_990,
    "a==='" + "x" * 1_990,
    "!" * 2_000,
    "(" * 2_000,
    "!" * 990 + "(" * 990 + "a>1",
    " " * 2_000,
    "a>1||" * 20_000 + "a>1",
    "x" * 3_000_000,
)
FIXED: Final[tuple[dict[str, object], ...]] = (
    {},
    {"result": {"a": 2, "b": 1, "c": 3, "d": {"e": {"f": [0] * 13}}, "text": "it's \u00e9 \n"}},
    {"result": {"a": None, "b": True, "hits": [{"score": 0.5}], "odd": math.nan}, "confidence": 1},
    {"result": [[[]]], "confidence": 10**5_000, "step": {"type": "search"}, "plan": {"depth": 3}},
    {"result": {"a": "x" * 1_000_000, "b": list(range(1_000))}, "decision": "modify"},
    *(
        {"result": {"odd": odd, "a": [odd], "b": {"a": odd}}, "confidence": odd}
        for odd in ODD.values()
    ),
)
LEAVES: Final[tuple[object, ...]] = (
    None, True, False, 0, 1, -1, 2.5, 2**70, -0.0, math.inf, "", "x", "yes", "high", "\U0001f600",
)  # fmt: skip
NAMES: Final = ("a", "b", "c", "d", "odd", "hits", "text", "quality", "score", "type", "__class__")
ROOTS: Final = ("result", "confidence", "step", "plan", "decision")

DEEPEST: Final = 4


def scope(chance: Random) -> dict[str, object]:
    """Return a scope: one of those that are known to be odd, or one of plain values."""
    if chance.random() < 0.5:
        return chance.choice(FIXED)
    return {chance.choice(ROOTS): value(chance) for _ in range(chance.randrange(1, 4))}


def value(chance: Random, depth: int = 0) -> object:
    """Return a value as JSON has them, now and then one that JSON cannot have."""
    kind = chance.random()
    if depth >= DEEPEST or kind < 0.3:
        return chance.choice(LEAVES)
    if kind < 0.35:
        return chance.choice([*ODD.values()])
    if kind < 0.6:
        return [value(chance, depth + 1) for _ in range(chance.randrange(3))]
    return {chance.choice(NAMES): value(chance, depth + 1) for _ in range(chance.randrange(1, 5))}


def random_characters(chance: Random) -> str:
    """Return whatever characters there are."""
    if chance.random() < 0.2:
        return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(20)))
    return "".join(chance.choices(ALPHABET, k=chance.randrange(40)))


def token_soup(chance: Random) -> str:
    """Return words of the language and of others, in no order."""
    return chance.choice(["", " "]).join(chance.choices(WORDS, k=chance.randrange(1, 16)))


def mutated(chance: Random) -> str:
    """Return a sound expression with up to three places changed."""
    text = chance.choice(VALID)
    for _ in range(chance.randrange(4)):
        start = chance.randrange(len(text) + 1)
        end = start + chance.randrange(4)
        text = text[:start] + chance.choice(["", *WORDS, text[start:end] * 2]) + text[end:]
    return text


def chained(chance: Random) -> str:
    """Join valid expressions and mutants, now and then to the limit of length and beyond."""
    length = chance.choice([2, 2, 2, 3, 3, 5, 60]) if chance.random() < 0.5 else 2
    terms = [chance.choice([*VALID, f"({chance.choice(VALID)})"]) for _ in range(length)]
    return chance.choice(["||", " && "]).join(terms)


def worst(chance: Random) -> str:
    """Return one of those that cost the most, rarely; else something deep."""
    if chance.random() < 0.05:
        return chance.choice(WORST)
    depth = chance.choice([1, 5, 31, 32, 33, 400])
    opened = "".join(chance.choices("!(", k=depth))
    return opened + "exists(a)" + ")" * opened.count("(")


MAKERS: Final[tuple[Callable[[Random], str], ...]] = (
    *(random_characters, token_soup) * 4, *(mutated,) * 8, *(chained,) * 4, worst,
)  # fmt: skip


def text(chance: Random) -> tuple[str, str]:
    """Return a text, and how it was made."""
    make = chance.choice(MAKERS)
    return make(chance), make.__name__.replace("_", " ")
