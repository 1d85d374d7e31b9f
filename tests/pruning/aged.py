"""A database whose rows are of any age, and what of them should be forgotten, said in Python.

What the statements of the stores say in SQL is said here once more in other words, row by row: who
is right is seen where they differ.
"""

import random
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw

from interlock.service.retention import DAY_MS, Keeping
from tests.erasing.stuffed import tables

Row = dict[str, Any]
Found = dict[str, list[Row]]

AGES: Final = {
    "replies": ("at",), "deliveries": ("at",), "logs": ("at",), "sessions": ("expires_at", "ended_at"),
    "logins": ("expires_at", "used_at"),
    "invitations": ("expires_at", "accepted_at", "withdrawn_at"), "units": ("ended_at",),
}  # fmt: skip
"""The instants that say how old a row is."""

KEYS: Final = {
    "replies": ("tenant", "principal", "request"), "logs": ("tenant", "unit", "number"),
    "units": ("tenant", "id"),
}  # fmt: skip
DAYS_MAX: Final = 90
SHOWN: Final = 200
CHANCE_TO_END: Final = 0.4


def age(path: Path, chance: random.Random, now: int) -> None:
    """Let rows of a file be of any age; some units that had not ended have."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("BEGIN")
        for table, instants in AGES.items():
            keys = KEYS.get(table, ("tenant", "id"))
            where = " AND ".join(f"{key} = ?" for key in keys)
            for key in file.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall():  # noqa: S608 (our own)
                for column in instants:
                    at: int | None = now - chance.randrange(DAYS_MAX) * DAY_MS
                    if column.endswith("ed_at") and chance.random() > CHANCE_TO_END:
                        at = None
                    file.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (at, *key))  # noqa: S608 (same)
        for (name,) in file.execute("SELECT id FROM deliveries").fetchall():
            status = chance.choice(("delivered", "failed", "pending"))
            file.execute("UPDATE deliveries SET status = ? WHERE id = ?", (status, name))
        file.execute("COMMIT")


def rows(path: Path) -> Found:
    """Return everything that is in a file."""
    found: Found = {}
    with closing(apsw.Connection(str(path))) as file:
        for name, columns in tables(file):
            names = [column for column, _ in columns]
            told = file.execute(f'SELECT * FROM "{name}"')  # noqa: S608 (from the catalogue)
            found[name] = [dict(zip(names, row, strict=True)) for row in told]
    return found


def kept(before: Found, keeping: Keeping, now: int) -> Found:
    """Return what should be left of a database; the bytes of content that should go are empty."""
    live = {(u["tenant"], u["id"]) for u in before["units"] if u["ended_at"] is None}
    live |= {(s["tenant"], s["id"]) for s in before["skills"] if s["status"] == "started"}
    left = {name: [dict(row) for row in some] for name, some in before.items()}

    def until(days: int) -> int:
        return now - days * DAY_MS if days else -1

    def take(table: str, days: int, *instants: str) -> None:
        left[table] = [
            row
            for row in left[table]
            if not any((row[one] or now) < until(days) for one in instants)
            or (row["tenant"], row.get("unit")) in live
            or row.get("status") == "pending"
        ]

    take("replies", keeping.replies, "at")
    take("deliveries", keeping.deliveries, "at")
    take("logs", keeping.logs, "at")
    for table in ("sessions", "logins", "invitations"):
        take(table, keeping.sessions, *AGES[table])
    gone = _pruned(before, until(keeping.artifacts))
    for row in left["contents"]:
        if (row["tenant"], row["digest"]) in gone:
            row |= {"bytes": b"", "pruned_at": now}
    return left


def _pruned(before: Found, until: int) -> set[tuple[str, str]]:
    """Return the contents that only old versions of units have that ended long ago."""
    ended = {(u["tenant"], u["id"]): u["ended_at"] for u in before["units"]}
    last: dict[tuple[object, ...], int] = {}
    for row in before["artifacts"]:
        name = (row["tenant"], row["unit"], row["part"], row["name"])
        last[name] = max(last.get(name, 0), row["version"])
    needed: set[tuple[str, str]] = set()
    old: set[tuple[str, str]] = set()
    for row in before["artifacts"]:
        name = (row["tenant"], row["unit"], row["part"], row["name"])
        at = ended[row["tenant"], row["unit"]]
        is_old = at is not None and at < until and row["version"] < last[name]
        (old if is_old else needed).add((row["tenant"], row["digest"]))
    return old - needed


def differences(should: Found, found: Found) -> list[str]:
    """Say where a database is not as it should be."""
    told = []
    for name in sorted(should):
        ours, theirs = ([*map(_plain, some[name])] for some in (should, found))
        lost = [row for row in ours if row not in theirs]
        more = [row for row in theirs if row not in ours]
        if lost:
            told.append(
                f"{name}: {len(lost)} rows are gone that should be there: {lost[0][:SHOWN]}"
            )
        if more:
            told.append(
                f"{name}: {len(more)} rows are there that should be gone: {more[0][:SHOWN]}"
            )
    return told


def _plain(row: Row) -> str:
    return str(sorted(row.items()))
