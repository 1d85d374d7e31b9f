"""What a ticket has spent of its budget, and how long the beads that are left may take.

The estimate is a plain one and says what it is made of: the median of the beads that are done,
times those that are not.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from interlock.clock import span
from interlock.ticketing.checked import Json, part

MICROS: Final = 1_000_000
NEARLY: Final = 0.8
KINDS: Final = {
    "tokens": "Tokens", "cost_micros": "Money", "seconds": "Time", "attempts": "Attempts",
}  # fmt: skip


class Gauge(NamedTuple):
    """One thing of which there is a budget; ``limit`` is None where there is no end of it."""

    name: str
    label: str
    spent: float
    limit: float | None
    words: str

    @property
    def look(self) -> str:
        """How close it is to its end, as a word."""
        if self.limit is None:
            return "free"
        if self.spent >= self.limit:
            return "spent"
        return "nearly" if self.spent >= NEARLY * self.limit else "well"

    @property
    def share(self) -> float:
        """How much of it is gone, from 0 to 100."""
        if not self.limit:
            return 0 if self.limit is None else 100
        return min(100.0, 100 * self.spent / self.limit)


class Estimate(NamedTuple):
    """How long what is left may take: from how many beads that is guessed, and for how many."""

    seconds: int
    made_from: int
    left: int

    @property
    def words(self) -> str:
        """Say it, with what it is made of."""
        beads = "bead" if self.made_from == 1 else "beads"
        return f"about {span(self.seconds * 1000)}, from {self.made_from} finished {beads}"


def gauges(fields: Mapping[str, object]) -> tuple[Gauge, ...]:
    """Return what was spent of the budget; nothing where nothing was, and nothing is limited."""
    spent, budget = part(fields, "spent"), part(fields, "budget")
    if not any(spent.values()) and not any(one is not None for one in budget.values()):
        return ()
    return tuple(_gauge(name, label, spent, budget) for name, label in KINDS.items())


def _gauge(name: str, label: str, spent: Json, budget: Json) -> Gauge:
    used = _number(spent.get(name)) or 0
    limit = _number(budget.get(name))
    words = _told(name, used)
    words += " of " + _told(name, limit) if limit is not None else ", without a limit"
    return Gauge(name, label, used, limit, words)


def _told(name: str, amount: float) -> str:
    if name == "cost_micros":
        return f"{amount / MICROS:,.2f}"
    if name == "seconds":
        return span(int(amount * 1000))
    return f"{int(amount):,}"


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def estimate(finished_s: Sequence[float], left: int, parallel: int = 1) -> Estimate | None:
    """Guess how long the beads that are left take; None where there is nothing to guess from."""
    if not finished_s or left <= 0:
        return None
    turns = -(-left // max(1, parallel))
    return Estimate(round(median(finished_s) * turns), len(finished_s), left)
