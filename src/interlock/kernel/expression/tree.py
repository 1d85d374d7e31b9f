"""The tree of an expression: frozen nodes, the kinds of value, and how a tree is printed.

Nothing here reads text (``parse.py``) or looks at a scope (``evaluate.py``). Two trees are equal
if they ask the same: how the source was spaced or bracketed makes no difference.
"""

from dataclasses import dataclass, field
from enum import Enum
from types import NoneType
from typing import Final, TypeAlias, assert_never

from interlock.kernel.expression.grammar import Grammar

Scalar: TypeAlias = int | float | str | bool | None


class Kind(Enum):
    """The kinds of value that can be compared; values of two kinds are never equal."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    NULL = "null"


_KINDS: Final[tuple[tuple[type, Kind], ...]] = (
    (str, Kind.TEXT),
    (int, Kind.NUMBER),
    (float, Kind.NUMBER),
    (bool, Kind.TRUTH),
    (NoneType, Kind.NULL),
)


def kind_of(value: object) -> Kind | None:
    """Return the kind of ``value`` by its exact type: a subclass could bring code of its own."""
    exact = type(value)
    # Compared with `is`, not looked up in a dict: hashing a class can run its metaclass's code.
    for candidate, kind in _KINDS:
        if exact is candidate:
            return kind
    return None


class Operator(Enum):
    """The comparisons, by the sign they are written with."""

    EQUAL = "==="
    DIFFERENT = "!=="
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"


@dataclass(frozen=True, slots=True)
class Path:
    """Where to look: a root, then names in objects and indexes in lists."""

    root: str
    parts: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """A value and its kind. The kind is compared too, because in Python ``True == 1``."""

    value: Scalar
    kind: Kind


@dataclass(frozen=True, slots=True)
class Comparison:
    """``path operator literal``."""

    path: Path
    operator: Operator
    literal: Literal


@dataclass(frozen=True, slots=True)
class Membership:
    """``path in [literal, ...]``; the list may be empty, and then nothing is in it."""

    path: Path
    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """``exists(path)``."""

    path: Path


@dataclass(frozen=True, slots=True)
class Negation:
    """``!term``."""

    term: "Node"


@dataclass(frozen=True, slots=True)
class AllOf:
    """``term && term ...``: two terms or more, flat, so that a long chain is not a deep tree."""

    terms: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """``term || term ...``: two terms or more."""

    terms: tuple["Node", ...]


Node: TypeAlias = Comparison | Membership | Exists | Negation | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Expression:
    """A condition that has been read. Equality is that of the tree; keep ``source`` to store it."""

    root: Node
    source: str = field(compare=False)
    grammar: Grammar = field(compare=False)

    def __str__(self) -> str:
        """Return a text that parses to an equal expression: the tidy form, if it is short enough.

        The tidy form adds blanks and roots, so a source close to the limit may outgrow it.
        """
        tidy = print_node(self.root)
        return tidy if len(tidy) <= self.grammar.limits.characters else self.source


def print_node(node: Node) -> str:
    """Return ``node`` as text, with one blank around operators and no needless parentheses."""
    match node:
        case Comparison(path, operator, literal):
            return f"{print_path(path)} {operator.value} {print_literal(literal)}"
        case Membership(path, literals):
            return f"{print_path(path)} in [{', '.join(map(print_literal, literals))}]"
        case Exists(path):
            return f"exists({print_path(path)})"
        case Negation(term):
            return "!" + _print_term(term, bare=(Exists, Negation))
        case AllOf(terms):
            return " && ".join(_print_term(term, bare=_CLOSED) for term in terms)
        case AnyOf(terms):
            return " || ".join(_print_term(term, bare=(*_CLOSED, AllOf)) for term in terms)
        case _:
            assert_never(node)


def print_path(path: Path) -> str:
    """Return ``path`` with its root spelt out, also where the source left it out."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path.parts)
    return path.root + "".join(parts)


def print_literal(literal: Literal) -> str:
    """Return ``literal`` as the language writes it."""
    match literal.value:
        case None:
            return "null"
        case bool():
            return "true" if literal.value else "false"
        case str():
            return '"' + "".join(map(_print_char, literal.value)) + '"'
        case int() | float():
            return repr(literal.value)
        case _:
            assert_never(literal.value)


# Terms that need no parentheses in a chain.
_CLOSED: Final = (Comparison, Membership, Exists, Negation)
_ESCAPED: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _print_term(term: Node, *, bare: tuple[type, ...]) -> str:
    text = print_node(term)
    return text if isinstance(term, bare) else f"({text})"


def _print_char(char: str) -> str:
    if char in _ESCAPED:
        return _ESCAPED[char]
    if char.isprintable():
        return char
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
