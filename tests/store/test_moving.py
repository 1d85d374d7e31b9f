"""What is moved comes in an order that works, in batches of bounded size, and is summed up."""

import pytest

from interlock.store.moving import (
    BYTES_MAX,
    ROWS_MAX,
    CopyRefused,
    Row,
    Sum,
    Table,
    batches,
    digest,
    in_order,
    require_same,
)


def table(name: str, *needs: str, columns: tuple[str, ...] = ("tenant", "id")) -> Table:
    return Table(name, columns, ("tenant", "id"), frozenset(needs))


def never(_: Row) -> bool:
    return False


def test_a_table_comes_after_those_it_refers_to_and_hooks_after_the_audit() -> None:
    known = [
        table("audit", "units"),
        table("hooks"),
        table("parts", "units", "parts"),
        table("units"),
    ]

    assert [one.name for one in in_order(known)] == ["units", "audit", "parts", "hooks"]


def test_tables_that_need_each_other_are_refused() -> None:
    with pytest.raises(CopyRefused, match="a, b"):
        in_order([table("a", "b"), table("b", "a")])


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
    assert digest({"a": forth}) != digest({"b": forth})


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


def test_a_row_is_whose_its_column_says_and_compared_by_what_both_have() -> None:
    hooks = table("hooks", columns=("tenant", "id", "position", "url"))

    assert (hooks.owner, hooks.compared) == ("tenant", ("id", "tenant", "url"))
    assert (table("tenants").owner, table("tries", columns=("key",)).owner) == ("id", "")
