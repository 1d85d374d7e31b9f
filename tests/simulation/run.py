"""Runs: a seed becomes moves, moves are played on a new database, and the end is judged."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.simulation.ending import end
from tests.simulation.loop import DrawnLoop, Wedged
from tests.simulation.machine import Machine
from tests.simulation.mirror import Stand
from tests.simulation.moves import RUN, Move, Swarm, moves
from tests.simulation.places import Place, PostgresPlace, SqlitePlace, in_one_thread
from tests.still import StillClock
from tests.torture.bugs import Bug, caught

FINDINGS_MAX: Final = 5


@dataclass(slots=True)
class Outcome:
    """What a run came to."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    trace: str = ""
    lines: list[str] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    reached: Counter[Stand] = field(default_factory=Counter)
    # How many of its moves were played before something was wrong.
    played: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A run to be played: what it is like, its moves, and on which kind of database."""

    name: str
    swarm: Swarm
    moves: Sequence[Move]
    url: str = ""


def runs(
    seed: int, swarm: Callable[[random.Random], Swarm], size: int = RUN, url: str = ""
) -> Iterator[Run]:
    """Draw runs of so many moves each, one after the other, without an end."""
    for number in count():
        chance = random.Random(f"{seed} {number}")  # noqa: S311 (repeatable on purpose)
        drawn = swarm(chance)
        yield Run(f"run {number}", drawn, tuple(moves(drawn, size, chance)), url)


async def _play(machine: Machine, moves: Sequence[Move]) -> None:
    try:
        await machine.begin()
        await machine.play(moves)
        if not machine.findings:
            await end(machine)
    finally:
        await machine.close()


def play(run: Run, folder: Path, *, tells: bool = False) -> Outcome:
    """Play a run on a new database."""
    clock = StillClock(seed=1)
    with TemporaryDirectory(dir=folder) as fresh:
        place: Place = PostgresPlace(run.url, clock) if run.url else SqlitePlace(Path(fresh), clock)
        machine = Machine(place, clock, run.swarm)
        machine.lines = [] if tells else None
        if run.url:
            asyncio.run(_play(machine, run.moves))
        else:
            _play_in_one_thread(machine, run.moves)
    # A finding is told with where it came about.
    told = [f"{run.name}, move {machine.counts['moves']}: {one}" for one in machine.findings]
    return Outcome(
        machine.counts, place.struck, told, machine.trace, machine.lines or [],
        machine.mirror.events, machine.mirror.reached, machine.played,
    )  # fmt: skip


def _play_in_one_thread(machine: Machine, moves: Sequence[Move]) -> None:
    factory = partial(DrawnLoop, machine.clock)
    with in_one_thread(), asyncio.Runner(loop_factory=factory) as runner:
        try:
            runner.run(_play(machine, moves))
        except Wedged as wedged:
            machine.mirror.find("loop", str(wedged))


def play_all(
    todo: Iterator[Run], folder: Path, counted: str, amount: int, bug: Bug | None = None
) -> Outcome:
    """Play runs until there is enough of what is counted, or of findings; return the sum.

    A planted bug has to be caught once: what comes after that would prove nothing more.
    """
    whole = Outcome()
    traces = []
    for run in todo:
        one = play(run, folder)
        whole.counts.update(one.counts)
        whole.faults.update(one.faults)
        whole.events.update(one.events)
        whole.reached.update(one.reached)
        whole.findings += one.findings
        traces.append(one.trace)
        if whole.counts[counted] >= amount or len(whole.findings) >= FINDINGS_MAX:
            break
        if bug is not None and caught(bug, whole.findings):
            break
    whole.trace = " ".join(traces)
    return whole
