"""Cut a run that fails down to the moves it takes, and tell them.

Moves are left out, many at once at first and then fewer, as long as the run still fails of the
same. That any part of a run is a run makes it simple: nothing else has to be adjusted.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from tests.simulation.moves import Move
from tests.simulation.run import Outcome, Run, play

TRIES_MAX: Final = 400
VARYING: Final = re.compile(r"\b[a-z]+-[0-9a-z]{12}[.:\d]*|\bc\d+\b|\b[0-9a-f]{64}\b|\d+|\{.*")
"""Names and numbers, which are others in every run."""


@dataclass(slots=True)
class Shrunk:
    """A short run that fails, and how many were tried to find it."""

    run: Run
    outcome: Outcome
    tries: int


def shape(outcome: Outcome) -> str:
    """Say what a run fails of, without the names and numbers in it; nothing where it does not."""
    if not outcome.findings:
        return ""
    return VARYING.sub("~", outcome.findings[0].partition(": ")[2])


def first_failing(todo: Iterator[Run], folder: Path, counted: str, amount: int) -> Run | None:
    """Return the first run that fails, among so many as make an amount."""
    done = 0
    for run in todo:
        one = play(run, folder)
        if one.findings:
            return run
        done += one.counts[counted]
        if done >= amount:
            return None
    return None


def shrink(run: Run, folder: Path, tries_max: int = TRIES_MAX) -> Shrunk:
    """Cut a run that fails down as far as so many tries get."""
    tries = count(1)
    whole = play(run, folder, tells=True)
    wanted = shape(whole)
    best = Shrunk(replace(run, moves=run.moves[: whole.played]), whole, 1)

    def fails(moves: Sequence[Move]) -> bool:
        shorter = replace(run, moves=tuple(moves))
        found = play(shorter, folder, tells=True)
        best.tries = 1 + next(tries)
        if shape(found) != wanted:
            return False
        best.run, best.outcome = replace(shorter, moves=shorter.moves[: found.played]), found
        return True

    _cut(lambda: best.run.moves, fails, lambda: best.tries < tries_max)
    return best


def _cut(
    now: Callable[[], Sequence[Move]],
    fails: Callable[[Sequence[Move]], bool],
    goes_on: Callable[[], bool],
) -> None:
    """Leave pieces out, from the end on, each half as large as before when none can go."""
    size = max(len(now()) // 2, 1)
    while goes_on():
        place, is_shorter = len(now()), False
        while place > 0 and goes_on():
            start = max(place - size, 0)
            moves = now()
            if fails([*moves[:start], *moves[place:]]):
                is_shorter = True
            place = min(start, len(now()))
        if not is_shorter and size == 1:
            return
        if not is_shorter or size > len(now()) // 2:
            size = max(size // 2, 1)


def told(shrunk: Shrunk) -> str:
    """Tell a run as a script: who did what, what was said, and what is wrong."""
    head = f"{len(shrunk.run.moves)} moves, found in {shrunk.tries} tries:"
    return "\n".join([head, *shrunk.outcome.lines, "Found:", *shrunk.outcome.findings])
