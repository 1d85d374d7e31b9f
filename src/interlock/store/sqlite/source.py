"""A SQLite file that everything is copied from: locked against writers, read table by table.

The lock is SQLite's own: others go on reading, and whoever writes waits, and is told after a while
that the database is busy. Nothing is changed here.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

import apsw

from interlock.store.moving import OWN, CopyRefused, Row, Sum, Sums, Table
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.session import Session
from interlock.store.statements import statements

LOCK_MS: Final = 5_000
"""How long others may still be at it."""


class SqliteSource:
    """One file, as it stood when it was locked; close it to let others write again."""

    def __init__(self, path: Path) -> None:
        """Open a file that is there and lock it; raises ``CopyRefused`` while others write."""
        self.path = path
        if not path.exists():
            message = f"There is no database at {path}."
            raise CopyRefused(message, fix="Name the folder that has it with --data.")
        self._connection = connect(path)
        self._connection.set_busy_timeout(LOCK_MS)
        try:
            with translated(path):
                self._connection.execute("BEGIN IMMEDIATE")
        except apsw.Error:
            self._connection.close()
            raise
        self._session = Session(self._connection, "")
        found = self._session.row("load_incarnation", {})
        self.incarnation = "" if found is None else str(found[0])
        self.tables = tuple(self._tables())

    def close(self) -> None:
        """Let others write again."""
        self._connection.execute("ROLLBACK")
        self._connection.close()

    def _tables(self) -> Iterator[Table]:
        said = statements("sqlite")
        for (name,) in self._connection.execute(said["list_tables"].sql).fetchall():
            if name in OWN:
                continue
            asked = {"name": name}
            columns = self._connection.execute(said["list_columns"].sql, asked).fetchall()
            key = sorted((place, str(one)) for one, place in columns if place)
            needs = self._connection.execute(said["list_references"].sql, asked).fetchall()
            yield Table(
                str(name),
                tuple(str(one) for one, _ in columns),
                tuple(one for _, one in key),
                frozenset(str(one) for (one,) in needs),
            )

    def rows(self, table: Table, skip: int = 0) -> Iterator[Row]:
        """Yield the rows of a table in the order of its key, from a place on."""
        return self._read(table, table.columns, skip)

    def _read(self, table: Table, columns: tuple[str, ...], skip: int) -> Iterator[Row]:
        # All names are the database's own; what there is to be read cannot be said before.
        names, key = (", ".join(f'"{one}"' for one in some) for some in (columns, table.key))
        sql = f'SELECT {names} FROM "{table.name}" ORDER BY {key} LIMIT -1 OFFSET ?'  # noqa: S608  same
        with translated(self.path):
            yield from cast("Iterator[Row]", self._connection.execute(sql, (skip,)))

    def count(self, table: Table) -> int:
        """Count the rows of a table."""
        ((found,),) = self._connection.execute(f'SELECT count(*) FROM "{table.name}"')  # noqa: S608  same
        return int(str(found))

    def sums(self, tell: Callable[[str, int], None]) -> Sums:
        """Return what every table comes to; ``tell`` is told of each that is done."""
        found = {}
        for table in self.tables:
            told = Sum()
            for row in self._read(table, table.compared, 0):
                told = told.add(row)
            found[table.name] = told
            tell(table.name, told.rows)
        return found

    def stops(self) -> frozenset[int]:
        """Return the positions in the audit that somebody stands at."""
        found = self._session.rows("list_positions", {})
        return frozenset(int(str(one)) for (one,) in found if str(one).isdigit())

    def entry_before(self, tenant: str, position: str) -> tuple[str, int] | None:
        """Return the last entry of a tenant up to a position: its unit and its number."""
        place = int(position) if position.isdigit() else 0
        row = Session(self._connection, tenant).row("entry_before", {"place": place})
        return None if row is None else (str(row[0]), int(str(row[1])))
