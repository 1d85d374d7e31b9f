"""Load the hand-written statements from ``sql/<dialect>/*.sql`` and make them ready to run.

In a file each statement has a head, ``-- name: verb_noun``, one or two comment lines that say what
it is for, and then the SQL, whose parameters are written ``:name``. SQLite numbers them
itself by their first use; for PostgreSQL they become ``$1`` to ``$n``. Nothing here talks to a
database.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from interlock.store.lexemes import Lexeme, lexemes

Dialect = Literal["sqlite", "postgres"]

SQL_FOLDER = Path(__file__).parent / "sql"

_HEAD = re.compile(r"^--[ \t]*name:(.*)$", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


Arranged = Callable[[Mapping[str, object]], tuple[object, ...]]


class BadStatement(AssertionError):
    """A file of statements is not as it should be: a bug of ours, found when it is loaded."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement as the driver takes it, with its parameters in the order of first use."""

    name: str
    sql: str
    parameters: tuple[str, ...]
    # Puts values in the order of the parameters.
    arguments: Arranged = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", _arranged(self.parameters))


Statements = Mapping[str, Statement]
"""All statements of one dialect by name, in the order of their files."""


@cache
def statements(dialect: Dialect, folder: Path = SQL_FOLDER) -> Statements:
    """Read every file of the dialect, once; raise ``BadStatement`` for the first not in order."""
    found: dict[str, Statement] = {}
    for path in sorted((folder / dialect).glob("*.sql")):
        for name, sql in _read(path):
            if name in found:
                raise BadStatement(f"{path.name}: {name} is said twice")
            found[name] = _prepare(dialect, name, sql, path)
    return MappingProxyType(found)


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """Yield name and SQL of each statement; the comments that say what it is for are left out."""
    before, *rest = _HEAD.split(path.read_text(encoding="utf-8"))
    if _without_comments_above(before):
        raise BadStatement(f"{path.name}: begins with a statement that has no name")
    for name, body in zip(rest[::2], rest[1::2], strict=True):
        said = name.strip()
        if not _NAME.fullmatch(said):
            raise BadStatement(f"{path.name}: {said!r} is not a name like verb_noun")
        if not body.lstrip().startswith("--"):
            raise BadStatement(f"{path.name}: {said} does not say what it is for")
        sql = _without_comments_above(body)
        if not sql:
            raise BadStatement(f"{path.name}: {said} is empty")
        yield said, sql


def _without_comments_above(text: str) -> str:
    first = next((piece.start for piece in lexemes(text) if piece.kind != "comment"), len(text))
    return text[first:].strip()


def _prepare(dialect: Dialect, name: str, sql: str, path: Path) -> Statement:
    numbers: dict[str, int] = {}
    made: list[str] = []
    done = 0
    end = len(sql)
    for piece in lexemes(sql):
        if piece.kind == "comment":
            continue
        if end < piece.start:
            raise BadStatement(f"{path.name}: what comes after {name} has no name")
        if piece.text == ";":
            end = piece.start
        if _is_place(piece, dialect):
            raise BadStatement(f"{path.name}: {name} has {piece.text}: write parameters as :name")
        if piece.kind == "parameter":
            number = numbers.setdefault(piece.text[1:], len(numbers) + 1)
            made += [sql[done : piece.start], f"${number}" if dialect == "postgres" else piece.text]
            done = piece.start + len(piece.text)
    if end == 0:
        raise BadStatement(f"{path.name}: {name} is empty")
    return Statement(name, "".join([*made, sql[done:end]]).rstrip(), tuple(numbers))


def _arranged(names: tuple[str, ...]) -> Arranged:
    """Return what picks the named values; with several names nothing of it is Python."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda values: tuple(values[name] for name in names)


def _is_place(piece: Lexeme, dialect: Dialect) -> bool:
    """Say whether it is a parameter without a name; in PostgreSQL ``?`` is an operator."""
    return piece.kind == "place" or (piece.text == "?" and dialect == "sqlite")
