"""Figures: what they carry, and that every entrant is measured in the same rounds."""

from tools.bench.measure import ROUNDS, figure, moves_per_second, seconds
from tools.bench.plan import Played, ours


def test_a_figure_has_a_ratio_to_its_floor() -> None:
    assert figure("decide", 300.0, "moves/s", 100.0).data() == {
        "name": "decide",
        "value": 300.0,
        "unit": "moves/s",
        "floor": 100.0,
        "ratio": 3.0,
    }


def test_every_entrant_gets_a_rate() -> None:
    rates = moves_per_second({"a": ours, "b": ours}, 2, {"a": 3, "b": 3})

    assert set(rates) == {"a", "b"}
    assert min(rates.values()) > 0


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
