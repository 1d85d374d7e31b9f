"""Measure: interleaved rounds, so that a noisy machine is noisy for everyone; medians of them."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final

from tools.bench.plan import Entrant, Played

ROUNDS: Final = 15


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; ``ratio`` is value against ``floor``, both from the same run."""

    name: str
    value: float
    unit: str
    floor: float
    ratio: float

    def data(self) -> dict[str, object]:
        """Return the figure as plain data."""
        return asdict(self)


def figure(name: str, value: float, unit: str, floor: float) -> Figure:
    """Build a figure with its ratio."""
    return Figure(name, round(value, 3), unit, round(floor, 3), round(value / floor, 3))


def moves_per_second(
    entrants: Mapping[str, Entrant], steps: int, plans: Mapping[str, int]
) -> list[dict[str, float]]:
    """Play plans in turn, ``plans`` of them a round; return each round's rates by entrant."""
    return [
        {name: _rate([entrant(steps) for _ in range(plans[name])])
         for name, entrant in entrants.items()}
        for _ in range(ROUNDS)
    ]  # fmt: skip


def beside(name: str, rounds: list[dict[str, float]], mine: str, peer: str) -> Figure:
    """Return the round whose ratio is the median one: what disturbed a round disturbed both."""
    ordered = sorted(rounds, key=lambda rates: rates[mine] / rates[peer])
    middle = ordered[len(ordered) // 2]
    return figure(name, middle[mine], "moves/s", middle[peer])


def _rate(plays: list[Callable[[], Played]]) -> float:
    # As ``timeit`` does: the collector would charge one entrant for what another left behind.
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        moves = sum(play()[2] for play in plays)
        return moves / (time.process_time() - begun)
    finally:
        gc.enable()


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the median over rounds of the CPU seconds that one call of ``work`` takes."""
    found: list[float] = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - begun) / times)
    return median(found)
