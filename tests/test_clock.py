"""Time goes forward whatever the wall clock does, and chance is long enough.

The wall clock is set by hand here (the standard library's, not our code): nobody can set the
machine's own.
"""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.clock import (
    ID_ALPHABET,
    ID_BITS,
    Clock,
    SystemClock,
    coming,
    instant,
    lately,
    moment,
    spell_id,
)
from tests.still import START, StillClock

DAY_MS = 24 * 60 * 60 * 1000
ID_FORM = re.compile(rf"unit-[{ID_ALPHABET}]{{12}}")


def test_now_is_wall_time_when_the_clock_is_made() -> None:
    before = time.time_ns() // 1_000_000
    now = SystemClock().now()
    after = time.time_ns() // 1_000_000

    assert before <= now <= after + 1


def test_now_never_runs_backwards() -> None:
    clock = SystemClock()
    seen = [clock.now() for _ in range(1000)]

    assert seen == sorted(seen)


@pytest.mark.parametrize("jump_ms", [-DAY_MS, -1000, 1000, DAY_MS])
def test_a_wall_clock_that_jumps_changes_nothing_and_is_told_as_drift(
    monkeypatch: pytest.MonkeyPatch, jump_ms: int
) -> None:
    clock = SystemClock()
    before = clock.now()
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + jump_ms * 1_000_000)

    assert 0 <= clock.now() - before < 1000
    assert clock.drift() == pytest.approx(jump_ms, abs=100)


def test_across_a_restart_wall_time_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = SystemClock().now()
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + DAY_MS * 1_000_000)
    restarted = SystemClock()

    assert restarted.now() - before == pytest.approx(DAY_MS, abs=1000)
    assert restarted.drift() == pytest.approx(0, abs=100)


def test_without_a_boot_clock_the_monotonic_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlock.clock._ELAPSED", None)
    clock = SystemClock()

    assert clock.drift() == pytest.approx(0, abs=100)


def test_an_id_is_a_prefix_and_twelve_characters_and_never_repeats() -> None:
    clock = SystemClock()
    ids = [clock.new_id("unit") for _ in range(2000)]

    assert all(ID_FORM.fullmatch(made) for made in ids)
    assert len(set(ids)) == len(ids)


@given(st.integers(0, 2**ID_BITS - 1))
def test_every_bit_of_chance_is_in_the_id(bits: int) -> None:
    read = 0
    for letter in spell_id("p", bits).removeprefix("p-"):
        read = read * 32 + ID_ALPHABET.index(letter)

    assert read == bits


def test_a_secret_is_forty_hexadecimal_characters() -> None:
    clock = SystemClock()

    assert re.fullmatch(r"[0-9a-f]{40}", clock.secret())
    assert clock.secret() != clock.secret()


@pytest.mark.parametrize("clock", [SystemClock(), StillClock()])
def test_jitter_stays_within_its_limit(clock: Clock) -> None:
    drawn = [clock.jitter(0.25) for _ in range(500)]

    assert min(drawn) >= 0
    assert max(drawn) <= 0.25
    assert len(set(drawn)) > 400


def test_the_still_clock_moves_only_when_told() -> None:
    clock = StillClock()
    clock.pass_ms(1500)

    assert clock.now() == START + 1500


def test_the_still_clock_repeats_itself_by_seed() -> None:
    one, two, other = StillClock(seed=7), StillClock(seed=7), StillClock(seed=8)
    drawn = [(clock.new_id("unit"), clock.secret(), clock.jitter(1)) for clock in (one, two, other)]

    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert ID_FORM.fullmatch(drawn[0][0])


def test_what_is_to_come_is_said_by_when_and_by_how_far_it_is() -> None:
    noon = 1_767_268_800_000

    assert moment(noon, noon - 3 * 3_600_000) == "2026-01-01 12:00 UTC, in 3 h"
    assert instant(noon) == "2026-01-01 12:00 UTC"
    assert [coming(ms) for ms in (59_000, 60_000, 0, -1)] == ["in 59 s", "in 1 min", "now", "now"]


def test_what_has_passed_is_said_with_its_day_only_where_that_is_long_ago() -> None:
    noon = 1_767_268_800_000

    said = [lately(noon, noon + ms) for ms in (-1, 720_000, 86_399_000, 86_400_000)]
    assert said == [
        "12:00 UTC (0 s)", "12:00 UTC (12 min)", "12:00 UTC (23 h)", "2026-01-01 12:00 UTC (1 d)",
    ]  # fmt: skip
