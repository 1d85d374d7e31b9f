"""A store that holds many units beside one that holds few: what a claim, a submit, a status cost.

Every unit is touched once, so nothing of it is remembered, and the next one lies far from it. The
few and the many take turns.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Final, TypeVar

from interlock.clock import SystemClock
from interlock.service.read import read_unit
from interlock.store.sqlite.connect import connect
from interlock.store.sqlite.store import SqliteStore
from tools.bench.clones import clone_name, clone_postgres, clone_sqlite
from tools.bench.measure import Aim, Figure, Rates, beside
from tools.bench.ours import TENANT, Agent
from tools.bench.postgres_course import PostgresCourse
from tools.bench.scale import Scale

T = TypeVar("T")

CROWDED: Final = Aim(1.3, is_ceiling=True)
STEPS: Final = 3
STRIDE: Final = 7919
"""A prime that divides no size of a crowd: one comes by every unit before any comes twice."""
VERBS: Final = ("claim", "submit", "status")


class Crowd:
    """A store full of units, and who touches them."""

    def __init__(self, agent: Agent, count: int) -> None:
        """Take a store that holds the clones 0 to ``count``."""
        self.agent = agent
        self._names: Iterator[str] = (clone_name(place * STRIDE % count) for place in range(count))

    async def touch(self, count: int) -> Rates:
        """Claim, submit and read so many units; return the median microseconds of each."""
        units = [next(self._names) for _ in range(count)]
        took: dict[str, list[float]] = {verb: [] for verb in VERBS}
        held = [await _timed(took["claim"], self.agent.claim(unit)) for unit in units]
        for unit, one in zip(units, held, strict=True):
            await _timed(took["submit"], self.agent.submit(unit, one))
        for unit in units:
            await _timed(took["status"], read_unit(self.agent.engine, TENANT, unit))
        return {verb: median(times) * 1e6 for verb, times in took.items()}


async def _timed(times: list[float], work: "Awaitable[T]") -> T:
    begun = time.perf_counter()
    done = await work
    times.append(time.perf_counter() - begun)
    return done


def crowd_figures(
    name: str, scale: Scale, runner: asyncio.Runner, make: Callable[[int], Agent]
) -> list[Figure]:
    """Fill two stores and compare them; ``make`` makes one that holds so many units."""
    sides = {
        "few": Crowd(make(scale.few), scale.few),
        "many": Crowd(make(scale.crowd), scale.crowd),
    }
    rounds: list[Rates] = []
    for _ in range(scale.rounds):
        found: Rates = {}
        for side, crowd in sides.items():
            took = runner.run(crowd.touch(scale.touched))
            found |= {f"{verb} {side}": us for verb, us in took.items()}
        rounds.append(found)
    for crowd in sides.values():
        runner.run(crowd.agent.store.close())
    return [
        beside(
            f"{name}, {verb} among {scale.crowd:,} units beside {scale.few:,}", rounds,
            f"{verb} many", f"{verb} few", unit="us", aim=CROWDED,
        )
        for verb in VERBS
    ]  # fmt: skip


def sqlite_crowd(folder: Path, runner: asyncio.Runner) -> Callable[[int], Agent]:
    """Return what makes a SQLite file that holds so many units."""

    def make(count: int) -> Agent:
        path = folder / f"crowd-{count}.db"
        store = SqliteStore(path, SystemClock())
        unit = runner.run(_first(Agent(store)))
        runner.run(store.close())
        connection = connect(path, "off")
        with connection:
            for statement in clone_sqlite(unit, 0, count):
                connection.execute(statement)
        connection.close()
        return Agent(SqliteStore(path, SystemClock()))

    return make


def postgres_crowd(course: PostgresCourse) -> Callable[[int], Agent]:
    """Return what makes a database that holds so many units."""

    def make(count: int) -> Agent:
        name, server = f"crowd_{count}", course.server
        course.create(name)
        agent = course.open(name)
        unit = course.runner.run(_first(agent))
        server.sql("; ".join(clone_postgres(unit, 0, count)), name)
        server.sql("VACUUM ANALYZE", name)
        return agent

    return make


async def _first(agent: Agent) -> str:
    await agent.begin()
    return await agent.make(STEPS)
