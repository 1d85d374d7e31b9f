"""Read an expression: from text to a tree, or to an error that says where and what instead.

    any   := all ("||" all)*
    all   := term ("&&" term)*
    term  := "!" (group | exists | "!" ...) | group | exists | comparison
    group := "(" any ")"            exists := "exists" "(" path ")"
    comparison := path operator literal | path "in" "[" (literal ("," literal)*)? "]"
    path  := name ("." name | "[" index "]")*

``!`` does not take a bare comparison: in ``! a === 1`` one reader sees ``(!a) === 1``, another
``!(a === 1)``, so it is refused and the parentheses are asked for. What it means is not here.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from interlock.kernel.expression import hints
from interlock.kernel.expression.grammar import RESERVED, Grammar, Limits
from interlock.kernel.expression.invalid import InvalidExpression, shown, unexpected
from interlock.kernel.expression.tokens import Token, TokenKind, tokenize
from interlock.kernel.expression.tree import (
    AllOf,
    AnyOf,
    Comparison,
    Exists,
    Expression,
    Kind,
    Literal,
    Membership,
    Negation,
    Node,
    Operator,
    Path,
)

_OPERATORS: Final[Mapping[str, Operator]] = {operator.value: operator for operator in Operator}
_CONSTANTS: Final[Mapping[str, Literal]] = {
    "true": Literal(value=True, kind=Kind.TRUTH),
    "false": Literal(value=False, kind=Kind.TRUTH),
    "null": Literal(value=None, kind=Kind.NULL),
}


def parse(text: str, grammar: Grammar) -> Expression:
    """Return the expression ``text`` says, or raise ``InvalidExpression`` at its first fault."""
    _refuse_long(text, grammar.limits)
    return Expression(_Parser(tokenize(text), grammar).whole(), text, grammar)


def _refuse_long(text: str, limits: Limits) -> None:
    if len(text) <= limits.characters:
        return
    message = f"the expression has {len(text):,} characters; {limits.characters:,} are allowed"
    raise InvalidExpression(
        message,
        position=limits.characters,
        expected=f"at most {limits.characters:,} characters",
        found=f"{len(text):,} characters",
        fix="shorten it, or use several conditions",
    )


class _Parser:
    """A place in the tokens and the nodes made so far; one method for each rule of the grammar.

    One token is read ahead, never more, so that of two faults the first is told.
    """

    __slots__ = ("_grammar", "_next", "_nodes", "_tokens")

    def __init__(self, tokens: Iterator[Token], grammar: Grammar) -> None:
        self._tokens = tokens
        self._next = next(tokens)
        self._grammar = grammar
        self._nodes = 0

    def whole(self) -> Node:
        node = self._any_of(0)
        if self._next.kind is not TokenKind.END:
            raise self._unexpected(
                expected="&&, || or the end of the expression", fix=hints.for_join(self._next.text)
            )
        return node

    def _any_of(self, depth: int) -> Node:
        terms = [self._all_of(depth)]
        while self._take("||"):
            terms.append(self._all_of(depth))
        if len(terms) == 1:
            return terms[0]
        self._count()
        return AnyOf(tuple(terms))

    def _all_of(self, depth: int) -> Node:
        terms = [self._term(depth)]
        while self._take("&&"):
            terms.append(self._term(depth))
        if len(terms) == 1:
            return terms[0]
        self._count()
        return AllOf(tuple(terms))

    def _term(self, depth: int) -> Node:
        if self._next.text == "!":
            return self._negation(depth)
        if self._next.text == "(":
            return self._group(depth)
        if self._next.text == "exists":
            return self._exists()
        return self._comparison()

    def _negation(self, depth: int) -> Node:
        self._descend(depth)
        if self._next.text not in {"!", "(", "exists"}:
            raise self._unexpected(
                expected="`(`, `exists` or `!` after `!`", fix=hints.NEGATION_HINT
            )
        self._count()
        return Negation(self._term(depth + 1))

    def _group(self, depth: int) -> Node:
        self._descend(depth)
        node = self._any_of(depth + 1)
        if not self._take(")"):
            raise self._unexpected(expected="&&, || or `)`", fix=hints.for_join(self._next.text))
        return node

    def _exists(self) -> Node:
        # `exists` is never the name of a field here, or a typing mistake would change its meaning.
        self._pass()
        self._need("(", f"write exists(path); for a field: {self._grammar.default_root}.exists")
        path = self._path()
        self._need(")", "write exists(path), with nothing but a path inside")
        self._count()
        return Exists(path)

    def _comparison(self) -> Node:
        first = self._next.text
        path = self._path()
        self._count()
        if self._take("in"):
            return Membership(path, self._list())
        operator = _OPERATORS.get(self._next.text)
        if operator is None:
            raise self._unexpected(
                expected="an operator (=== !== >= <= > < in)",
                fix=hints.for_operator(first, self._next.text),
            )
        self._pass()
        return Comparison(path, operator, self._literal())

    def _path(self) -> Path:
        first = self._next
        if first.kind is not TokenKind.NAME or first.text in RESERVED:
            fix = hints.for_path(first.text, self._grammar.default_root)
            raise self._unexpected(expected="a path", fix=fix)
        self._pass()
        self._count()
        is_root = first.text in self._grammar.roots
        root = first.text if is_root else self._grammar.default_root
        parts: list[str | int] = [] if is_root else [first.text]
        while self._next.text in {".", "["}:
            parts.append(self._name() if self._take(".") else self._index())
        self._count(len(parts))
        return Path(root, tuple(parts))

    def _name(self) -> str:
        if self._next.kind is not TokenKind.NAME:
            raise self._unexpected(expected="a name after `.`", fix=hints.INDEX_HINT)
        return self._pass().text

    def _index(self) -> int:
        self._pass()
        token = self._next
        # By the text too, because -0 is a whole number and yet no index.
        if not isinstance(token.value, int) or token.text.startswith("-"):
            raise self._unexpected(expected="a whole number from 0 up", fix=hints.INDEX_HINT)
        self._pass()
        self._need("]", hints.INDEX_HINT)
        return token.value

    def _list(self) -> tuple[Literal, ...]:
        self._need("[", 'write a list of literals: state in ["open", "held"]')
        if self._take("]"):
            return ()
        literals = [self._literal()]
        while self._take(","):
            literals.append(self._literal())
        self._need("]", "separate literals with commas and close the list with ]")
        return tuple(literals)

    def _literal(self) -> Literal:
        token = self._next
        self._count()
        match token.kind:
            case TokenKind.NUMBER:
                literal = Literal(token.value, Kind.NUMBER)
            case TokenKind.TEXT:
                literal = Literal(token.value, Kind.TEXT)
            case _ if token.text in _CONSTANTS:
                literal = _CONSTANTS[token.text]
            case _:
                raise self._unexpected(expected="a literal", fix=hints.for_literal(token.text))
        self._pass()
        return literal

    def _pass(self) -> Token:
        passed, self._next = self._next, next(self._tokens)
        return passed

    def _take(self, text: str) -> bool:
        # The text alone tells signs and words apart: a quoted text keeps its quotes in it.
        if self._next.text != text:
            return False
        self._pass()
        return True

    def _need(self, text: str, fix: str) -> None:
        if not self._take(text):
            raise self._unexpected(expected=f"`{text}`", fix=fix)

    def _unexpected(self, *, expected: str, fix: str) -> InvalidExpression:
        found = self._next
        return unexpected(found.position, expected=expected, found=shown(found.text), fix=fix)

    def _descend(self, depth: int) -> None:
        # Checked before the recursion, so the stack is bounded whatever the text is.
        limit = self._grammar.limits.depth
        if depth >= limit:
            message = f"the expression is nested deeper than {limit} levels of ( and !"
            raise InvalidExpression(
                message,
                position=self._next.position,
                expected=f"at most {limit} levels",
                found=shown(self._next.text),
                fix="remove parentheses, or use several conditions",
            )
        self._pass()

    def _count(self, nodes: int = 1) -> None:
        self._nodes += nodes
        limit = self._grammar.limits.nodes
        if self._nodes > limit:
            message = f"the expression has more than {limit:,} nodes"
            raise InvalidExpression(
                message,
                position=self._next.position,
                expected=f"at most {limit:,} nodes",
                found=shown(self._next.text),
                fix="shorten it, or use several conditions",
            )
