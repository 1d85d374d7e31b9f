"""Missions that grow: what a command costs at the end of one beside its beginning, in one run.

A mission of many hops, and a hop of many steps each of which takes what the one before has made.
Time is noisy, so two more things are counted that are not: how many statements a command sends,
and how much is read for them. For SQLite that is the steps of its machine, for PostgreSQL the
rows that its scans have read.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Final, NamedTuple

import apsw
import asyncpg

from interlock.clock import SystemClock
from interlock.store.postgres.guard import inspect
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options, Trips
from interlock.store.sqlite.store import SqliteStore
from tools.bench.measure import Aim, Figure, Rates, beside, figure
from tools.bench.mission import Cost, Crew
from tools.bench.ours import TENANT
from tools.bench.postgres_course import PostgresCourse
from tools.bench.scale import Scale

if TYPE_CHECKING:
    # The driver's class is generic for type checkers only.
    Connection = asyncpg.Connection[asyncpg.Record]

FLAT: Final = Aim(1.15, is_ceiling=True)
EQUAL: Final = Aim(1.0, is_ceiling=True)
NUMBERS: Final = "numbers"
DATABASE: Final = "missions"

FLUSH: Final = "SELECT pg_stat_force_next_flush()"
READ: Final = (
    "SELECT coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)"
    " FROM pg_stat_user_tables"
)


# -- stores that count -------------------------------------------------------------------------


class CountingSqlite(SqliteStore):
    """A SQLite file whose statements are counted by SQLite itself."""

    def __init__(self, path: Path, synchronous: str = "full") -> None:
        """Open the file and begin to count."""
        super().__init__(path, SystemClock(), synchronous)
        self._statements = self._steps = 0
        for one in (self._writer.connection, self._reader, self._version):
            one.trace_v2(apsw.SQLITE_TRACE_PROFILE, self._seen)

    def _seen(self, told: dict[str, dict[str, int]]) -> None:
        self._statements += 1
        self._steps += told["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    async def counted(self) -> tuple[int, int]:
        """Return how many statements there were, and how many steps they took."""
        return self._statements, self._steps


class CountingTrips(Trips):
    """Trips that are counted; with one connection only, so that its reads are told in order."""

    trips = 0

    async def _fetch(
        self, connection: "Connection", name: str, arguments: tuple[object, ...]
    ) -> list[asyncpg.Record]:
        self.trips += 1
        return await super()._fetch(connection, name, arguments)

    async def counted(self) -> tuple[int, int]:
        """Return how many trips there were, and how many rows the server has read for them."""
        await self._at(lambda one: one.fetch(FLUSH), is_write=False)
        ((read,),) = await self._at(lambda one: one.fetch(READ), is_write=False)
        return self.trips, int(read)


async def sqlite_crew(path: Path, synchronous: str = "full") -> Crew:
    """Open a crew on a new SQLite file."""
    store = CountingSqlite(path, synchronous)
    await store.add_tenant(TENANT, "Bench", store.now())
    return Crew(store, store.counted)


async def postgres_crew(url: str) -> Crew:
    """Open a crew on a PostgreSQL database that has our schema."""
    trips = CountingTrips(url, SystemClock(), Options(pool_size=1, allow_degraded=True))
    connection = await trips.connect()
    try:
        standing = await inspect(connection, trips.options)
    finally:
        await connection.close()
    store = PostgresStore(trips, standing)
    await store.add_tenant(TENANT, "Bench", store.now())
    return Crew(store, trips.counted)


# -- growing -----------------------------------------------------------------------------------


Analyze = Callable[[], object]
"""Has the database look at its tables once there is something in them, as it does by itself."""


class Grown(NamedTuple):
    """What commands cost soon after the beginning, and at the end: pairs of the same commands."""

    early: list[Cost]
    late: list[Cost]


def _sum(costs: Sequence[Cost]) -> Cost:
    """Return what a command costs on average of those that belong together."""
    count = len(costs)
    return Cost(
        mean(cost.seconds for cost in costs),
        sum(cost.statements for cost in costs) // count,
        sum(cost.work for cost in costs) // count,
    )


async def play_hops(
    crew: Crew, scale: Scale, analyze: Analyze = lambda: None
) -> tuple[Grown, Grown]:
    """Play a mission of many hops; return what a hop costs, and what a look at the mission does."""
    mission, given = await crew.begin(), NUMBERS
    hops: list[Cost] = []
    looks: list[Cost] = []
    for place in range(scale.hops):
        if place == scale.hop_window:
            analyze()
        given, costs = await crew.hop(mission, given)
        hops.append(_sum(costs))
        looks.append(await crew.status(mission))
    return _ends(hops, scale.hop_window), _ends(looks, scale.hop_window)


async def play_chain(crew: Crew, scale: Scale) -> Grown:
    """Play a hop of many chained steps; return what a step costs."""
    await crew.launch(await crew.begin(), NUMBERS, scale.chain)
    steps: list[Cost] = []
    for _ in range(scale.chain):
        before = len(crew.costs)
        await crew.step()
        steps.append(_sum(crew.costs[before:]))
    return _ends(steps, scale.chain_window)


def _ends(costs: list[Cost], window: int) -> Grown:
    """Return the second window and the last one: what comes first is not in its stride yet."""
    return Grown(costs[window : 2 * window], costs[-window:])


# -- figures -----------------------------------------------------------------------------------


def mission_figures(
    name: str, scale: Scale, runner: asyncio.Runner, crew: Crew, unit: str, analyze: Analyze
) -> list[Figure]:
    """Measure what grows with a mission; ``unit`` is what reading is counted in."""
    hops, looks = runner.run(play_hops(crew, scale, analyze))
    chains = [runner.run(play_chain(crew, scale)) for _ in range(scale.chains)]
    runner.run(crew.store.close())
    at_end = "at its end beside its beginning"
    of_hops = f"{name}, mission of {scale.hops} hops {at_end}"
    of_steps = f"{name}, hop of {scale.chain} steps {at_end}"
    whole = Grown(
        [cost for one in chains for cost in one.early],
        [cost for one in chains for cost in one.late],
    )
    return [
        beside(of_hops, _paired(hops), "late", "early", unit="us", aim=FLAT),
        *_counts(of_hops, hops, unit),
        beside(of_steps, [_medians(one) for one in chains], "late", "early", unit="us", aim=FLAT),
        *_counts(of_steps, whole, unit),
        # It tells every hop and every asset, so it grows with what there is to tell.
        beside(f"{name}, status of that mission", _paired(looks), "late", "early", unit="us"),
    ]


def _us(cost: Cost) -> float:
    return cost.seconds * 1e6


def _paired(grown: Grown) -> list[Rates]:
    pairs = zip(grown.early, grown.late, strict=True)
    return [{"early": _us(early), "late": _us(late)} for early, late in pairs]


def _medians(grown: Grown) -> Rates:
    return {"early": median(map(_us, grown.early)), "late": median(map(_us, grown.late))}


def _counts(name: str, grown: Grown, unit: str) -> list[Figure]:
    """Return what noise cannot touch: statements, and how much is read for them."""
    found: list[Figure] = []
    counted: tuple[tuple[str, Callable[[Cost], int], Aim], ...] = (
        ("statements", lambda cost: cost.statements, EQUAL),
        (unit, lambda cost: cost.work, FLAT),
    )
    for what, of, aim in counted:
        early, late = (median(map(of, side)) for side in grown)
        one = figure(name, late, what, early)
        found.append(Figure(one.name, one.value, what, one.floor, one.ratio, aim))
    return found


def sqlite_missions(folder: Path, scale: Scale, runner: asyncio.Runner) -> list[Figure]:
    """Measure missions on SQLite."""
    crew = runner.run(sqlite_crew(folder / "missions.db"))
    return mission_figures("SQLite", scale, runner, crew, "vm steps", lambda: None)


def postgres_missions(course: PostgresCourse) -> list[Figure]:
    """Measure missions on PostgreSQL."""
    course.create(DATABASE)
    crew = course.runner.run(postgres_crew(course.server.url(DATABASE)))
    return mission_figures(
        "PostgreSQL", course.scale, course.runner, crew, "rows read",
        lambda: course.server.sql("ANALYZE", DATABASE),
    )  # fmt: skip
