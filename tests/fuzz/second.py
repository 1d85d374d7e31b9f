"""A second reader of expressions, written another way: no tree, tokens by pattern, answers at once.

It is asked only about texts that the language has accepted, so it knows no limits and no errors.
Where the two differ, one of them is wrong.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

TOKEN: Final = re.compile(
    r"""[ \t\n\r]*(?:
    (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<sign>===|!==|>=|<=|&&|\|\||[><!()\[\],.])
    |(?P<name>[^\s"'()\[\],.!<>=&|]+)
    )""",
    re.VERBOSE | re.DOTALL,
)
ESCAPED: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r"}
WORDS: Final = {"true": True, "false": False, "null": None}
NOWHERE: Final = object()
ORDERS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def answer(text: str, scope: object, roots: frozenset[str], default_root: str) -> bool:
    """Return whether a text that the language accepts holds in a scope."""
    return _Reader(text, scope, roots, default_root).either()


class _Reader:
    """Reads and answers at once, term by term."""

    def __init__(self, text: str, scope: object, roots: frozenset[str], default_root: str) -> None:
        self.tokens = _tokens(text)
        self.scope, self.roots, self.default_root = scope, roots, default_root
        self.kind, self.text = next(self.tokens)

    def passed(self) -> str:
        text = self.text
        self.kind, self.text = next(self.tokens)
        return text

    def either(self) -> bool:
        found = [self.both()]
        while self.text == "||":
            self.passed()
            found.append(self.both())
        return any(found)

    def both(self) -> bool:
        found = [self.term()]
        while self.text == "&&":
            self.passed()
            found.append(self.term())
        return all(found)

    def term(self) -> bool:
        if self.text == "!":
            self.passed()
            return not self.term()
        if self.text == "(":
            self.passed()
            found = self.either()
            self.passed()
            return found
        if self.text == "exists":
            self.passed(), self.passed()
            found = self.path() is not NOWHERE
            self.passed()
            return found
        return self.comparison()

    def comparison(self) -> bool:
        value, sign = self.path(), self.passed()
        if sign == "in":
            return self.is_listed(value)
        literal = self.literal()
        if sign in ORDERS:
            return _is_number(value) and _is_number(literal) and ORDERS[sign](value, literal)  # type: ignore[arg-type]  # both are numbers
        return _is_same(value, literal) is (sign == "===")

    def is_listed(self, value: object) -> bool:
        self.passed()
        found = False
        while self.text != "]":
            found = _is_same(value, self.literal()) or found
            if self.text == ",":
                self.passed()
        self.passed()
        return found

    def path(self) -> object:
        first = self.passed()
        value = _inside(self.scope, first if first in self.roots else self.default_root)
        if first not in self.roots:
            value = _inside(value, first)
        while self.text in (".", "["):
            if self.passed() == ".":
                value = _inside(value, self.passed())
            else:
                value = _inside(value, int(self.passed()))
                self.passed()
        return value

    def literal(self) -> object:
        kind, text = self.kind, self.passed()
        if kind == "text":
            return _unescaped(text[1:-1])
        if kind == "number":
            return float(text) if re.search("[.eE]", text) else int(text)
        return WORDS[text]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while found := TOKEN.match(text, place):
        yield str(found.lastgroup), found[str(found.lastgroup)]
        place = found.end()
    while True:
        yield "end", ""


def _unescaped(text: str) -> str:
    plain = ESCAPED.sub(
        lambda one: chr(int(one[1], 16)) if one[1] else LETTERS.get(one[2], one[2]), text
    )
    return plain.encode("utf-16", "surrogatepass").decode("utf-16")


def _inside(value: object, key: str | int) -> object:
    if isinstance(key, str):
        return dict.get(value, key, NOWHERE) if type(value) is dict else NOWHERE
    return value[key] if type(value) is list and key < len(value) else NOWHERE


def _is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def _is_same(value: object, literal: object) -> bool:
    if _is_number(literal):
        return _is_number(value) and value == literal
    return type(value) is type(literal) and value == literal
