"""Every table of a database by what both dialects have of it: its columns, its key, its order.

The list is read from the schema of a SQLite file, so a table that is added later is in it. It is
what backups, restores and copies go by; what the rows mean is not known here. Names of tables and
columns are the only pieces that statements are ever made from, and they all come from that schema.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Final, NamedTuple, cast

import apsw

from interlock.store.library import owner_word
from interlock.store.rows import Value

Row = tuple[Value, ...]
Tell = Callable[[int, int], None]
"""Told how much is done, and of how much."""

LEFT_OUT: Final = {
    "incarnations": "a database that is made of another one has a name of its own",
    "manifest": "tells of a backup, and is no table of a database",
    "migrations": "the schema is made, not copied",
    "tries": "slows guessers down for a minute",
}
"""What is not copied row by row, and why."""

NUMBERED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "audit": ("position", ("tenant", "unit", "sequence")),
    "chunks": ("id", ("tenant", "document", "place")),
}
"""Tables to which SQLite gives numbers of its own, and what is the key of a row beside them."""

CHUNKS: Final = "chunks"
FIRST_TENANT: Final = "tenants"


class Table(NamedTuple):
    """A table: the columns that both dialects have, and those of them that are its key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def tenant(self) -> str:
        """The column that says whose a row is; none where nobody's."""
        if self.name == FIRST_TENANT:
            return "id"
        return "tenant" if "tenant" in self.columns else ""


class Counted(NamedTuple):
    """How many rows a table has, and a digest of all that is in them."""

    rows: int
    digest: str


def tables(connection: apsw.Connection) -> tuple[Table, ...]:
    """Return the tables of a file; what a table refers to comes before it."""
    listed = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"
    )
    names = [str(name) for (name,) in listed]
    left = [name for name in names if name not in LEFT_OUT and not name.startswith("sqlite_")]
    found: list[Table] = []
    while left:
        known = {one.name for one in found}
        ready = [name for name in left if _needs(connection, name) <= known]
        if not ready:
            raise AssertionError(f"tables refer to each other in a circle: {left}")
        found += [_table(connection, name) for name in ready]
        left = [name for name in left if name not in ready]
    return tuple(found)


def _needs(connection: apsw.Connection, name: str) -> set[str]:
    rows = connection.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', (name,))
    return {str(other) for (other,) in rows} - {name}


def _table(connection: apsw.Connection, name: str) -> Table:
    rows = connection.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY name", (name,))
    columns = {str(column): cast("int", place) for column, place in rows}
    own, key = NUMBERED.get(name, ("", ()))
    columns.pop(own, None)
    placed = sorted((place, column) for column, place in columns.items() if place)
    return Table(name, tuple(columns), key or tuple(column for _, column in placed))


def read_rows(connection: apsw.Connection, table: Table, order: str = "") -> Iterator[Row]:
    """Yield all rows of a table of a SQLite file in the order of its key, or of another column."""
    said = f"SELECT {_list(table.columns)} FROM {table.name} ORDER BY {order or _list(table.key)}"  # noqa: S608 (names of ours)
    return cast("Iterator[Row]", connection.execute(said))


def add_rows(connection: apsw.Connection, table: Table, rows: Iterable[Row]) -> None:
    """Add rows to a table of a SQLite file."""
    places = ", ".join("?" * len(table.columns))
    said = f"INSERT INTO {table.name} ({_list(table.columns)}) VALUES ({places})"  # noqa: S608 (names of ours)
    connection.executemany(said, rows)


def count_rows(connection: apsw.Connection, table: Table) -> int:
    """Count the rows of a table of a SQLite file."""
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {table.name}")  # noqa: S608 (names of ours)
    return cast("int", rows)


def digest(rows: Iterable[Row]) -> Counted:
    """Count rows and digest what is in them; the same rows give the same in either dialect."""
    count, summed = 0, sha256()
    for row in rows:
        count += 1
        summed.update(json.dumps(row, default=_hex, separators=(",", ":")).encode() + b"\n")
    return Counted(count, summed.hexdigest())


def digests(connection: apsw.Connection, tell: Tell = lambda _, __: None) -> dict[str, Counted]:
    """Count and digest every table of a SQLite file, and the words of its index with them."""
    found: dict[str, Counted] = {}
    all_tables = tables(connection)
    for place, table in enumerate(all_tables):
        tell(place, len(all_tables))
        found[table.name] = digest(read_rows(connection, table))
    if CHUNKS in found:
        found["words"] = digest(sorted(words(connection).items()))
    return found


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


def _list(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _hex(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    message = f"a row holds {value!r}"
    raise TypeError(message)
