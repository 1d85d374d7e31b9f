"""The figures of a run: by module and group, as a table, as data, and as a verdict."""

from dataclasses import dataclass
from typing import Final

from tools.mutation.survivors import Reason, compared
from tools.mutation.verdicts import Mutant, Score, score

WANTED: Final = 85.0
"""The share of mutants that must be caught in each group, in percent."""

ALIVE: Final = frozenset({"survived", "no test", "odd"})


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one group."""

    group: str
    whole: Score
    modules: dict[str, Score]
    unexplained: list[Mutant]
    idle: list[Reason]

    @property
    def is_good(self) -> bool:
        """Whether enough was caught, everything was tried, and each survivor is accounted for."""
        is_enough = self.whole.percent >= WANTED and not self.whole.left
        return is_enough and not self.unexplained and not self.idle

    def data(self) -> dict[str, object]:
        """Return it as ``build/mutation.json`` keeps it."""
        return {
            **self.whole.data(),
            "modules": {name: one.data() for name, one in self.modules.items()},
            "unexplained": [f"{one} [{one.name}]" for one in self.unexplained],
            "idle_reasons": [str(reason) for reason in self.idle],
        }


def judged(group: str, mutants: list[Mutant], given: list[Reason]) -> Result:
    """Count what came of a group, and compare its survivors with the reasons given."""
    survivors = [one for one in mutants if one.fate in ALIVE]
    names = sorted({one.module for one in mutants})
    modules = {name: score([one for one in mutants if one.module == name]) for name in names}
    whole = score(mutants)
    unexplained, idle = compared(survivors, given)
    # Of what was not tried to the end nobody knows which reasons it will need.
    return Result(group, whole, modules, unexplained, [] if whole.left else idle)


def table(result: Result) -> list[str]:
    """Return the lines that tell a result."""
    head = ("", "mutants", "caught", "timeout", "survived", "no test", "left", "score")
    lines = [f"{head[0]:34}" + "".join(f"{word:>9}" for word in head[1:])]
    for name, one in [*result.modules.items(), (result.group, result.whole)]:
        counts = (one.mutants, one.caught, one.timeout, one.survived, one.no_test, one.left)
        lines.append(f"{name:34}" + "".join(f"{n:9}" for n in counts) + f"{one.percent:8.1f}%")
    lines += [f"  nobody explains: {one} [{one.name}]" for one in result.unexplained]
    lines += [f"  explains nothing: {reason}" for reason in result.idle]
    return lines
