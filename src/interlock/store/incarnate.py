"""What becomes of the rows of a backup before they are a database again: a new incarnation.

What was promised between the backup and now is not known any more. So nothing that was handed out
before is good: leases carry the old incarnation, replies are marked, links, sessions and places in
the stream are void. Units and their audits stay as they are, byte for byte.
"""

from collections.abc import Mapping
from contextlib import closing
from typing import Final

import apsw

from interlock.clock import Clock
from interlock.store.backup import NAME, BackupDamaged, Manifest
from interlock.store.dump import dump_sqlite_schema
from interlock.store.migrate import migrate_sqlite
from interlock.store.rows import dump
from interlock.store.script import BEFORE
from interlock.store.statements import statements

NAME_LENGTH: Final = 12
RESTORE: Final = "restore"
VOIDED: Final = (
    "void_replies", "end_leases", "end_all_sessions", "use_all_logins",
    "withdraw_all_invitations", "forget_link_keys",
)  # fmt: skip


def _require_own_schema(connection: apsw.Connection) -> None:
    """Raise unless the file has our tables and triggers, and nothing that works beside them."""
    with closing(apsw.Connection(":memory:")) as fresh:
        migrate_sqlite(fresh, 0)
        is_ours = dump_sqlite_schema(fresh) == dump_sqlite_schema(connection)
    if not is_ours:
        fix = "Take another backup; this one cannot be trusted."
        raise BackupDamaged("The tables of the backup are not ours.", fix=fix)


def incarnate(connection: apsw.Connection, manifest: Manifest, clock: Clock) -> str:
    """Make a database of the rows of a backup; return the name of its incarnation.

    The schema is brought up to date; a backup of a newer program raises ``SchemaTooNew``.
    """
    now = clock.now()
    connection.execute(f"DROP TABLE IF EXISTS {NAME}")
    migrate_sqlite(connection, now)
    _require_own_schema(connection)
    name = clock.new_id("i").removeprefix("i-")[:NAME_LENGTH]
    said = statements("sqlite")
    values: Mapping[str, int | str] = {"at": now, "mark": BEFORE, "name": name}
    with connection:
        connection.execute(said["rename_incarnation"].sql, values)
        for statement in VOIDED:
            connection.execute(said[statement].sql, values)
        restored = {
            **values, "former": manifest.incarnation, "taken_at": manifest.taken_at,
            "digest": manifest.digest,
        }  # fmt: skip
        connection.execute(said["insert_restore"].sql, restored)
        told = dump({"from": manifest.incarnation, "taken_at": manifest.taken_at})
        for (tenant,) in connection.execute(said["list_tenants"].sql).fetchall():
            act = {
                **values, "tenant": tenant, "id": clock.new_id("act"), "kind": "system",
                "who": "operator", "behalf": "", "channel": "cli", "act": RESTORE, "about": name,
                "told": told,
            }  # fmt: skip
            connection.execute(said["insert_act"].sql, act)
    return name
