"""Judge what was sampled: whether anything grows that should not.

The first quarter is left out: whatever is loaded or remembered once is loaded then. Slopes are
those of Theil and Sen, the median of all slopes between two samples, which some odd samples cannot
move; they are taken over commands and not over time, because what leaks leaks by use. A slope has
an error (Sen's, by the ranks of the slopes): memory is flat where even the upper end of it is
small, so a soak that was too short is not taken for a flat one; p99, which others on the machine
move, grows only where even the lower end of it does.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import sqrt
from statistics import median
from typing import Final, NamedTuple

KIB, MIB = 1024.0, 1024.0 * 1024.0

MEMORY_KIB_MAX: Final = 64.0
"""What a thousand commands may leave behind: less than one small object kept for each of them.

Not nothing: what is free between what is used grows for a while, and is resident, too.
"""
SURE: Final = 2.576
"""How many standard deviations: of a hundred flat servers one is taken for another."""
SPARE: Final = 4
"""Descriptors or threads more than before that are no leak: somebody reads a page right now."""
WAL_MIB_MAX: Final = {"sqlite": 64.0, "postgres": 256.0}
"""SQLite writes its log back at 4 MiB, PostgreSQL begins to at the 128 that the soak gives it."""
P99_MAX: Final = 2.0
BYTES_MAX: Final = 1.25
ENOUGH: Final = 8
"""So many samples have quarters to speak of."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How a server stood at one moment; latencies are of what was asked since the last one."""

    at_s: float
    commands: int
    memory: int
    descriptors: int
    threads: int
    wal: int
    database: int
    p50_ms: float
    p99_ms: float

    def data(self) -> dict[str, float]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that was looked at: at most so much. ``least`` is what it surely is."""

    what: str
    value: float
    most: float
    unit: str
    least: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether it is as it should be."""
        return self.value <= self.most

    @property
    def word(self) -> str:
        """Whether it is, is not, or cannot be told by so few samples."""
        if self.is_met:
            return "ok"
        is_sure = self.least is None or self.least > self.most
        return "GROWS" if is_sure else f"NOT SURE (at least {self.least:g}): soak longer"

    def data(self) -> dict[str, object]:
        """Return it as plain data."""
        return {**asdict(self), "is_met": self.is_met}


class Slope(NamedTuple):
    """How steep something is, and between what that lies."""

    middle: float
    low: float
    high: float


def slope(points: Sequence[tuple[float, float]]) -> Slope:
    """Return the median of the slopes between any two points, with its error."""
    found = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if b[0] > a[0]]
    if not found:
        return Slope(0.0, 0.0, 0.0)
    found.sort()
    count = len(points)
    spread = SURE * sqrt(count * (count - 1) * (2 * count + 5) / 18)
    last = len(found) - 1
    low, high = (round((len(found) + sign * spread) / 2) for sign in (-1, 1))
    return Slope(median(found), found[max(0, low)], found[min(last, high)])


def judge(samples: Sequence[Sample], store: str) -> list[Verdict]:
    """Look at everything that should stay as it is."""
    if len(samples) < ENOUGH:
        message = f"{len(samples)} samples are too few to judge: at least {ENOUGH}"
        raise ValueError(message)
    quarter = len(samples) // 4
    later, second, last = samples[quarter:], samples[quarter : 2 * quarter], samples[-quarter:]
    memory = slope([(one.commands / 1000, one.memory / KIB) for one in later])
    return [
        Verdict("memory left behind by 1,000 commands, at most", round(memory.high, 1),
                MEMORY_KIB_MAX, "KiB", least=round(memory.low, 1)),
        _more("descriptors more than at first", "descriptors", second, last),
        _more("threads more than at first", "threads", second, last),
        Verdict("largest WAL", round(max(one.wal for one in later) / MIB, 1),
                WAL_MIB_MAX[store], "MiB"),
        Verdict("bytes a command at the end beside the beginning",
                _ratio(_bytes(second), _bytes(last)), BYTES_MAX, "x"),
        Verdict("p99 at the end beside the beginning, at least", _p99_growth(later), P99_MAX, "x"),
    ]  # fmt: skip


def _more(what: str, name: str, second: Sequence[Sample], last: Sequence[Sample]) -> Verdict:
    before, after = (median(getattr(one, name) for one in some) for some in (second, last))
    return Verdict(what, round(after - before, 1), SPARE, "")


def _bytes(some: Sequence[Sample]) -> float:
    """Return what a command has added to the database."""
    return slope([(float(one.commands), float(one.database)) for one in some]).middle


def _p99_growth(later: Sequence[Sample]) -> float:
    """Return by how much p99 has surely grown, as a share of what it was."""
    usual = median(one.p99_ms for one in later)
    more = slope([(float(one.commands), one.p99_ms) for one in later]).low
    growth = more * (later[-1].commands - later[0].commands)
    return _ratio(max(usual - growth / 2, usual / 10), usual + growth / 2)


def _ratio(before: float, after: float) -> float:
    return round(after / before, 2) if before > 0 else 1.0


def table(samples: Sequence[Sample], verdicts: Sequence[Verdict]) -> list[str]:
    """Return the lines that tell it: some of the samples, then every verdict."""
    head = ("seconds", "commands", "memory MiB", "fds", "threads", "WAL MiB", "data MiB", "p50 ms",
            "p99 ms")  # fmt: skip
    lines = ["".join(f"{one:>12}" for one in head)]
    step = max(1, len(samples) // 12)
    for one in samples[::-1][::step][::-1]:
        row = (f"{one.at_s:.0f}", f"{one.commands:,}", f"{one.memory / MIB:.1f}",
               f"{one.descriptors}", f"{one.threads}", f"{one.wal / MIB:.1f}",
               f"{one.database / MIB:.1f}", f"{one.p50_ms:.1f}", f"{one.p99_ms:.1f}")  # fmt: skip
        lines.append("".join(f"{one:>12}" for one in row))
    for verdict in verdicts:
        told = f"{verdict.value:,} {verdict.unit}".strip()
        lines.append(f"  {verdict.what:<50} {told:>12}  at most {verdict.most:g}  {verdict.word}")
    return lines
