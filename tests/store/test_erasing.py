"""Every table with rows of a tenant has a statement that erases them, on both databases."""

import re
from contextlib import closing

import apsw
import pytest

from interlock.store.erasing import ERASES
from interlock.store.migrate import migrate_sqlite
from interlock.store.statements import statements
from tests.erasing.stuffed import tables

ABOUT = re.compile(r"^(?:DELETE FROM|UPDATE) (\w+)")


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_no_table_is_forgotten(dialect: str) -> None:
    said = statements("sqlite" if dialect == "sqlite" else "postgres")
    about = [ABOUT.match(said[name].sql) for name in ERASES]
    with closing(apsw.Connection(":memory:")) as file:
        migrate_sqlite(file, 0)
        there = {name for name, columns in tables(file) if "tenant" in dict(columns)}

    assert {one[1] for one in about if one} == there
    assert len(about) == len(there)
    assert all(
        "tenant = :tenant" in said[n].sql
        or "tenant = $1" in said[n].sql
        or "tenant = $2" in said[n].sql
        for n in ERASES
    )
