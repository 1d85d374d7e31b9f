"""Ask an expression of a scope. Total: whatever the scope holds, the answer is true or false.

No code of a value ever runs: only exact dicts and lists are looked into, only exact numbers,
strings, booleans and None are compared. So no attribute, no ``__eq__`` and no property of an
object in the scope is reached, and the time depends on the expression alone.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Final, assert_never

from interlock.kernel.expression.tree import (
    AllOf,
    AnyOf,
    Comparison,
    Exists,
    Expression,
    Literal,
    Membership,
    Negation,
    Node,
    Operator,
    Path,
    kind_of,
)

# Of no kind, so a missing value differs from every literal without a rule of its own.
_MISSING: Final = object()

# Python compares an int with a float exactly, at any size, without turning one into the other.
_ORDERS: Final[Mapping[Operator, Callable[[float, float], bool]]] = {
    Operator.AT_LEAST: operator.ge,
    Operator.AT_MOST: operator.le,
    Operator.ABOVE: operator.gt,
    Operator.BELOW: operator.lt,
}


def evaluate(expression: Expression, scope: Mapping[str, object]) -> bool:
    """Return whether ``expression`` holds in ``scope``, a dict from root to JSON value.

    A path that does not resolve makes every comparison false except ``!==``, which is always the
    opposite of ``===``. ``exists`` is true of a null: the path resolves. Anything that JSON could
    not hold (an enum member, a tuple, a dict subclass) exists, but equals nothing and has nothing
    inside; this goes for the scope itself, and its keys must be plain strings.
    """
    return _holds(expression.root, scope)


def _holds(node: Node, scope: object) -> bool:
    # Recursion is safe: the parser bounds the depth, and chains are flat.
    match node:
        case Comparison(path, sign, literal):
            return _compare(_find(path, scope), sign, literal)
        case Membership(path, literals):
            value = _find(path, scope)
            return any(_is_same(value, literal) for literal in literals)
        case Exists(path):
            return _find(path, scope) is not _MISSING
        case Negation(term):
            return not _holds(term, scope)
        case AllOf(terms):
            return all(_holds(term, scope) for term in terms)
        case AnyOf(terms):
            return any(_holds(term, scope) for term in terms)
        case _:
            assert_never(node)


def _find(path: Path, scope: object) -> object:
    value = _look_in(scope, path.root)
    for part in path.parts:
        value = _look_in(value, part)
    return value


def _look_in(container: object, part: str | int) -> object:
    # Exact types: a subclass could override the lookup and run whatever it likes.
    if type(container) is dict and isinstance(part, str):
        return container.get(part, _MISSING)
    if type(container) is list and isinstance(part, int) and part < len(container):
        return container[part]
    return _MISSING


def _compare(value: object, sign: Operator, literal: Literal) -> bool:
    if sign is Operator.EQUAL:
        return _is_same(value, literal)
    if sign is Operator.DIFFERENT:
        return not _is_same(value, literal)
    left, right = _number(value), _number(literal.value)
    return left is not None and right is not None and _ORDERS[sign](left, right)


def _is_same(value: object, literal: Literal) -> bool:
    return kind_of(value) is literal.kind and value == literal.value


def _number(value: object) -> float | None:
    # By exact type, because a bool is an int to Python and must not be one here.
    if type(value) is int or type(value) is float:
        return value
    return None
