"""What came of each mutant, read from the files that mutmut keeps; and how each reads as a change.

A mutant is known by its module, its function and the line it changes: its number is another one
as soon as somebody touches the function.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path
from typing import Literal

from tools.mutation.workshop import CAUGHT, OUT_OF_TIME, Workshop

Fate = Literal["caught", "timeout", "survived", "no test", "open", "odd"]
NO_TEST = frozenset({5, 33})
OPEN = frozenset({None, 2})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant. ``was`` and ``now`` are the lines that differ, told of who was not caught."""

    name: str
    module: str
    fate: Fate
    was: str = ""
    now: str = ""

    @property
    def function(self) -> str:
        """The function or method that it changes."""
        mangled = self.name.rpartition(".")[2].rpartition("__mutmut_")[0]
        return mangled.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.module} {self.function}: {self.was} -> {self.now} ({self.fate})"


@dataclass(frozen=True, slots=True)
class Score:
    """How many mutants there were, and what came of them."""

    mutants: int
    caught: int
    timeout: int
    survived: int
    no_test: int
    left: int

    @property
    def percent(self) -> float:
        """The share of all that was caught; what no test reaches was not, and of nothing none."""
        return 100 * (self.caught + self.timeout) / self.mutants if self.mutants else 0.0

    def data(self) -> dict[str, float]:
        """Return it as the report keeps it."""
        return {
            "mutants": self.mutants, "caught": self.caught, "timeout": self.timeout,
            "survived": self.survived, "no_test": self.no_test, "left": self.left,
            "score": round(self.percent, 1),
        }  # fmt: skip


def fate(code: int | None) -> Fate:
    """Return what an exit code of the tests says about a mutant."""
    if code in CAUGHT:
        return "caught"
    if code in OUT_OF_TIME:
        return "timeout"
    if code in NO_TEST:
        return "no test"
    if code in OPEN:
        return "open"
    return "survived" if code == 0 else "odd"


def mutants(workshop: Workshop) -> Iterator[Mutant]:
    """Yield all mutants of a group."""
    top = workshop.folder / "mutants" / "src" / "interlock"
    for path in workshop.metas():
        codes: dict[str, int | None] = json.loads(path.read_text(encoding="utf-8"))[
            "exit_code_by_key"
        ]
        module = path.relative_to(top).as_posix().removesuffix(".meta")
        changed = Changed(path.with_suffix(""))
        for name, code in codes.items():
            what = fate(code)
            was, now = ("", "") if what in {"caught", "timeout"} else changed.lines(name)
            yield Mutant(name, module, what, was, now)


def score(found: list[Mutant]) -> Score:
    """Count what came of mutants."""
    fates = Counter(one.fate for one in found)
    return Score(
        len(found), fates["caught"], fates["timeout"], fates["survived"] + fates["odd"],
        fates["no test"], fates["open"],
    )  # fmt: skip


class Changed:
    """A module as mutmut wrote it: every function many times over, and where each stands."""

    def __init__(self, path: Path) -> None:
        """Read nothing yet: most modules have few survivors."""
        self._path = path
        self._lines: list[str] = []
        self._spans: dict[str, tuple[int, int]] = {}

    def lines(self, name: str) -> tuple[str, str]:
        """Return what a mutant takes out and puts in."""
        if not self._lines:
            self._lines = self._path.read_text(encoding="utf-8").splitlines()
            spans = self._path.with_name(self._path.name + ".spans")
            self._spans = json.loads(spans.read_text(encoding="utf-8"))["spans"]
        mutant = name.rpartition(".")[2]
        first = f"{mutant.rpartition('__mutmut_')[0]}__mutmut_orig"
        both = ndiff(self._source(first), self._source(mutant))
        changed = [line for line in both if line[:2] in {"- ", "+ "}]
        return _joined(changed, "- "), _joined(changed, "+ ")

    def _source(self, function: str) -> list[str]:
        begin, end = self._spans[function]
        # The head has the name of the mutant in it, and that is no change.
        own = function.rpartition("__mutmut_")[2]
        return [
            line.replace(f"__mutmut_{own}(", "(").strip() for line in self._lines[begin - 1 : end]
        ]


def _joined(lines: list[str], mark: str) -> str:
    return " ".join(line[2:] for line in lines if line.startswith(mark))
