"""Paths into JSON: names, places, every item; mistakes are told with their position."""

import pytest

from interlock.toolbox.query import json_query, read_path
from tests.toolbox.calls import call, fails

B = [{"c": 1}, {"c": 2, "d": None}, {"x": 3}]
DATA = {
    "a": {"b": B, "a b": {"é-1": "deep"}},
    "list": [[1, 2], [3]],
    "none": None,
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b[0].c", 1), ("a.b[-1].x", 3), ('a["a b"].é-1', "deep"), ('a["a b"]["é-1"]', "deep"),
        ("list[0][1]", 2), ("none", None), ("$.none", None), ("$", DATA), ("", DATA),
        ('$["list"][1]', [3]), ("a.b[1].d", None),
    ],
)  # fmt: skip
def test_a_path_without_a_star_is_one_value(path: str, value: object) -> None:
    assert call(json_query, value=DATA, path=path) == {"value": value, "count": 1}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b[*].c", [1, 2]), ("list[*][*]", [1, 2, 3]), ("list[*][1]", [2]), ("none[*]", []),
        ("[*][*]", [B, {"é-1": "deep"}, [1, 2], [3]]),
        ("a.b[*].d", [None]), ("nobody[*].x", []),
    ],
)  # fmt: skip
def test_a_path_with_a_star_is_all_that_is_there(path: str, found: list[object]) -> None:
    assert call(json_query, value=DATA, path=path) == {"value": found, "count": len(found)}


@pytest.mark.parametrize("path", ["a.x", "a.b[3]", "a.b[-4]", "none.x", "list.a", "a[0]"])
def test_where_nothing_is_the_default_is_given_or_it_fails(path: str) -> None:
    assert call(json_query, value=DATA, path=path, default=0) == {"value": 0, "count": 0}

    failure = fails(json_query, value=DATA, path=path)
    assert failure.failure == "validation"
    assert path in failure.message


@pytest.mark.parametrize(
    ("path", "at"),
    [(".a", 0), ("a..b", 1), ("a.", 1), ("a[", 1), ("a[x]", 1), ("a[1", 1), ("a b", 1), ("a[?c]", 1),
     ("a['b']", 1), ("$a", 1), ("0", 0), ('a["\\x"]', 1), ("a()", 1), ("a[0]b", 4)],
)  # fmt: skip
def test_what_is_no_path_is_told_with_its_position(path: str, at: int) -> None:
    failure = fails(json_query, value=DATA, path=path)

    assert failure.failure == "validation"
    assert f"at position {at}:" in failure.message


def test_a_path_that_multiplies_ends() -> None:
    deep: object = 1
    for _ in range(7):
        deep = [deep] * 10
    failure = fails(json_query, value=deep, path="[*]" * 7)

    assert "more than 1,000,000 values" in failure.message
    assert "more than 100 pieces" in fails(json_query, value=1, path="[0]" * 101).message
    assert read_path("a" * 100_000).pieces == ("a" * 100_000,)
