"""Our own statements and functions, changed: what somebody could do to them one day."""

import re
from collections.abc import Mapping

import asyncpg

from interlock.store.statements import Statement, statements


def changed_statements(*changes: tuple[str, str]) -> Mapping[str, Statement]:
    """Return the statements to SQLite, with each old piece replaced by a new one."""
    found = statements("sqlite")
    for old, new in changes:
        before, found = found, {name: _said_anew(one, old, new) for name, one in found.items()}
        assert found != before, old
    return found


def _said_anew(one: Statement, old: str, new: str) -> Statement:
    sql = one.sql.replace(old, new)
    left = tuple(name for name in one.parameters if re.search(rf":{name}\b", sql))
    return Statement(one.name, sql, left)


async def change_functions(url: str, *changes: tuple[str, str]) -> None:
    """Change every function of a PostgreSQL database of ours that says something."""
    connection = await asyncpg.connect(url)
    try:
        for old, new in changes:
            found = await connection.fetch(
                "SELECT pg_get_functiondef(oid) FROM pg_proc"
                " WHERE proname LIKE 'interlock%' AND position($1 IN prosrc) > 0",
                old,
            )
            assert found, old
            for (text,) in found:
                await connection.execute(text.replace(old, new))
    finally:
        await connection.close()
