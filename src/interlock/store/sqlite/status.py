"""How a SQLite file stands, read without changing it."""

from contextlib import closing
from pathlib import Path
from typing import cast

import apsw

from interlock.store.migrate import applied_sqlite, own_migrations, pending
from interlock.store.sqlite.backup import incarnation_of, looked_at
from interlock.store.sqlite.connect import translated
from interlock.store.statements import statements
from interlock.store.status import COUNTED, Status


def status(place: Path, synchronous: str, now: int) -> Status:
    """Say how a file stands; ``synchronous`` is how it would be opened."""
    with closing(looked_at(place)) as connection, translated(place):
        applied = applied_sqlite(connection)
        missing = pending(applied, own_migrations("sqlite"))
        journal = str(_one(connection, "PRAGMA journal_mode"))
        wal = place.with_name(place.name + "-wal")
        is_durable = synchronous == "full" and journal in ("wal", "delete")
        restored = connection.execute(statements("sqlite")["list_restores"].sql).fetchall() if (
            _has(connection, "restores")) else []  # fmt: skip
        last = restored[-1] if restored else ("", "", 0, 0, "")
        return Status(
            "sqlite", apsw.sqlite_lib_version(), len(applied),
            tuple(one.number for one in missing), incarnation_of(connection),
            "full" if is_durable else "degraded", place.stat().st_size,
            {
                name: _number(connection, f"SELECT count(*) FROM {name}")  # noqa: S608 (names of ours)
                for name in COUNTED
            },
            _number(connection, statements("sqlite")["count_held"].sql, now),
            {
                "file": str(place), "journal_mode": journal, "synchronous": synchronous,
                "wal_bytes": str(wal.stat().st_size if wal.exists() else 0),
            },
            cast("int", last[3]), cast("int", last[2]),
        )  # fmt: skip


def _has(connection: apsw.Connection, table: str) -> bool:
    asked = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
    ((count,),) = connection.execute(asked, (table,)).fetchall()
    return bool(count)


def _number(connection: apsw.Connection, asked: str, now: int | None = None) -> int:
    values = {} if now is None else {"now": now}
    ((count,),) = connection.execute(asked, values).fetchall()
    return cast("int", count)


def _one(connection: apsw.Connection, asked: str) -> object:
    ((found,),) = connection.execute(asked).fetchall()
    return found
