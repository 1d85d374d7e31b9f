"""Boards on a SQLite file: what goes over all units is told by an index alone."""

import apsw
import pytest

from interlock.store.migrate import migrate_sqlite
from interlock.store.statements import statements


@pytest.mark.parametrize("name", ["count_bare", "count_groups", "list_tiles"])
def test_no_row_of_a_unit_is_read_to_find_out_where_it_stands(name: str) -> None:
    file = apsw.Connection(":memory:")
    migrate_sqlite(file, 0)
    one = statements("sqlite")[name]
    steps = file.execute(f"EXPLAIN QUERY PLAN {one.sql}", dict.fromkeys(one.parameters))
    said = [str(row[3]) for row in steps]

    assert any("COVERING INDEX units_by_change" in line for line in said), said
    assert not any("SCAN units" in line or "SCAN gates" in line for line in said), said


@pytest.mark.parametrize("name", ["count_leases", "list_leases"])
def test_leases_are_found_among_what_is_held_and_not_among_all_parts(name: str) -> None:
    file = apsw.Connection(":memory:")
    migrate_sqlite(file, 0)
    one = statements("sqlite")[name]
    steps = file.execute(f"EXPLAIN QUERY PLAN {one.sql}", dict.fromkeys(one.parameters))
    said = [str(row[3]) for row in steps]

    assert any("INDEX parts_by_due" in line for line in said), said
