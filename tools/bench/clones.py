"""Clones of a unit, made by SQL: a store is filled in seconds, and every name can be computed.

Each clone has the parts, the entries and everything else a decision reads; only its audit is not
its own, because its hashes begin with another name. Nothing here is timed.
"""

from collections.abc import Iterator
from typing import Final

NAME: Final = "'plan-' || lpad(({number})::text, 12, '0')"
"""The name of a clone as an expression of PostgreSQL."""

SQLITE_NAME: Final = "printf('plan-%012d', s.n)"

TABLES: Final = {
    "units": (
        "tenant", "id", "workflow", "digest", "status", "version", "head", "made", "takes",
        "tally", "fields", "created_at", "changed_at", "ended_at",
    ),
    "parts": (
        "tenant", "unit", "number", "kind", "status", "ord", "parent", "waits", "feeds",
        "branches", "offer", "slot", "role", "member", "site", "holder", "fence", "lapsed", "due",
        "fields", "gone_at",
    ),
    "audit": ("tenant", "unit", "sequence", "at", "body", "hash"),
}  # fmt: skip


def clone_name(number: int) -> str:
    """Return the name of a clone."""
    return f"plan-{number:012}"


def clone_sqlite(unit: str, first: int, count: int) -> Iterator[str]:
    """Yield the statements that make clones of a unit in SQLite."""
    series = (
        f"WITH RECURSIVE s (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM s"  # noqa: S608  numbers of our own only
        f" WHERE n + 1 < {first + count})"
    )
    for table in TABLES:
        yield f"{series} {_insert(table, unit, SQLITE_NAME, 's')}"


def clone_postgres(unit: str, first: int, count: int) -> Iterator[str]:
    """Yield the statements that make clones of a unit in PostgreSQL."""
    # What refers to what is not asked for each row: nothing is made that refers to nothing.
    yield "SET LOCAL session_replication_role = replica"
    for table in TABLES:
        series = f"generate_series({first}, {first + count - 1}) AS s (n)"
        yield _insert(table, unit, NAME.format(number="s.n"), series)


def _insert(table: str, unit: str, name: str, series: str) -> str:
    own = "id" if table == "units" else "unit"
    columns = TABLES[table]
    chosen = ", ".join(name if column == own else f"o.{column}" for column in columns)
    return (
        f"INSERT INTO {table} ({', '.join(columns)})"  # noqa: S608  names of our own only
        f" SELECT {chosen} FROM {series} CROSS JOIN {table} AS o WHERE o.{own} = '{unit}'"
    )
