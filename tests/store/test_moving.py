"""Rows are moved between databases that fit, in batches of bounded size."""

import pytest

from interlock.store.moving import BYTES_MAX, ROWS_MAX, CopyRefused, batches, require_same
from interlock.store.tables import Row, Table


def table(name: str, *needs: str, columns: tuple[str, ...] = ("tenant", "id")) -> Table:
    return Table(name, columns, ("tenant", "id"), frozenset(needs))


def never(_: Row) -> bool:
    return False


def test_databases_with_other_columns_are_refused_but_for_those_that_each_makes() -> None:
    ours = [table("audit", columns=("tenant", "position")), table("units")]
    theirs = [table("audit", columns=("xid", "tenant")), table("units")]
    require_same(ours, theirs)

    with pytest.raises(CopyRefused, match="the same more, units"):
        require_same(ours, [theirs[0], table("more"), table("units", columns=("tenant",))])


def test_a_batch_is_bounded_in_rows_and_bytes_and_ends_where_it_must() -> None:
    rows: list[Row] = [(number, "") for number in range(ROWS_MAX + 1)]
    large: list[Row] = [(number, b"x" * (BYTES_MAX // 2)) for number in range(3)]

    assert [len(one) for one in batches(rows, never)] == [ROWS_MAX, 1]
    assert [len(one) for one in batches(large, never)] == [2, 1]
    assert [len(one) for one in batches(rows[:5], lambda row: row[0] == 1)] == [2, 3]
