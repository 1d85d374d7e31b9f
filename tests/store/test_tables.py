"""Every table is in the list, what it refers to stands before it, and rows digest alike anywhere."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.tables import (
    LEFT_OUT,
    Table,
    add_rows,
    add_words,
    count_rows,
    digest,
    digests,
    read_rows,
    tables,
    words,
)
from tests.ready import ready_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return ready_file(tmp_path / "interlock.db")


def found(file: Path) -> dict[str, Table]:
    with closing(apsw.Connection(str(file))) as connection:
        return {one.name: one for one in tables(connection)}


def test_no_table_of_the_schema_is_forgotten(file: Path) -> None:
    asked = (
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'chunk_words%'"
    )
    with closing(apsw.Connection(str(file))) as connection:
        names = {str(name) for (name,) in connection.execute(asked)}

    assert set(found(file)) == names - set(LEFT_OUT)


def test_what_a_table_refers_to_stands_before_it(file: Path) -> None:
    names = list(found(file))

    for first, then in (("tenants", "units"), ("units", "parts"), ("contents", "artifacts"),
                        ("artifacts", "documents"), ("hooks", "deliveries")):  # fmt: skip
        assert names.index(first) < names.index(then)


def test_numbers_that_one_database_gives_by_itself_are_no_columns(file: Path) -> None:
    all_tables = found(file)

    assert "position" not in all_tables["audit"].columns
    assert all_tables["audit"].key == ("tenant", "unit", "sequence")
    assert "id" not in all_tables["chunks"].columns
    assert (all_tables["tenants"].tenant, all_tables["units"].tenant) == ("id", "tenant")
    assert all_tables["restores"].tenant == ""


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
        assert count_rows(two, found(other)["tenants"]) == 2


def test_words_of_chunks_come_out_of_the_index_as_they_went_in(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("PRAGMA foreign_keys = off")
        insert = "INSERT INTO chunks (id, tenant, document, place, text, model)"
        connection.execute(f"{insert} VALUES (7, 'a', 'd', 0, 'The heron', '')")
        add_words(connection, [("a", "d", 0, "the heron the")])

        assert words(connection) == {7: "the heron the"}


def test_what_is_no_value_of_a_row_is_refused() -> None:
    with pytest.raises(TypeError):
        digest([(object(),)])  # type: ignore[list-item]  # that is the point
