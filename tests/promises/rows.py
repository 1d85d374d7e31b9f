"""Everything that is in a database, and a database with something of every workflow in it."""

from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import asyncpg

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from tests.stage import Stage
from tests.world import Document, World, settle

Rows = dict[str, list[str]]

EVERY: Final = 3
"""Of the commands every third has its stage set: together they leave units in most statuses."""


async def everything(stage: Stage) -> Rows:
    """Return all rows of all tables, in an order of their own."""
    if isinstance(stage.where, Path):
        with closing(apsw.Connection(str(stage.where))) as file:
            tables = file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            return {
                str(name): sorted(map(repr, file.execute(f'SELECT * FROM "{name}"')))  # noqa: S608 (a table of ours)
                for (name,) in tables
            }
    connection = await asyncpg.connect(stage.where)
    try:
        found = await connection.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        return {
            name: sorted(
                repr(tuple(row))
                for row in await connection.fetch(f'SELECT * FROM "{name}"')  # noqa: S608 (same)
            )
            for (name,) in found
        }
    finally:
        await connection.close()


async def settled(stage: Stage) -> tuple[World, dict[str, Document]]:
    """Set the stage for many commands; return what each can be called with."""
    world = await settle(stage)
    rows: list[AnyCommand] = [*COMMANDS.values()]
    told = {}
    for row in rows[::EVERY]:
        if not row.name.startswith("take_over"):  # time would pass, and leases would run out
            told[row.name] = await world.arguments(row)
    return world, told
