"""What a campaign is: something that is tried very often, in legs, each repeatable from its seed.

A campaign lives where its subject is tried (``tests/crash``, ``tests/power``, ...), runs with its
small figure in the ordinary tests, and with its large one under ``make torture``. It counts what
it tried and what it broke on purpose; what it finds are sentences, and none is a good end. And it
knows bugs: planted in a leg, each must make it find something. ``bugs.toml`` is their list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Leg:
    """One stretch of a campaign: how much of it, from which seed, where, with which bug."""

    seed: int
    amount: int
    folder: Path
    bug: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a leg came to."""

    counts: Mapping[str, int]
    # What was broken on purpose, by kind.
    faults: Mapping[str, int] = field(default_factory=dict)
    findings: Sequence[str] = ()

    def told(self) -> dict[str, object]:
        """Return it as it is written down; counters of any kind are figures there."""
        return {
            "counts": dict(self.counts), "faults": dict(self.faults), "findings": [*self.findings],
        }  # fmt: skip


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Something to try: ``counted`` names the count of a leg that its figures are about."""

    name: str
    promises: tuple[str, ...]
    counted: str
    small: int
    long: int
    # So many of it make a leg; a long run is many legs.
    leg: int
    run: Callable[[Leg], Tried]
    # How a leg may last before it counts as hanging.
    patience_s: float = 900.0
    # Says what this machine lacks for it; nothing lacks, nothing is said.
    lacks: Callable[[], str] = _nothing
