"""Every table of a database: its columns, its key, what stands before it; and its rows in SQLite.

The list is asked of the database itself, so a table that is added later is in it. It is what
backups, restores and copies go by; what the rows mean is not known here, nor what they come to
(see ``sums``). Names of tables and columns are the only pieces that statements are ever made from,
and they all come from that list.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, cast

import apsw

from interlock.store.library import owner_word
from interlock.store.rows import Value
from interlock.store.statements import statements

Row = tuple[Value, ...]
Tell = Callable[[int, int], None]
"""Told how much is done, and of how much."""

LEFT_OUT: Final = {
    "incarnations": "a database that is made of another one has a name of its own",
    "manifest": "tells of a backup, and is no table of a database",
    "migrations": "the schema is made, not copied",
    "tries": "slows guessers down for a minute",
}
"""What is not backed up row by row, and why."""

OWN: Final = frozenset({"copies", "incarnations", "migrations"})
"""What a database says of itself: it is not copied to another one."""

ANEW: Final[Mapping[str, frozenset[str]]] = {
    "audit": frozenset({"position", "xid"}),
    "chunks": frozenset({"id", "words"}),
}
"""Columns that each kind of database makes by itself."""

TOLD_ANEW: Final[Mapping[str, frozenset[str]]] = {"hooks": frozenset({"position"})}
"""Columns that are in both and mean a place in one of them."""

KNOWN_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "audit": ("tenant", "unit", "sequence"),
    "chunks": ("tenant", "document", "place"),
}
"""What a row is known by in either kind, where SQLite gives it a number of its own."""

# A hook stands at a place in the audit, so the audit must be there before it.
BEFORE: Final[Mapping[str, frozenset[str]]] = {"hooks": frozenset({"audit"})}

CHUNKS: Final = "chunks"
FIRST_TENANT: Final = "tenants"


class Table(NamedTuple):
    """A table: its columns, those of its key, and the tables that its rows refer to."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    needs: frozenset[str]

    @property
    def owner(self) -> str:
        """The column that says whose a row is; none where it is nobody's."""
        if self.name == FIRST_TENANT:
            return "id"
        return "tenant" if "tenant" in self.columns else ""

    @property
    def known_by(self) -> tuple[str, ...]:
        """The columns that a row is known by in either kind of database."""
        return KNOWN_BY.get(self.name, self.key)

    @property
    def shared(self) -> tuple[str, ...]:
        """The columns that both kinds of database have, by name."""
        apart = ANEW.get(self.name, frozenset())
        return tuple(sorted(name for name in self.columns if name not in apart))

    @property
    def compared(self) -> tuple[str, ...]:
        """The columns that must be the same in both databases, by name."""
        apart = TOLD_ANEW.get(self.name, frozenset())
        return tuple(name for name in self.shared if name not in apart)


def tables(connection: apsw.Connection, left_out: Collection[str] = LEFT_OUT) -> tuple[Table, ...]:
    """Return the tables of a SQLite file; what a table refers to comes before it."""
    listed = connection.execute(statements("sqlite")["list_tables"].sql).fetchall()
    return in_order(_table(connection, str(name)) for (name,) in listed if name not in left_out)


def _table(connection: apsw.Connection, name: str) -> Table:
    said = statements("sqlite")
    columns = connection.execute(said["list_columns"].sql, {"name": name}).fetchall()
    key = sorted((cast("int", place), str(one)) for one, place in columns if place)
    needs = connection.execute(said["list_references"].sql, {"name": name}).fetchall()
    return Table(
        name,
        tuple(str(one) for one, _ in columns),
        tuple(one for _, one in key),
        frozenset(str(one) for (one,) in needs),
    )


def in_order(some: Iterable[Table]) -> tuple[Table, ...]:
    """Return tables so that each comes after those that its rows refer to."""
    left = {one.name: one for one in some}
    done: list[Table] = []
    while left:
        free = [
            name
            for name, one in sorted(left.items())
            if not ((one.needs | BEFORE.get(name, frozenset())) - {name}) & left.keys()
        ]
        if not free:
            raise AssertionError(f"tables refer to each other in a circle: {sorted(left)}")
        done += [left.pop(name) for name in free]
    return tuple(done)


def by_owner(rows: Sequence[Row], owner: int | None) -> Iterable[tuple[str, list[Row]]]:
    """Yield rows by whose they are: row security takes those of one tenant at a time."""
    if owner is None:
        return [("", [*rows])]

    def whose(row: Row) -> str:
        return str(row[owner])

    return [(name, [*some]) for name, some in groupby(sorted(rows, key=whose), whose)]


def read_rows(
    connection: apsw.Connection,
    table: Table,
    columns: Sequence[str] = (),
    order: Sequence[str] = (),
    skip: int = 0,
) -> Iterator[Row]:
    """Yield the rows of a table of a SQLite file, from a place on.

    They have the columns that both kinds share, in the order of what they are known by, where
    nothing else is asked for.
    """
    names, keys = listed(columns or table.shared), listed(order or table.known_by)
    said = f'SELECT {names} FROM "{table.name}" ORDER BY {keys} LIMIT -1 OFFSET ?'  # noqa: S608 (names of ours)
    return cast("Iterator[Row]", connection.execute(said, (skip,)))


def add_rows(connection: apsw.Connection, table: Table, rows: Iterable[Row]) -> None:
    """Add rows with the columns that both kinds share to a table of a SQLite file."""
    places = ", ".join("?" * len(table.shared))
    said = f'INSERT INTO "{table.name}" ({listed(table.shared)}) VALUES ({places})'  # noqa: S608 (names of ours)
    connection.executemany(said, rows)


def count_rows(connection: apsw.Connection, table: Table) -> int:
    """Count the rows of a table of a SQLite file."""
    ((rows,),) = connection.execute(f'SELECT count(*) FROM "{table.name}"')  # noqa: S608 (names of ours)
    return cast("int", rows)


def words(connection: apsw.Connection) -> dict[int, str]:
    """Return the words of each chunk of a SQLite file by its number, in their order."""
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunk_terms"
        " USING fts5vocab('main', 'chunk_words', 'instance')"
    )
    rows = connection.execute(
        "SELECT doc, group_concat(term, ' ' ORDER BY offset) FROM temp.chunk_terms"
        " WHERE col = 'words' GROUP BY doc"
    )
    return {cast("int", number): str(said) for number, said in rows}


def add_words(connection: apsw.Connection, said: Iterable[tuple[str, str, int, str]]) -> None:
    """Add the words of chunks, each named by tenant, document and place, to a SQLite file."""
    connection.executemany(
        "INSERT INTO chunk_words (rowid, owner, words) SELECT id, ?, ? FROM chunks"
        " WHERE tenant = ? AND document = ? AND place = ?",
        (
            (owner_word(tenant), text, tenant, document, place)
            for tenant, document, place, text in said
        ),
    )


def listed(names: Iterable[str]) -> str:
    """Return names of columns as a statement has them."""
    return ", ".join(f'"{name}"' for name in names)
