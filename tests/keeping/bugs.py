"""Bugs in backups, restores and checkpoints that the campaigns of this folder must notice.

Each is planted in this process while a block lasts; no name plants nothing.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import apsw
import pytest

from interlock import upkeep
from interlock.clock import Clock
from interlock.service import checkpoint, verify, witness
from interlock.service.checkpoint import Checkpoint, Wrong
from interlock.service.engine import Engine
from interlock.service.verify import Finding
from interlock.store.backup import NAME, Manifest
from interlock.store.migrate import migrate_sqlite
from interlock.store.port import AuditRow
from interlock.store.sqlite import backup
from interlock.store.tables import Tell, add_rows, read_rows, tables

BETWEEN_TABLES_S: Final = 0.02

Plant = Callable[[pytest.MonkeyPatch], None]


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug while a block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        if bug:
            BUGS[bug](patch)
        yield


def _table_by_table(patch: pytest.MonkeyPatch) -> None:
    def copy(source: apsw.Connection, target: apsw.Connection, tell: Tell) -> None:
        migrate_sqlite(target, 0)
        with target:
            for table in tables(target):
                time.sleep(BETWEEN_TABLES_S)  # as long as a large table takes
                add_rows(target, table, read_rows(source, table))
            row = source.execute("SELECT name, created_at FROM incarnations").fetchall()[0]
            target.execute("INSERT INTO incarnations VALUES (1, ?, ?)", row)
        tell(1, 1)

    patch.setattr(backup, "copy_pages", _only_backups(copy))


def _only_backups(
    copy: Callable[[apsw.Connection, apsw.Connection, Tell], None],
) -> Callable[[apsw.Connection, apsw.Connection, Tell], None]:
    """Let restores go on as they are: they go to a file that has tables already, or is exclusive."""
    real = backup.copy_pages

    def one(source: apsw.Connection, target: apsw.Connection, tell: Tell) -> None:
        is_backup = target.filename.endswith(".partial") and ".before-" not in target.filename
        (copy if is_backup else real)(source, target, tell)

    return one


def _same_incarnation(patch: pytest.MonkeyPatch) -> None:
    def keep(connection: apsw.Connection, manifest: Manifest, clock: Clock) -> str:
        connection.execute(f"DROP TABLE IF EXISTS {NAME}")
        migrate_sqlite(connection, clock.now())
        return manifest.incarnation

    patch.setattr(upkeep, "incarnate", keep)


def _stored_hashes(patch: pytest.MonkeyPatch) -> None:
    async def stored(engine: Engine, tenant: str, unit: str, last: int) -> AsyncIterator[str]:
        for row in await engine.store.audit(tenant, unit, 0, last):
            yield row.link.hash

    def believe(unit: str, tenant: str, entries: list[AuditRow]) -> Iterator[Finding]:
        del unit, tenant, entries
        return iter(())

    patch.setattr(witness, "_hashes", stored)
    patch.setattr(verify, "wrong_chain", believe)


def _no_chain(patch: pytest.MonkeyPatch) -> None:
    def anywhere(line: Checkpoint, number: int, before: str) -> Iterator[Wrong]:
        del line, number, before
        return iter(())

    patch.setattr(checkpoint, "_misplaced", anywhere)


def _restores_explain_all(patch: pytest.MonkeyPatch) -> None:
    def silent(self: object) -> None:
        del self

    patch.setattr(witness._Judge, "sum_up", silent)


BUGS: Final[dict[str, Plant]] = {
    "backup table by table": _table_by_table,
    "restore keeps the incarnation": _same_incarnation,
    "verify trusts stored hashes": _stored_hashes,
    "checkpoints without a chain": _no_chain,
    "a restore is passed over in silence": _restores_explain_all,
}
