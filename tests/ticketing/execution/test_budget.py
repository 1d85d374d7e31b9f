"""Budgets: what is spent adds up, and a limit is reached when it is reached, not before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.execution.budget import in_words, reached, spent

AMOUNT = st.integers(0, 10**9)


@given(st.lists(st.tuples(AMOUNT, AMOUNT, st.booleans()), max_size=20))
def test_what_is_spent_adds_up(works: list[tuple[int, int, bool]]) -> None:
    now: dict[str, int | float] = {}
    for tokens, cost, is_attempt in works:
        usage = {"tokens_in": tokens, "tokens_out": 1, "cost_micros": cost, "seconds": 0.5}
        now = spent(now, usage, is_attempt=is_attempt)

    assert now.get("tokens", 0) == sum(tokens + 1 for tokens, *_ in works)
    assert now.get("cost_micros", 0) == sum(cost for _, cost, _ in works)
    assert now.get("attempts", 0) == sum(is_attempt for *_, is_attempt in works)
    assert now.get("seconds", 0) == 0.5 * len(works)


@pytest.mark.parametrize("value", [None, -5, True, "7", [1]])
def test_what_is_no_amount_costs_nothing(value: object) -> None:
    usage = {"tokens_in": value, "cost_micros": value, "seconds": value}

    assert not any(spent({}, usage, is_attempt=False).values())


@pytest.mark.parametrize(
    ("used", "limits", "names"),
    [
        ({"tokens": 9}, {"tokens": 10}, []),
        ({"tokens": 10}, {"tokens": 10}, ["tokens"]),
        ({"tokens": 10, "attempts": 3}, {"tokens": 5, "attempts": 3}, ["tokens", "attempts"]),
        ({"tokens": 10**9}, {}, []),
        ({"tokens": 10**9}, {"tokens": None}, []),
        ({}, {"attempts": 0}, ["attempts"]),
    ],
)
def test_a_limit_is_reached(
    used: dict[str, object], limits: dict[str, object], names: list[str]
) -> None:
    assert list(reached(used, limits)) == names


def test_what_is_reached_is_told() -> None:
    assert "tokens 1,200 of 1,000" in in_words({"tokens": (1200, 1000)})
