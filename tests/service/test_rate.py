"""Rates: who is too fast is told when to come back, nobody else notices, nothing grows for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service.rate import (
    BUCKETS_MAX,
    BUCKETS_MIN,
    BURST_S,
    Buckets,
    RateLimited,
    Rates,
    network,
)
from tests.still import StillClock


def spent(rates: Rates, tenant: str = "home", principal: str = "ada", weight: int = 1) -> int:
    """Call until it is refused; return how many calls were taken."""
    for taken in range(100_000):
        try:
            rates.take(tenant, principal, weight)
        except RateLimited:
            return taken
    raise AssertionError("nothing is limited")


def test_a_burst_is_taken_then_as_many_a_second_as_was_said() -> None:
    clock = StillClock()
    rates = Rates(clock.now, principal=10, tenant=0)

    assert spent(rates) == 10 * BURST_S
    clock.pass_ms(1_000)
    assert spent(rates) == 10
    clock.pass_ms(60_000)
    assert spent(rates) == 10 * BURST_S


def test_what_weighs_more_takes_more_and_what_is_too_heavy_takes_all() -> None:
    clock = StillClock()

    assert spent(Rates(clock.now, principal=10, tenant=0), weight=5) == 10
    assert spent(Rates(clock.now, principal=1, tenant=0), weight=1_000) == 1


def test_who_is_refused_is_told_when_and_then_let_in() -> None:
    clock = StillClock()
    rates = Rates(clock.now, principal=2, tenant=0)
    spent(rates)

    with pytest.raises(RateLimited) as no:
        rates.take("home", "ada", 5)

    assert (no.value.code, no.value.http, no.value.retryable) == ("RATE_LIMITED", 429, True)
    assert no.value.after_s == 3
    assert "Wait 3 seconds" in no.value.fix
    clock.pass_ms(no.value.after_s * 1_000)
    rates.take("home", "ada", 5)


def test_a_tenant_at_its_limit_slows_nobody_else() -> None:
    clock = StillClock()
    rates = Rates(clock.now, principal=0, tenant=10)

    assert spent(rates, "home", "ada") == 10 * BURST_S
    assert spent(rates, "home", "bob") == 0
    assert spent(rates, "away", "eve") == 10 * BURST_S


def test_a_principal_at_its_limit_takes_nothing_from_its_tenant() -> None:
    clock = StillClock()
    rates = Rates(clock.now, principal=10, tenant=20)

    assert spent(rates, "home", "ada") == 10 * BURST_S
    for _ in range(1_000):
        with pytest.raises(RateLimited):
            rates.take("home", "ada")
    assert spent(rates, "home", "bob") == 10 * BURST_S
    assert spent(rates, "home", "cyd") == 0


def test_nothing_is_limited_where_the_rate_is_nought() -> None:
    rates = Rates(StillClock().now, principal=0, tenant=0, guesses=0)

    for _ in range(10_000):
        rates.take("home", "ada", 100)
        rates.guessed("10.0.0.1")
    rates.allow_guess("10.0.0.1")


def test_guesses_are_counted_by_address_and_a_good_token_costs_none() -> None:
    clock = StillClock()
    rates = Rates(clock.now, principal=0, tenant=0, guesses=2)
    for _ in range(2 * BURST_S):
        rates.allow_guess("10.0.0.1")
        rates.guessed("10.0.0.1")

    with pytest.raises(RateLimited):
        rates.allow_guess("10.0.0.1")
    rates.allow_guess("10.0.0.2")
    clock.pass_ms(500)
    rates.allow_guess("10.0.0.1")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "testclient", False),
    ],
)
def test_addresses_that_one_owner_can_choose_from_are_one(
    one: str, other: str, *, is_same: bool
) -> None:
    assert (network(one) == network(other)) is is_same


def test_callers_who_have_gone_are_forgotten() -> None:
    buckets = Buckets(10)
    now = 0
    for caller in range(20 * BUCKETS_MIN):
        now += 10
        buckets.take(f"caller {caller}", 1, now)

    assert len(buckets) <= BUCKETS_MIN + 1


def test_a_crowd_that_stays_is_bounded_and_its_worst_are_remembered() -> None:
    buckets = Buckets(10)
    buckets.take("busy", 50, 0)
    for caller in range(3 * BUCKETS_MAX):
        buckets.take(f"caller {caller}", 1, 0)

    assert len(buckets) <= BUCKETS_MAX + 1
    assert buckets.wait_ms("busy", 1, 0) > 0


@given(st.lists(st.tuples(st.integers(0, 2_000), st.integers(1, 20)), max_size=60))
def test_in_no_time_is_more_taken_than_a_burst_and_the_rate(calls: list[tuple[int, int]]) -> None:
    buckets, now, taken = Buckets(4), 0, 0
    for pause, weight in calls:
        now += pause
        if not buckets.wait_ms("ada", weight, now):
            buckets.take("ada", weight, now)
            taken += weight

    assert taken <= 4 * BURST_S + 4 * now / 1_000
