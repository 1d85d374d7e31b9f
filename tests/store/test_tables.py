"""Every table is in the list, what it refers to stands before it, and its rows can be moved."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.tables import (
    LEFT_OUT,
    OWN,
    Row,
    Table,
    add_words,
    by_owner,
    count_rows,
    in_order,
    read_rows,
    tables,
    words,
)
from tests.ready import ready_file


def table(name: str, *needs: str, columns: tuple[str, ...] = ("tenant", "id")) -> Table:
    return Table(name, columns, ("tenant", "id"), frozenset(needs))


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


def test_numbers_that_one_database_gives_by_itself_are_not_shared(file: Path) -> None:
    all_tables = found(file)
    audit, chunks = all_tables["audit"], all_tables["chunks"]

    assert (audit.key, audit.known_by) == (("position",), ("tenant", "unit", "sequence"))
    assert (chunks.key, chunks.known_by) == (("id",), ("tenant", "document", "place"))
    assert "position" not in audit.shared
    assert "id" not in chunks.shared
    assert all_tables["units"].known_by == all_tables["units"].key == ("tenant", "id")
    assert (all_tables["tenants"].owner, all_tables["units"].owner) == ("id", "tenant")
    assert all_tables["restores"].owner == ""


def test_rows_are_counted(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("INSERT INTO tenants VALUES ('b', 'A', 1, NULL), ('a', 'B', 2, NULL)")

        assert count_rows(connection, found(file)["tenants"]) == 2


def test_what_a_copy_leaves_out_is_said_by_who_copies(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        names = {one.name for one in tables(connection, OWN)}

    assert names ^ set(found(file)) == {"copies", "tries"}


def test_rows_are_read_in_the_order_and_from_the_place_that_is_asked(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("INSERT INTO tenants VALUES ('b', 'A', 1, NULL), ('a', 'B', 2, NULL)")
        tenants = next(one for one in tables(connection) if one.name == "tenants")

        assert [row[2] for row in read_rows(connection, tenants)] == ["a", "b"]
        assert [*read_rows(connection, tenants, ("id",), ("name",), 1)] == [("a",)]


def test_rows_are_parted_by_whose_they_are() -> None:
    rows: list[Row] = [(1, "b"), (2, "a"), (3, "b")]

    assert [*by_owner(rows, 1)] == [("a", [(2, "a")]), ("b", [(1, "b"), (3, "b")])]
    assert [*by_owner(rows, None)] == [("", rows)]


def test_a_table_comes_after_those_it_refers_to_and_hooks_after_the_audit() -> None:
    known = [
        table("audit", "units"),
        table("hooks"),
        table("parts", "units", "parts"),
        table("units"),
    ]

    assert [one.name for one in in_order(known)] == ["units", "audit", "parts", "hooks"]


def test_tables_that_need_each_other_are_refused() -> None:
    with pytest.raises(AssertionError, match="circle"):
        in_order([table("a", "b"), table("b", "a")])


def test_a_row_is_whose_its_column_says_and_compared_by_what_both_have() -> None:
    hooks = table("hooks", columns=("tenant", "id", "position", "url"))

    assert (hooks.owner, hooks.compared) == ("tenant", ("id", "tenant", "url"))
    assert (table("tenants").owner, table("tries", columns=("key",)).owner) == ("id", "")


def test_words_of_chunks_come_out_of_the_index_as_they_went_in(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("PRAGMA foreign_keys = off")
        insert = "INSERT INTO chunks (id, tenant, document, place, text, model)"
        connection.execute(f"{insert} VALUES (7, 'a', 'd', 0, 'The heron', '')")
        add_words(connection, [("a", "d", 0, "the heron the")])

        assert words(connection) == {7: "the heron the"}
