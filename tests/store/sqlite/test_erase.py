"""Erasing from a file takes all of a tenant at once, can be finished later, and only then is allowed."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.errors import StoreBusy
from interlock.store.migrate import backup_file
from interlock.store.sqlite import connect as connecting
from interlock.store.sqlite.erase import erase
from tests.copying.filled import filled
from tests.erasing.judge import bytes_left
from tests.erasing.stuffed import stuff
from tests.erasing.torture import DONE
from tests.stage import HOME

CANARY = "qvzkxjwbtmfhgdlsprncyoae"
KEPT = (
    "UPDATE audit SET body = ''", "DELETE FROM acts", "DELETE FROM feedback",
    "DELETE FROM gates WHERE decided_at IS NOT NULL",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return asyncio.run(filled(tmp_path / "interlock.db", seed=5, commands=0))


def test_it_says_how_much_went_and_where_more_of_it_lies(path: Path) -> None:
    copies = (
        path.with_name(".restoring-x"), backup_file(path, 3),
        path.with_name("interlock.db.backup.partial"), path.with_name("interlock.db.before-x"),
    )  # fmt: skip
    for copy in copies:
        copy.write_bytes(path.read_bytes())
    erased = erase(path, HOME, 7, DONE)

    assert (erased.at, erased.left) == (7, tuple(map(str, copies)))
    assert erased.rows > erased.entries > 100
    assert erase(path, HOME, 8, DONE)._replace(left=()) == (8, 0, 0, ())


def test_what_a_reader_holds_in_the_log_is_told_and_erased_the_next_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuff(path, HOME, CANARY)
    monkeypatch.setattr(connecting, "BUSY_MS", 1)
    with closing(apsw.Connection(str(path))) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM units").fetchall()
        with pytest.raises(StoreBusy, match="still in its log"):
            erase(path, HOME, 7, DONE)
        reader.execute("COMMIT")
        erase(path, HOME, 8, DONE)

    assert [*bytes_left(path.parent, CANARY)] == []


def test_nothing_of_it_may_be_done_to_a_tenant_that_is_there(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as file:
        for statement in KEPT:
            with pytest.raises(apsw.ConstraintError):
                file.execute(statement)
        # And of one that is erased, an entry still keeps its hash and its place.
        file.execute("UPDATE tenants SET closed_at = 1")
        for change in ("body = 'x'", "body = '', hash = ''", "body = '', sequence = 9"):
            with pytest.raises(apsw.ConstraintError, match="append-only"):
                file.execute(f"UPDATE audit SET {change}")  # noqa: S608 (our own)
