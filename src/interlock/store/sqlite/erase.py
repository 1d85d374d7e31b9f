"""Erase a tenant from a SQLite file, so that no byte of it is left there.

The rows go in one transaction. After that the index of words is written anew, because it only marks
what was taken out of it; then the whole file, and the write-ahead log is emptied. Whoever is killed
in between runs it again. Other processes may go on with the file, but wait for a while.
"""

from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from interlock.store.backup import STAGING
from interlock.store.erasing import ERASES, Erased
from interlock.store.erasures import Erasure
from interlock.store.errors import StoreBusy
from interlock.store.people import Act
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.session import Session

COPIES: Final = ("{name}.*", f"{STAGING}*")
"""What migrations and restores leave beside a file, also those that were killed."""


def erase(path: Path, tenant: str, at: int, act: Act) -> Erased:
    """Erase a tenant, or once more what is left in the file of one that was erased."""
    with closing(connect(path)) as connection, translated(path):
        # What is freed is overwritten at once, not only when the file is written anew.
        connection.execute("PRAGMA secure_delete = on")
        told = erase_rows(connection, tenant, at, act)
        _clean(connection, path)
    names = (one.format(name=path.name) for one in COPIES)
    left = sorted(str(one) for name in names for one in path.parent.glob(name))
    return told._replace(left=tuple(left))


def erase_again(connection: apsw.Connection, tenant: str, at: int, act: Act) -> bool:
    """Erase a tenant from the rows of a backup, with all bytes; say whether it had not been."""
    connection.execute("PRAGMA secure_delete = on")
    before = erasures(connection)
    erase_rows(connection, tenant, at, act)
    Session(connection, "").write("merge_words", {})
    connection.execute("VACUUM")
    return erasures(connection) != before


def erasures(connection: apsw.Connection) -> tuple[Erasure, ...]:
    """Return the erasures that a database knows of itself."""
    session = Session(connection, "")
    names = tuple(str(row[0]) for row in session.rows("list_lineage", {}))
    return tuple(
        Erasure(str(row[0]), int(str(row[1])), names) for row in session.rows("list_erased", {})
    )


def erase_rows(connection: apsw.Connection, tenant: str, at: int, act: Act) -> Erased:
    """Erase the rows of a tenant, and say so with an act; nothing where it was erased before."""
    session = Session(connection, tenant)
    connection.execute("BEGIN IMMEDIATE")
    try:
        rows = entries = 0
        if session.change("close_tenant", {"at": at}):
            session.write("erase_words", {})
            for name in ERASES:
                gone = session.change(name, {"at": at})
                entries = gone if name == "erase_audit" else entries
                rows += gone
            session.write("insert_act", {**act._asdict(), "at": at})
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return Erased(at, rows, entries)


def _clean(connection: apsw.Connection, path: Path) -> None:
    """Leave no byte in the file that no row has, and none in its log."""
    Session(connection, "").write("merge_words", {})
    connection.execute("VACUUM")
    ((is_busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if is_busy:
        message = f"Others read {path} just now, so what was erased is still in its log."
        raise StoreBusy(message, fix="Run the same command again; nothing else is left to do.")
