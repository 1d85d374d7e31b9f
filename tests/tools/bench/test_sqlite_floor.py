"""The floor on SQLite: it ends with exactly the rows that our engine has written."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
import uvloop

from tools.bench.recording import Recording, record
from tools.bench.sqlite_floor import SQL_SHA256, commands, open_floor, open_plain, play

TABLES = ("units", "parts", "audit", "replies", "contents", "artifacts", "links", "tags")


def _rows(path: Path) -> dict[str, list[object]]:
    connection = apsw.Connection(str(path))
    found: dict[str, list[object]] = {
        table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr)  # noqa: S608  names of our own
        for table in TABLES
    }
    connection.close()
    return found


@pytest.mark.parametrize("open_it", [open_floor, open_plain])
def test_the_floor_leaves_the_same_rows_with_the_same_bytes(
    tmp_path: Path,
    open_it: Callable[[Path, Recording], apsw.Connection | sqlite3.Connection],
) -> None:
    recording = uvloop.run(record(tmp_path, 3))
    path = tmp_path / "floor.db"
    connection = open_it(path, recording)
    head = play(connection.cursor().execute, recording.made, commands(recording))
    connection.close()

    assert head == recording.changes[-1].unit.head
    assert _rows(path) == _rows(tmp_path / "recorded.db")


def test_both_floors_are_as_durable_as_ours(tmp_path: Path) -> None:
    recording = uvloop.run(record(tmp_path, 1))
    for connection in (
        open_floor(tmp_path / "a.db", recording),
        open_plain(tmp_path / "b.db", recording),
    ):
        told = [
            connection.execute(f"PRAGMA {name}").fetchall()[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        connection.close()
        assert told == ["wal", 2, 1]


def test_the_statements_have_a_digest() -> None:
    assert len(SQL_SHA256) == 64
