"""The floor on SQLite: a plain loop that writes the rows of a recorded plan, and decides nothing.

The same rows with the same bytes into the same tables (our schema, with its indexes, foreign keys
and triggers), one durable transaction a command, every hash computed anew. It loads nothing, looks
nothing up and words no answer: what it writes was put together before the clock runs.

There are two: through ``sqlite3`` of the standard library, as anybody would write it first, with
whatever SQLite the system has; and through ``apsw`` as we do, with the same SQLite as ours. The
second is the stricter one.
"""

import sqlite3
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import apsw

from interlock.store.migrate import migrate_sqlite
from interlock.store.rows import PartRow, dump, part_body, part_columns
from interlock.store.script import Artifact, Change, Key
from interlock.store.sqlite.connect import connect
from tools.bench.recording import Recording

BEGIN: Final = "BEGIN IMMEDIATE"
COMMIT: Final = "COMMIT"
UNIT: Final = (
    "UPDATE units SET status = ?, version = ?, head = ?, takes = ?, tally = ?, changed_at = ?,"
    " ended_at = ? WHERE tenant = ? AND id = ? AND version = ?"
)
PART: Final = (
    "UPDATE parts SET status = ?, offer = ?, holder = ?, fence = ?, due = ?,"
    " fields = coalesce(?, fields) WHERE tenant = ? AND unit = ? AND number = ?"
)
CONTENT: Final = "INSERT INTO contents (tenant, digest, size, bytes) VALUES (?, ?, ?, ?)"
ARTIFACT: Final = (
    "INSERT INTO artifacts (tenant, unit, part, name, version, digest, media_type, mark, author,"
    " at) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)"
)
ENTRY: Final = (
    "INSERT INTO audit (tenant, unit, sequence, at, body, hash) VALUES (?, ?, ?, ?, ?, ?)"
)
REPLY: Final = (
    "INSERT INTO replies (tenant, principal, request, asked, unit, text, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
SQL: Final = (BEGIN, UNIT, PART, CONTENT, ARTIFACT, ENTRY, REPLY, COMMIT)
SQL_SHA256: Final = sha256("\n".join(SQL).encode()).hexdigest()

TENANT: Final = "INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)"
NEW_UNIT: Final = (
    "INSERT INTO units (tenant, id, workflow, digest, status, version, head, made, takes, tally,"
    " fields, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
NEW_PART: Final = (
    "INSERT INTO parts (tenant, unit, number, kind, status, ord, waits, feeds, branches, offer,"
    " slot, role, member, site, holder, fence, lapsed, fields)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Command(NamedTuple):
    """The rows of one command, but for what is hashed while the clock runs."""

    at: int
    before: int
    version: int
    status: str
    takes: str
    tally: str
    ended_at: int | None
    parts: tuple[tuple[object, ...], ...]
    artifacts: tuple[Artifact, ...]
    entries: tuple[tuple[int, str], ...]
    key: Key
    reply: str


PRAGMAS: Final = ("journal_mode", "synchronous", "foreign_keys", "cache_size")
"""What the standard library's connection takes over from ours."""

Write = Callable[[str, tuple[object, ...]], object]
"""Runs a statement; both libraries have it."""


def open_plain(path: Path, recording: Recording) -> sqlite3.Connection:
    """Make the same file and open it with the standard library, set up as ours is."""
    ours = open_floor(path, recording)
    levels = {name: ours.execute(f"PRAGMA {name}").fetchall()[0][0] for name in PRAGMAS}
    ours.close()
    connection = sqlite3.connect(path, isolation_level=None)
    for name, level in levels.items():
        connection.execute(f"PRAGMA {name} = {level}")
    return connection


def open_floor(path: Path, recording: Recording) -> apsw.Connection:
    """Make a file with our schema and with the plan as it was made; nothing of this is timed."""
    connection = connect(path)
    migrate_sqlite(connection, recording.made.at)
    made = recording.made
    with connection:
        connection.execute(TENANT, (made.tenant, "Bench", made.at))
        _insert(connection, made)
    return connection


def _insert(connection: apsw.Connection, made: Change) -> None:
    row, tenant = made.unit, made.tenant
    connection.execute(NEW_UNIT, (
        tenant, row.id, row.workflow, row.digest, row.unit.status, row.version, row.head, row.made,
        row.takes, dump(row.tally), dump(row.unit.fields), row.created_at, row.changed_at,
    ))  # fmt: skip
    for part in made.made:
        values = (tenant, row.id, part.number, part.part.kind, *part_columns(part))
        connection.execute(NEW_PART, (*values, part_body(part.part)))
    for one in made.entries:
        connection.execute(ENTRY, (tenant, row.id, one.sequence, one.at, one.body, one.hash))
    if made.key is not None:
        connection.execute(REPLY, (tenant, *made.key, row.id, made.reply, made.at))


def commands(recording: Recording) -> tuple[Command, ...]:
    """Put the rows of all commands together."""
    return tuple(_command(change) for change in recording.changes)


def _command(change: Change) -> Command:
    row, key = change.unit, change.key
    if key is None:
        raise ValueError(change)
    return Command(
        change.at, change.before, row.version, row.unit.status, row.takes, dump(row.tally),
        row.ended_at, tuple(_part(change, part) for part in change.parts), change.artifacts,
        tuple((entry.sequence, entry.body) for entry in change.entries), key, change.reply,
    )  # fmt: skip


def _part(change: Change, part: PartRow) -> tuple[object, ...]:
    lease, fields = change.leases.get(part.number), part.part.fields
    due = None if lease is None else change.at + lease
    body = change.bodies.get(part.number)
    after = (part.part.status, part.offer, fields["holder"], fields["fence"], due, body)
    return (*after, change.tenant, change.unit.id, part.number)


def play(write: Write, made: Change, todo: tuple[Command, ...]) -> str:
    """Write the rows of some commands, each in its transaction; return the last hash."""
    tenant, unit, head = made.tenant, made.unit.id, made.unit.head
    for one in todo:
        at = one.at
        write(BEGIN, ())
        for sequence, body in one.entries:
            head = sha256(f"{head}\n{body}".encode()).hexdigest()
            write(ENTRY, (tenant, unit, sequence, at, body, head))
        write(
            UNIT,
            (
                one.status, one.version, head, one.takes, one.tally, at, one.ended_at, tenant,
                unit, one.before,
            ),
        )  # fmt: skip
        for part in one.parts:
            write(PART, part)
        for number, name, _, content, media_type, mark, author in one.artifacts:
            digest = sha256(content).hexdigest()
            write(CONTENT, (tenant, digest, len(content), content))
            write(ARTIFACT, (tenant, unit, number, name, digest, media_type, mark, author, at))
        write(REPLY, (tenant, *one.key, unit, one.reply, at))
        write(COMMIT, ())
    return head
