"""Figures: what they carry, and that every entrant is measured in the same rounds."""

from tools.bench.measure import ROUNDS, beside, figure, moves_per_second, seconds
from tools.bench.plan import Played, ours


def test_a_figure_has_a_ratio_to_its_floor() -> None:
    assert figure("decide", 300.0, "moves/s", 100.0).data() == {
        "name": "decide",
        "value": 300.0,
        "unit": "moves/s",
        "floor": 100.0,
        "ratio": 3.0,
    }


def test_every_entrant_gets_a_rate_in_every_round() -> None:
    rounds = moves_per_second({"a": ours, "b": ours}, 2, {"a": 3, "b": 3})

    assert [set(rates) for rates in rounds] == [{"a", "b"}] * ROUNDS
    assert min(rate for rates in rounds for rate in rates.values()) > 0


def test_the_round_with_the_median_ratio_is_reported() -> None:
    rounds = [{"a": 9.0, "b": 1.0}, {"a": 4.0, "b": 2.0}, {"a": 3.0, "b": 3.0}]

    found = beside("decide", rounds, "a", "b")

    assert found == figure("decide", 4.0, "moves/s", 2.0)


def test_each_round_plays_every_entrant_in_turn() -> None:
    order: list[str] = []

    def entrant(name: str) -> Played:
        order.append(name)
        # Long enough for the clock of the processor to have moved.
        return ("completed", [str(sum(range(20_000)))], 2)

    entrants = {name: lambda _, name=name: lambda: entrant(name) for name in ("a", "b")}
    moves_per_second(entrants, 1, {"a": 1, "b": 2})

    assert order == ["a", "b", "b"] * ROUNDS


def test_work_is_done_so_many_times_a_round() -> None:
    done: list[int] = []

    assert seconds(lambda: done.append(1), 5) >= 0
    assert len(done) == 5 * ROUNDS
