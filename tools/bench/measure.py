"""Measure: interleaved rounds, so that a noisy machine is noisy for everyone; medians of them."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import Final

from tools.bench.plan import Entrant, Played

ROUNDS: Final = 15

Rates = dict[str, float]
"""What one round has found, by entrant."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a ratio should be: at least ``goal``, or at most where it is a ceiling."""

    goal: float
    moonshot: float | None = None
    is_ceiling: bool = False

    def verdict(self, ratio: float) -> str:
        """Say how far a ratio got."""
        if self.moonshot is not None and self._is_met(ratio, self.moonshot):
            return "moonshot"
        return "reached" if self._is_met(ratio, self.goal) else "missed"

    def _is_met(self, ratio: float, mark: float) -> bool:
        return ratio <= mark if self.is_ceiling else ratio >= mark


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; ``ratio`` is value against ``floor``, both from the same round.

    It is the round with the median ratio; ``spread`` holds the quartiles of all rounds' ratios,
    ``calm`` is the median of those rounds in which the floor did best. A busy disk slows a floor
    more than us and flatters us; choosing by the floor's best leans against us instead. A goal
    is reached when both say so, and where they disagree nothing is claimed.
    """

    name: str
    value: float
    unit: str
    floor: float
    ratio: float
    aim: Aim | None = None
    spread: tuple[float, float] | None = None
    rounds: int = 1
    calm: float | None = None

    @property
    def verdict(self) -> str:
        """How far it got, where there is a goal."""
        if self.aim is None:
            return ""
        told = self.aim.verdict(self.ratio)
        calm = told if self.calm is None else self.aim.verdict(self.calm)
        if told == calm:
            return told
        return "unclear" if "missed" in (told, calm) else "reached"

    def data(self) -> dict[str, object]:
        """Return the figure as plain data."""
        told = asdict(self)
        aim = told.pop("aim") or {"goal": None, "moonshot": None, "is_ceiling": False}
        return {**told, **aim, "verdict": self.verdict}


def figure(name: str, value: float, unit: str, floor: float) -> Figure:
    """Build a figure with its ratio."""
    return Figure(name, round(value, 3), unit, round(floor, 3), round(value / floor, 3))


def interleaved(entrants: Mapping[str, Callable[[], float]], rounds: int) -> list[Rates]:
    """Let everyone play in turn, round by round; an entrant times itself."""
    return [{name: play() for name, play in entrants.items()} for _ in range(rounds)]


def moves_per_second(
    entrants: Mapping[str, Entrant], steps: int, plans: Mapping[str, int], rounds: int = ROUNDS
) -> list[Rates]:
    """Play plans in turn, ``plans`` of them a round; return each round's rates by entrant."""
    return [
        {name: _rate([entrant(steps) for _ in range(plans[name])])
         for name, entrant in entrants.items()}
        for _ in range(rounds)
    ]  # fmt: skip


def beside(
    name: str, rounds: list[Rates], mine: str, peer: str, *, unit: str = "moves/s",
    aim: Aim | None = None,
) -> Figure:  # fmt: skip
    """Return the round whose ratio is the median one: what disturbed a round disturbed both."""
    ordered = sorted(rounds, key=lambda rates: rates[mine] / rates[peer])
    middle = ordered[len(ordered) // 2]
    ratios = [rates[mine] / rates[peer] for rates in ordered]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    found = figure(name, middle[mine], unit, middle[peer])
    spread = (round(low, 3), round(high, 3))
    calm = _calm(rounds, mine, peer, is_time=aim is not None and aim.is_ceiling)
    return Figure(name, found.value, unit, found.floor, found.ratio, aim, spread, len(rounds), calm)


def _calm(rounds: list[Rates], mine: str, peer: str, *, is_time: bool) -> float:
    """Return the median ratio of the third of the rounds in which the peer did best."""
    best = sorted(rounds, key=lambda rates: rates[peer], reverse=not is_time)
    chosen = best[: max(1, len(best) // 3)]
    return round(median(rates[mine] / rates[peer] for rates in chosen), 3)


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


def seconds(work: Callable[[], object], times: int, rounds: int = ROUNDS) -> float:
    """Return the median over rounds of the CPU seconds that one call of ``work`` takes."""
    found: list[float] = []
    for _ in range(rounds):
        begun = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - begun) / times)
    return median(found)


def wall_s(work: Callable[[], object]) -> float:
    """Return the seconds that go by while work is done, with the collector as it always is."""
    gc.collect()
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
