"""Why some mutants may live: reasons from ``survivors.toml``, matched with those that do.

A reason covers a pattern of changes, with ``*`` for anything. It is checked from both sides: a
survivor without a reason is told, and so is a reason that fits no survivor any more.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.mutation.verdicts import Mutant

SURVIVORS: Final = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True, slots=True)
class Reason:
    """Which changes it covers, and why nobody need notice them."""

    why: str
    module: str
    function: str = "*"
    was: str = "*"
    now: str = "*"

    def fits(self, mutant: Mutant) -> bool:
        """Say whether it covers a mutant."""
        pairs = (
            (self.module, mutant.module), (self.function, mutant.function),
            (self.was, mutant.was), (self.now, mutant.now),
        )  # fmt: skip
        return all(_is_like(pattern, text) for pattern, text in pairs)

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.module} {self.function}: {self.was} -> {self.now}"


def reasons(group: str, path: Path = SURVIVORS) -> list[Reason]:
    """Return the reasons that are given for a group."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Reason(**row) for row in rows.get(group, [])]


def compared(survivors: list[Mutant], given: list[Reason]) -> tuple[list[Mutant], list[Reason]]:
    """Return the survivors that no reason covers, and the reasons that cover none."""
    unexplained = [one for one in survivors if not any(reason.fits(one) for reason in given)]
    idle = [reason for reason in given if not any(reason.fits(one) for one in survivors)]
    return unexplained, idle


def _is_like(pattern: str, text: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None
