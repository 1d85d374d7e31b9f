"""Named statements: found in files, refused when not in order, ready for each driver.

SQLite itself is asked whether what was made can be run.
"""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.statements import BadStatement, Dialect, Statement, statements

LOAD = """\
-- Units, one statement for each verb.

-- name: load_unit
-- The unit as it stands.
SELECT id, status, ':x' AS text -- not :this
FROM units
WHERE tenant = :tenant AND id = :unit AND (:tenant <> '' OR status = CAST(:status AS TEXT));

-- name: remove_unit
-- Takes it away,
-- for good.
DELETE FROM units WHERE id = :unit
"""


def write(folder: Path, dialect: str, **files: str) -> Path:
    (folder / dialect).mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / dialect / f"{name}.sql").write_text(text, encoding="utf-8")
    return folder


def test_sqlite_keeps_the_names(tmp_path: Path) -> None:
    found = statements("sqlite", write(tmp_path, "sqlite", units=LOAD))

    assert list(found) == ["load_unit", "remove_unit"]
    assert found["remove_unit"] == Statement(
        "remove_unit", "DELETE FROM units WHERE id = :unit", ("unit",)
    )
    assert found["load_unit"].parameters == ("tenant", "unit", "status")
    assert found["load_unit"].sql.endswith("status = CAST(:status AS TEXT))")


def test_sqlite_runs_what_was_made(tmp_path: Path) -> None:
    found = statements("sqlite", write(tmp_path, "sqlite", units=LOAD))
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute("CREATE TABLE units (tenant, id, status)")
        connection.execute("INSERT INTO units VALUES ('t', 'u', 'open')")
        values = {"tenant": "t", "unit": "u", "status": ""}

        assert connection.execute(found["load_unit"].sql, values).get == ("u", "open", ":x")


def test_postgres_gets_numbers_and_the_same_name_the_same_number(tmp_path: Path) -> None:
    found = statements("postgres", write(tmp_path, "postgres", units=LOAD))

    assert found["load_unit"].sql == (
        "SELECT id, status, ':x' AS text -- not :this\n"
        "FROM units\n"
        "WHERE tenant = $1 AND id = $2 AND ($1 <> '' OR status = CAST($3 AS TEXT))"
    )
    assert found["load_unit"].parameters == ("tenant", "unit", "status")


def test_casts_texts_and_comments_are_left_alone(tmp_path: Path) -> None:
    sql = """SELECT :a::text, ':b', ":c", $$ :d $$, body ? 'x' /* :e */, :a || :f -- :g"""
    text = f"-- name: make_text\n-- For this test.\n{sql}\n;\n"

    found = statements("postgres", write(tmp_path, "postgres", text=text))["make_text"]

    assert found.sql == sql.replace(":a", "$1").replace(":f", "$2")
    assert found.parameters == ("a", "f")


def test_arguments_come_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    found = statements("postgres", write(tmp_path, "postgres", units=LOAD))["load_unit"]

    assert found.arguments({"status": "s", "unit": "u", "tenant": "t"}) == ("t", "u", "s")
    with pytest.raises(KeyError):
        found.arguments({"unit": "u"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1;", "begins with a statement that has no name"),
        ("-- Only a comment.\nSELECT 1;", "begins with a statement that has no name"),
        ("-- name: a_b\n-- Why.\nSELECT 1;\nSELECT 2;", "what comes after a_b has no name"),
        ("-- name: a_b\n-- Why.\n", "a_b is empty"),
        ("-- name: a_b\n-- Why.\n;", "a_b is empty"),
        ("-- name: a_b\nSELECT 1;", "a_b does not say what it is for"),
        ("-- name: a_b\n", "a_b does not say what it is for"),
        ("-- name: A B\n-- Why.\nSELECT 1;", "'A B' is not a name like verb_noun"),
        ("-- name:\n-- Why.\nSELECT 1;", "'' is not a name like verb_noun"),
        ("-- name: a_b\n-- Why.\nSELECT $1;", "write parameters as :name"),
    ],
)
@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_file_not_in_order_is_refused(
    tmp_path: Path, dialect: Dialect, text: str, complaint: str
) -> None:
    with pytest.raises(BadStatement, match=complaint):
        statements(dialect, write(tmp_path, dialect, units=text))


def test_a_question_mark_is_refused_where_it_is_a_parameter(tmp_path: Path) -> None:
    text = "-- name: a_b\n-- Why.\nSELECT ?;"

    with pytest.raises(BadStatement, match="write parameters as :name"):
        statements("sqlite", write(tmp_path, "sqlite", units=text))
    assert statements("postgres", write(tmp_path, "postgres", units=text))


def test_a_name_said_twice_is_refused_also_across_files(tmp_path: Path) -> None:
    text = "-- name: a_b\n-- Why.\nSELECT 1;\n"

    with pytest.raises(BadStatement, match=r"two\.sql: a_b is said twice"):
        statements("sqlite", write(tmp_path, "sqlite", one=text, two=text))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_our_own_files_are_in_order(dialect: Dialect) -> None:
    assert len(statements(dialect)) > 0
