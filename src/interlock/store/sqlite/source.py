"""A SQLite file that everything is copied from: locked against writers, read table by table.

The lock is SQLite's own: others go on reading, and whoever writes waits, and is told after a while
that the database is busy. Nothing is changed here.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from interlock.store.errors import StoreError
from interlock.store.moving import CopyRefused
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.session import Session
from interlock.store.sums import Sum, Sums
from interlock.store.tables import OWN, Row, Table, count_rows, read_rows, tables

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
        except StoreError:
            self._connection.close()
            raise
        self._session = Session(self._connection, "")
        found = self._session.row("load_incarnation", {})
        self.incarnation = "" if found is None else str(found[0])
        self.tables = tables(self._connection, OWN)

    def close(self) -> None:
        """Let others write again."""
        self._connection.execute("ROLLBACK")
        self._connection.close()

    def rows(self, table: Table, skip: int = 0) -> Iterator[Row]:
        """Yield the rows of a table in the order of its key, from a place on."""
        # The order in which SQLite numbers them, so that the feed goes on in it.
        with translated(self.path):
            yield from read_rows(self._connection, table, table.columns, table.key, skip)

    def count(self, table: Table) -> int:
        """Count the rows of a table."""
        return count_rows(self._connection, table)

    def sums(self, tell: Callable[[str, int], None]) -> Sums:
        """Return what every table comes to; ``tell`` is told of each that is done."""
        found = {}
        for table in self.tables:
            told = Sum()
            for row in read_rows(self._connection, table, table.compared):
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
