"""Rows are grouped by one field, and another one is reduced, exactly."""

import pytest

from interlock.toolbox.grouping import group_reduce
from tests.toolbox.calls import call, fails, fits

SALES = [
    {"city": "Rome", "sold": 3, "price": 0.1},
    {"city": "Oslo", "sold": 4, "price": 0.5},
    {"city": "Rome", "sold": 5, "price": 0.2},
]


def groups(rows: list[dict[str, object]], **how: str) -> list[tuple[object, object]]:
    """Return key and value of each group by the field k."""
    found = call(group_reduce, rows=rows, by="k", **how)["groups"]
    assert isinstance(found, list)
    return [(one["key"], one["value"]) for one in found]


@pytest.mark.parametrize(
    ("how", "of", "rome", "oslo"),
    [
        ("count", None, 2, 1), ("sum", "sold", 8, 4), ("min", "sold", 3, 4), ("max", "sold", 5, 4),
        ("mean", "sold", 4, 4), ("mean", "price", 0.15, 0.5), ("sum", "price", 0.3, 0.5),
    ],
)  # fmt: skip
def test_each_group_is_reduced(how: str, of: str | None, rome: float, oslo: float) -> None:
    more = {} if of is None else {"of": of}

    found = call(group_reduce, rows=SALES, by="city", reduce=how, **more)

    assert found == {
        "groups": [
            {"key": "Rome", "value": pytest.approx(rome), "rows": 2},
            {"key": "Oslo", "value": oslo, "rows": 1},
        ]
    }


def test_sums_are_exact_and_whole_numbers_stay_whole() -> None:
    rows: list[dict[str, object]] = [{"k": 0, "n": n} for n in (1e16, 1.0, -1e16, 2**53 + 1)]
    floats = groups(rows[:3], reduce="sum", of="n")
    whole = groups([*rows[3:], {"k": 0, "n": 10**400}], reduce="sum", of="n")

    assert floats == [(0, 1.0)]
    assert whole == [(0, 10**400 + 2**53 + 1)]


def test_keys_of_any_kind_are_told_apart() -> None:
    keys: list[object] = [1, True, "1", None, [1], {"b": 1, "a": 2}, {"a": 2, "b": 1}]
    found = groups([{"k": key} for key in keys], reduce="count")

    assert found == [
        (1, 1), (True, 1), ("1", 1), (None, 1), ([1], 1), ({"b": 1, "a": 2}, 2),
    ]  # fmt: skip
    assert [type(key) for key, _ in found[:2]] == [int, bool]


def test_no_rows_are_no_groups() -> None:
    assert call(group_reduce, rows=[], by="k", reduce="mean", of="n") == {"groups": []}


@pytest.mark.parametrize("bad", [None, "3", True, [], float("inf")])
def test_what_is_no_number_is_told_with_its_row(bad: object) -> None:
    rows = [{"k": 1, "n": 1}, {"k": 1, "n": bad}]
    failure = fails(group_reduce, rows=rows, by="k", reduce="sum", of="n")

    assert failure.failure == "validation"
    assert failure.message == "The field 'n' of row 2 is no number."


def test_a_missing_field_is_told_with_its_row() -> None:
    assert (
        "Row 1 has no field 'x'" in fails(group_reduce, rows=SALES, by="x", reduce="count").message
    )
    more = {"by": "city", "reduce": "max", "of": "x"}
    assert "Row 1 has no field 'x'" in fails(group_reduce, rows=SALES, **more).message


def test_sums_that_no_float_holds_are_refused() -> None:
    rows = [{"k": 1, "n": 1e308}, {"k": 1, "n": 1e308}]

    assert fails(group_reduce, rows=rows, by="k", reduce="sum", of="n").failure == "validation"


def test_what_does_not_fit_is_refused_by_the_schema() -> None:
    assert not fits(group_reduce, rows=[], by="k", reduce="sum")
    assert not fits(group_reduce, rows=[], by="k", reduce="median", of="n")
    assert not fits(group_reduce, rows=[1], by="k", reduce="count")
    assert fits(group_reduce, rows=[], by="k", reduce="count")
