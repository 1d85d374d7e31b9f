"""The database that copies and erasures are tried on has something in every table."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw

from interlock.store.sqlite.source import SqliteSource
from interlock.store.tables import OWN
from tests.copying.filled import filled


def test_no_table_is_empty(tmp_path: Path) -> None:
    path = asyncio.run(filled(tmp_path / "interlock.db", seed=1, commands=0))
    with closing(SqliteSource(path)) as source:
        empty = [table.name for table in source.tables if not source.count(table)]
        names = {table.name for table in source.tables}
    with closing(apsw.Connection(str(path))) as file:
        listed = file.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        )
        there = {str(name) for (name,) in listed if not str(name).startswith("sqlite_")}

    assert empty == []
    assert names | OWN == there
