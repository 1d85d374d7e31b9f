"""Describe the schema of a database as text, so that two databases can be compared.

What means the same gives the same text: layout, comments, the order of columns and the way a
table came about leave no trace. The table of migrations and all data are left out. The text is for
comparing and reading; no database can be made from it.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

import apsw

from interlock.store.lexemes import plain
from interlock.store.statements import statements

if TYPE_CHECKING:
    import asyncpg


def dump_sqlite_schema(connection: apsw.Connection) -> str:
    """Return tables, indexes, triggers and views of the main database, in a fixed order."""
    said = statements("sqlite")["list_definitions"]
    lines: list[str] = []
    for kind, name, sql in connection.execute(said.sql):
        words = plain(sql)
        is_virtual = words[1] == "virtual"
        said_of = [words] if kind != "table" or is_virtual else _table(words)
        lines += [f"{kind} {name}", *(f"    {' '.join(one)}" for one in said_of)]
    return _joined(lines)


async def dump_postgres_schema(connection: "asyncpg.Connection[asyncpg.Record]") -> str:
    """Return everything that was made in the database and who may use it, in a fixed order."""
    lines: list[str] = []
    for name, said in statements("postgres").items():
        if name.startswith("describe_"):
            lines += sorted([row["line"] for row in await connection.fetch(said.sql)])
    return _joined(lines)


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _table(words: list[str]) -> Iterator[list[str]]:
    """Yield what stands between a table's brackets, sorted, and then what stands behind them.

    The order says nothing, and a column that was added later always comes last.
    """
    start = words.index("(")
    depths = list(accumulate((word == "(") - (word == ")") for word in words[start:]))
    end = start + depths.index(0)
    yield from sorted(_parted(words[start + 1 : end]))
    yield from sorted(_parted(words[end + 1 :]))


def _parted(words: list[str]) -> list[list[str]]:
    """Part at the commas that stand in no bracket."""
    items: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == ",":
            items.append([])
        else:
            items[-1].append(word)
    return [item for item in items if item]
