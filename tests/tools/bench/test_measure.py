"""Figures: what they carry, and that every entrant is measured in the same rounds."""

import pytest

from tools.bench.measure import (
    ROUNDS,
    Aim,
    beside,
    figure,
    interleaved,
    moves_per_second,
    seconds,
    wall_s,
)
from tools.bench.plan import Played, ours


def test_a_figure_has_a_ratio_to_its_floor() -> None:
    found = figure("decide", 300.0, "moves/s", 100.0)

    assert (found.ratio, found.verdict, found.data()["goal"]) == (3.0, "", None)


@pytest.mark.parametrize(
    ("aim", "ratio", "verdict"),
    [
        (Aim(0.5, 0.6), 0.49, "missed"),
        (Aim(0.5, 0.6), 0.5, "reached"),
        (Aim(0.5, 0.6), 0.6, "moonshot"),
        (Aim(0.5), 9.0, "reached"),
        (Aim(1.15, 1.05, is_ceiling=True), 1.2, "missed"),
        (Aim(1.15, 1.05, is_ceiling=True), 1.1, "reached"),
        (Aim(1.15, 1.05, is_ceiling=True), 1.0, "moonshot"),
    ],
)
def test_an_aim_says_how_far_a_ratio_got(aim: Aim, ratio: float, verdict: str) -> None:
    assert aim.verdict(ratio) == verdict


def test_everyone_plays_in_turn_in_every_round() -> None:
    order: list[str] = []

    def entrant(name: str) -> float:
        order.append(name)
        return float(len(order))

    rounds = interleaved({"floor": lambda: entrant("floor"), "ours": lambda: entrant("ours")}, 2)

    assert order == ["floor", "ours", "floor", "ours"]
    assert rounds == [{"floor": 1.0, "ours": 2.0}, {"floor": 3.0, "ours": 4.0}]


def test_every_entrant_gets_a_rate_in_every_round() -> None:
    rounds = moves_per_second({"a": ours, "b": ours}, 2, {"a": 3, "b": 3}, rounds=2)

    assert [set(rates) for rates in rounds] == [{"a", "b"}] * 2
    assert min(rate for rates in rounds for rate in rates.values()) > 0


def test_the_round_with_the_median_ratio_is_reported() -> None:
    rounds = [{"a": 9.0, "b": 1.0}, {"a": 4.0, "b": 2.0}, {"a": 3.0, "b": 3.0}]

    found = beside("decide", rounds, "a", "b", aim=Aim(1.0))

    assert (found.value, found.floor, found.ratio, found.rounds) == (4.0, 2.0, 2.0, 3)
    assert (found.spread, found.verdict) == ((1.0, 9.0), "reached")


def test_a_busy_disk_that_flatters_us_reaches_no_goal() -> None:
    busy = [{"ours": 90.0, "floor": 100.0}] * 6
    calm = [{"ours": 400.0, "floor": 2_000.0}] * 3

    found = beside("steps", busy + calm, "ours", "floor", aim=Aim(0.45, 0.55))

    assert (found.ratio, found.calm, found.verdict) == (0.9, 0.2, "unclear")


def test_where_less_is_better_the_calm_rounds_are_the_short_ones() -> None:
    rounds = [{"many": 12.0, "few": 10.0}, {"many": 50.0, "few": 90.0}, {"many": 60.0, "few": 90.0}]

    found = beside("claim", rounds, "many", "few", aim=Aim(1.3, is_ceiling=True))

    assert (found.calm, found.verdict) == (1.2, "reached")


def test_one_round_has_no_spread_to_speak_of() -> None:
    assert beside("decide", [{"a": 3.0, "b": 2.0}], "a", "b").spread == (1.5, 1.5)


def test_each_round_plays_every_entrant_in_turn() -> None:
    order: list[str] = []

    def entrant(name: str) -> Played:
        order.append(name)
        # Long enough for the clock of the processor to have moved.
        return ("completed", [str(sum(range(20_000)))], 2)

    entrants = {name: lambda _, name=name: lambda: entrant(name) for name in ("a", "b")}
    moves_per_second(entrants, 1, {"a": 1, "b": 2}, rounds=2)

    assert order == ["a", "b", "b"] * 2


def test_work_is_done_so_many_times_a_round() -> None:
    done: list[int] = []

    assert seconds(lambda: done.append(1), 5) >= 0
    assert len(done) == 5 * ROUNDS


def test_the_wall_clock_runs_while_work_is_done() -> None:
    done: list[int] = []

    assert wall_s(lambda: done.append(1)) > 0
    assert done == [1]
