"""Statements by name on one connection, for one tenant at a time.

This is the one place where the tenant enters a statement: whoever runs one cannot choose another
tenant, nor leave it out.
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol, TypeVar, cast

import apsw

from interlock.store.rows import Value
from interlock.store.statements import statements

Row = tuple[Value, ...]
Values = dict[str, Value]
T = TypeVar("T")


class Session:
    """One connection, as one tenant uses it."""

    __slots__ = ("_connection", "_cursor", "_execute", "_sees_deleted", "_statements", "tenant")

    def __init__(
        self,
        connection: apsw.Connection,
        tenant: str,
        cursor: apsw.Cursor | None = None,
        *,
        sees_deleted: bool = False,
    ) -> None:
        """Let a tenant use a connection; only who proves the audit sees what is deleted.

        Whoever makes one session after the other lends each of them the same cursor.
        """
        self._connection = connection
        # Good for everything that is read to its end at once; making one costs time.
        self._cursor = connection.cursor() if cursor is None else cursor
        self._execute = self._cursor.execute
        self._statements = statements("sqlite")
        self._sees_deleted = int(sees_deleted)
        self.tenant = tenant

    def close(self) -> None:
        """Give back what it has of the connection, while nobody else is using that.

        An error keeps whoever it went through. A cursor that is let go of by one thread while
        another is using the connection is kept by apsw until the connection is closed.
        """
        self._cursor.close()

    def rows(self, name: str, values: Values) -> Iterator[Row]:
        """Run a statement and yield its rows."""
        values["tenant"], values["sees_deleted"] = self.tenant, self._sees_deleted
        one = self._statements[name]
        found = self._connection.execute(one.sql, cast("Row", one.arguments(values)))
        return cast("Iterator[Row]", found)

    def row(self, name: str, values: Values) -> Row | None:
        """Run a statement and return its first row."""
        values["tenant"], values["sees_deleted"] = self.tenant, self._sees_deleted
        one = self._statements[name]
        found = self._execute(one.sql, one.arguments(values)).fetchall()
        return cast("Row", found[0]) if found else None

    def write(self, name: str, values: Values) -> None:
        """Run a statement that writes."""
        values["tenant"] = self.tenant
        one = self._statements[name]
        self._execute(one.sql, one.arguments(values))

    def change(self, name: str, values: Values) -> int:
        """Run a statement that writes; return how many rows it has changed."""
        self.write(name, values)
        return self._connection.changes()


class Reading(Protocol):
    """Runs something in a read transaction of its own."""

    def __call__(self, tenant: str, look: Callable[[Session], T], /) -> Awaitable[T]:
        """Look at the file as it is now."""
