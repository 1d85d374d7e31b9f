"""Where errors are raised, read from the source: what each says is wrong, and what to do.

Only texts are read, nothing is run. Statements are followed in their order, so that a name stands
for what it was last given; where branches differ, it may be any of them. What a text takes
from elsewhere shows as three dots.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ELSEWHERE: Final = "…"
BLOCKS: Final = ("body", "orelse", "handlers", "finalbody", "cases")

Texts = dict[str, tuple[str, ...]]
"""What names stand for, as far as that is text."""


class Site(NamedTuple):
    """One way in which a class of error is raised."""

    error: str
    message: str
    fix: str
    # The module, by its path from the folder: interlock/service/read.py is service.read.
    where: str = ""


def sites(folder: Path) -> list[Site]:
    """Return every way in which the source in a folder raises errors, each once."""
    found: dict[Site, None] = {}
    for path in sorted(folder.rglob("*.py")):
        follower = _Follower()
        follower.follow(ast.parse(path.read_bytes()).body, "", {})
        where = ".".join(path.relative_to(folder).with_suffix("").parts)
        found |= dict.fromkeys(site._replace(where=where) for site in follower.found)
    return list(found)


class _Follower:
    """Follows the statements of one module."""

    def __init__(self) -> None:
        self.found: list[Site] = []

    def follow(self, block: list[ast.stmt], owner: str, known: Texts) -> Texts:
        """Follow a block within a class; return what names stand for at its end."""
        for statement in block:
            inner = list(_blocks(statement))
            for node in _own(statement):
                if isinstance(node, ast.Call):
                    self.found += _site(node, owner, known)
            if isinstance(statement, ast.ClassDef):
                self.follow(statement.body, statement.name, known)
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self.follow(statement.body, owner, known)
            elif inner:
                known = self._branch(inner, owner, known)
            else:
                known = known | _given(statement, known)
        return known

    def _branch(self, blocks: list[list[ast.stmt]], owner: str, known: Texts) -> Texts:
        """Follow blocks of which one or another is walked."""
        merged: Texts = {}
        for block in blocks:
            after = self.follow(block, owner, known)
            if block and isinstance(block[-1], ast.Raise | ast.Return):
                continue  # nothing comes after it
            for name, texts in after.items():
                if texts != known.get(name):
                    merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *texts)))
        return known | merged


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in BLOCKS:
        for one in getattr(statement, name, ()):
            if isinstance(one, ast.ExceptHandler | ast.match_case):
                yield one.body
        block = getattr(statement, name, ())
        if block and isinstance(block, list) and isinstance(block[0], ast.stmt):
            yield block


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what belongs to a statement itself, not to the blocks in it."""
    waiting: list[ast.AST] = [
        child
        for child in ast.iter_child_nodes(statement)
        if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
    ]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += ast.iter_child_nodes(node)


def _given(statement: ast.stmt, known: Texts) -> Texts:
    """Return the texts that a statement gives names to."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            return dict(_names(target, value, known))
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return dict(_names(target, value, known))
        case _:
            return {}


def _names(
    target: ast.expr, value: ast.expr, known: Texts
) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, text in zip(target.elts, value.elts, strict=False):
            yield from _names(one, text, known)
    elif isinstance(target, ast.Name):
        yield target.id, _said(value, known)


def _site(call: ast.Call, owner: str, known: Texts) -> Iterator[Site]:
    fix = next((word.value for word in call.keywords if word.arg == "fix"), None)
    if fix is None:
        return
    function = call.func
    name = function.id if isinstance(function, ast.Name) else ""
    if isinstance(function, ast.Attribute):
        name = owner if function.attr == "__init__" else function.attr
    messages = _said(call.args[0], known) if call.args else ()
    yield Site(name, "\n".join(messages), "\n".join(_said(fix, known)))


def _said(value: ast.expr, known: Texts) -> tuple[str, ...]:
    """Return the texts that an expression may be."""
    match value:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.Name(id=name):
            return known.get(name, ())
        case ast.IfExp(body=one, orelse=other):
            return (*_said(one, known), *_said(other, known))
        case ast.JoinedStr(values=pieces):
            return ("".join(_piece(piece, known) for piece in pieces),)
        case ast.BinOp(left=left, right=right):
            return ("".join((_said(side, known) or (ELSEWHERE,))[0] for side in (left, right)),)
        case _:
            return ()


def _piece(piece: ast.expr, known: Texts) -> str:
    if isinstance(piece, ast.FormattedValue):
        told = _said(piece.value, known) if isinstance(piece.value, ast.Name) else ()
        return told[0] if len(told) == 1 else ELSEWHERE
    return "".join(_said(piece, known))
