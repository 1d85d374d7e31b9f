"""A file that is copied from is locked against writers, and read whole."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.errors import StoreBusy
from interlock.store.moving import CopyRefused
from interlock.store.sqlite import source as module
from interlock.store.sqlite.source import SqliteSource
from tests.copying.filled import filled


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("source") / "interlock.db"
    return asyncio.run(filled(where, seed=2, commands=0))


@pytest.fixture
def source(path: Path) -> Iterator[SqliteSource]:
    with closing(SqliteSource(path)) as opened:
        yield opened


def test_nobody_writes_while_it_is_open_and_everybody_reads(
    path: Path, source: SqliteSource
) -> None:
    with closing(apsw.Connection(str(path))) as other:
        assert other.execute("SELECT count(*) FROM units").get
        with pytest.raises(apsw.BusyError):
            other.execute("BEGIN IMMEDIATE")
        source.close()
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    SqliteSource.__init__(source, path)


def test_it_is_refused_while_somebody_writes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_MS", 1)
    with closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            SqliteSource(path)


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(CopyRefused, match="no database"):
        SqliteSource(tmp_path / "no.db")

    assert [*tmp_path.iterdir()] == []


def test_reading_goes_on_after_any_row(source: SqliteSource) -> None:
    for table in source.tables:
        rows = [*source.rows(table)]
        assert len(rows) == source.count(table)
        assert [*source.rows(table, len(rows) - 1)] == rows[-1:], table.name


def test_a_sum_changes_with_any_row(path: Path, source: SqliteSource) -> None:
    before = source.sums(lambda *_: None)
    source.close()
    with closing(apsw.Connection(str(path))) as other:
        other.execute("UPDATE tries SET count = count + 1")
    SqliteSource.__init__(source, path)
    after = source.sums(lambda *_: None)

    assert {name for name in before if before[name] != after[name]} == {"tries"}


def test_the_entry_before_a_place_is_the_tenants_own(source: SqliteSource) -> None:
    audit = next(table for table in source.tables if table.name == "audit")
    own = [row for row in source.rows(audit) if row[1] == "away"]
    last = own[-1]

    assert source.entry_before("away", str(last[0])) == (last[2], last[3])
    assert source.entry_before("away", "0") is None
    assert source.entry_before("nobody", str(last[0])) is None
    assert all(isinstance(one, int) for one in source.stops())
