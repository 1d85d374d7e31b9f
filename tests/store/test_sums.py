"""The same rows come to the same anywhere, other rows to something else."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.sums import Sum, digest, digest_of, digests
from interlock.store.tables import Row, add_rows, read_rows, tables
from tests.ready import ready_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return ready_file(tmp_path / "interlock.db")


def test_rows_are_the_same_after_a_journey(file: Path, tmp_path: Path) -> None:
    other = ready_file(tmp_path / "other.db")
    with closing(apsw.Connection(str(file))) as one, closing(apsw.Connection(str(other))) as two:
        one.execute("INSERT INTO tenants VALUES ('b', 'B', 1, NULL), ('a', 'Ä', 2, 3)")
        one.execute(
            "INSERT INTO contents (tenant, digest, size, bytes) VALUES ('a', 'd', 2, x'00ff')"
        )
        for table in tables(one):
            add_rows(two, table, read_rows(one, table))
        counted = digests(one)

        assert digests(two) == counted
        assert (counted["tenants"].rows, counted["contents"].rows) == (2, 1)
        two.execute("UPDATE contents SET bytes = x'00fe'")
        assert digests(two)["contents"] != counted["contents"]


def test_a_digest_is_what_older_backups_have_written(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("INSERT INTO tenants VALUES ('b', 'B', 1, NULL), ('a', 'Ä', 2, 3)")
        counted = digests(connection)["tenants"]

    assert counted.digest == "f8952d3f7dd2f080998831358bcc6f402130ec65f488777e78a250a599f469e1"


def test_what_is_no_value_of_a_row_is_refused() -> None:
    with pytest.raises(TypeError):
        digest([(object(),)])  # type: ignore[list-item]  # that is the point


def test_a_sum_does_not_depend_on_the_order_and_tells_every_value_apart() -> None:
    rows: list[Row] = [("a", 1), ("b", 2), ("b", 2)]
    forth, back = Sum(), Sum()
    for row in rows:
        forth = forth.add(row)
    for row in reversed(rows):
        back = back.add(row)

    assert forth == back
    assert forth.rows == 3
    alike: list[Row] = [("1",), (1,), (b"1",), (None,), ("1", ""), ("", "1"), ("-",), ("11",)]
    assert len({Sum().add(row) for row in alike}) == len(alike)
    assert digest_of({"a": forth}) != digest_of({"b": forth})
