"""Our engine on PostgreSQL beside its floor, round by round, on one durable server.

Both sides have a database of their own, made from the same migrations. Rows are counted by the
server on both sides before anything is timed.
"""

import asyncio
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from interlock.clock import SystemClock
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from tools.bench.clones import clone_postgres
from tools.bench.course import Written, growth
from tools.bench.measure import Aim, Figure, beside, figure, interleaved, wall_s
from tools.bench.ours import Agent
from tools.bench.postgres_floor import SQL_SHA256, PgBench, app_url, functions
from tools.bench.recording import Recording
from tools.bench.scale import Scale
from tools.postgres.account import Account, run
from tools.postgres.processes import until
from tools.postgres.server import Server

ONE: Final = Aim(0.55, 0.70)
MANY: Final = Aim(0.50, 0.62)
JOINED: Final = Aim(1.3, 1.6)
BYTES: Final = Aim(1.15, 1.05, is_ceiling=True)

BLANK, OURS, FLOOR = "blank", "ours", "floor"
SPARE: Final = 2
"""Steps of a plan that are not played: its first and last write more than those between."""
CROWD_AT: Final = 1_000
"""Where the names of the small plans of the floor begin."""

COUNT: Final = """
SELECT
    sum(n_tup_ins + n_tup_upd + n_tup_del)::BIGINT,
    sum(pg_total_relation_size(relid))::BIGINT,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::BIGINT
FROM pg_stat_user_tables
"""
# Who works elsewhere, or is about to leave, has not told yet what it wrote.
ALONE: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = '{}' AND backend_type = 'client backend'"
)
STANDING: Final = "SELECT current_user, row_security_active('units'), current_setting('fsync')"


@dataclass(slots=True)
class PostgresCourse:
    """Where both sides play."""

    folder: Path
    scale: Scale
    runner: asyncio.Runner
    server: Server
    recording: Recording
    pgbench: PgBench = field(init=False)
    _plans: "count[int]" = field(default_factory=count)
    _crowds: "count[int]" = field(default_factory=lambda: count(CROWD_AT))

    def __post_init__(self) -> None:
        server, scale = self.server, self.scale
        server.create_database(BLANK)
        self.runner.run(PostgresStore.migrate(server.url(BLANK), SystemClock().now()))
        self.create(OURS)
        self.create(FLOOR)
        self.pgbench = PgBench(server, FLOOR, self.folder)
        server.sql(functions(self.recording), FLOOR)
        agent = self.open(FLOOR)
        for steps, first, plans in (
            (scale.floor_steps, 0, scale.rounds + scale.peer_rounds + 1),
            (scale.floor_each, CROWD_AT, (scale.rounds + scale.peer_rounds) * scale.many),
        ):
            unit = self.runner.run(agent.make(steps + SPARE))
            server.sql("; ".join(clone_postgres(unit, first, plans)), FLOOR)
        self.close(agent)
        self._vacuum()

    def _vacuum(self) -> None:
        for database in (OURS, FLOOR):
            self.server.sql("VACUUM ANALYZE", database)
        self.server.sql("CHECKPOINT")

    def create(self, database: str) -> None:
        """Make a database with our schema and nothing in it."""
        self.server.create_database(database, BLANK)

    def open(self, database: str = OURS) -> Agent:
        """Open a store with an agent that works on it."""
        options = Options(pool_size=self.scale.pool)
        url = self.server.url(database)
        agent = Agent(self.runner.run(PostgresStore.open(url, SystemClock(), options)))
        self.runner.run(agent.begin())
        return agent

    def close(self, agent: Agent) -> None:
        """Close the store of an agent."""
        self.runner.run(agent.store.close())

    # -- what is written -----------------------------------------------------------------------

    def standing(self) -> str:
        """Return as whom the floor works, whether row security holds for it, and fsync."""
        psql = [self.server.binaries.program("psql"), "-X", "-A", "-t", "-c", STANDING]
        return run([*psql, app_url(self.server, FLOOR)], Account(), self.folder).strip()

    def written_by_floor(self) -> Written:
        """Count what the floor writes."""
        before = self._counts(FLOOR)
        self.pgbench.steps_per_second(next(self._plans), 1, self.scale.steps)
        return self._written(before, self._counts(FLOOR))

    def written_by_us(self) -> Written:
        """Count what we write."""
        agent = self.open()
        unit = self._plan(agent, self.scale.steps)
        self.close(agent)
        before = self._counts(OURS)
        agent = self.open()
        self.runner.run(agent.play(unit, self.scale.steps))
        self.close(agent)
        return self._written(before, self._counts(OURS))

    def _counts(self, database: str) -> list[int]:
        alone = ALONE.format(database)
        until(lambda: self.server.sql(alone) == "0", f"somebody does not leave {database}")
        return [int(number) for number in self.server.sql(COUNT, database).split("|")]

    def _written(self, before: list[int], after: list[int]) -> Written:
        rows, size, log = (
            (late - early) / self.scale.steps for early, late in zip(before, after, strict=True)
        )
        return Written(rows, size, log)

    def _plan(self, agent: Agent, steps: int) -> str:
        """Make a plan and play its first step."""
        unit = self.runner.run(agent.make(steps + SPARE))
        self.runner.run(agent.play(unit, 1))
        return unit

    # -- entrants ------------------------------------------------------------------------------

    def floor_one(self) -> float:
        """Let one client go through one plan; return steps a second."""
        return self.pgbench.steps_per_second(next(self._plans), 1, self.scale.floor_steps)

    def floor_many(self) -> float:
        """Let many clients go through a plan each; return steps a second."""
        scale = self.scale
        first = next(self._crowds)
        for _ in range(scale.many - 1):
            next(self._crowds)
        return self.pgbench.steps_per_second(first, scale.many, scale.floor_each)

    def one(self, agent: Agent) -> float:
        """Play one plan; return steps a second."""
        steps = self.scale.steps
        unit = self._plan(agent, steps)
        return steps / wall_s(lambda: self.runner.run(agent.play(unit, steps)))

    def joined(self, agent: Agent) -> float:
        """Play one plan, each submit claiming the next step; return steps a second."""
        steps = self.scale.steps
        unit = self._plan(agent, steps)
        return steps / wall_s(lambda: self.runner.run(agent.play_joined(unit, steps)))

    def many(self, agent: Agent) -> float:
        """Play many plans at the same time; return steps a second."""
        many, each = self.scale.many, self.scale.each
        units = [self._plan(agent, each) for _ in range(many)]
        return many * each / wall_s(lambda: self.runner.run(agent.play_all(units, each)))


def postgres_figures(course: PostgresCourse) -> tuple[list[Figure], dict[str, object]]:
    """Measure everything on PostgreSQL; return the figures and what they stand on."""
    scale = course.scale
    floor, ours = course.written_by_floor(), course.written_by_us()
    if floor.rows != ours.rows:
        message = f"rows a step: the floor writes {floor.rows}, we write {ours.rows}"
        raise AssertionError(message)
    agent = course.open()
    entrants = {
        "floor": course.floor_one,
        "one": lambda: course.one(agent),
        "floor of many": course.floor_many,
        "many": lambda: course.many(agent),
        "joined": lambda: course.joined(agent),
    }
    rounds = interleaved(entrants, scale.rounds)
    size = figure("PostgreSQL, bytes a step", ours.bytes, "bytes", floor.bytes)
    figures = [
        beside("PostgreSQL, 1 plan beside pgbench", rounds, "one", "floor",
               unit="steps/s", aim=ONE),
        beside(f"PostgreSQL, {scale.many} plans beside pgbench", rounds, "many", "floor of many",
               unit="steps/s", aim=MANY),
        beside("PostgreSQL, submit and claim in one commit", rounds, "joined", "one",
               unit="steps/s", aim=JOINED),
        growth("PostgreSQL", scale, course.runner, agent, agent),
        Figure(size.name, size.value, size.unit, size.floor, size.ratio, BYTES),
        figure("PostgreSQL, bytes of log a step", ours.log, "bytes", floor.log),
    ]  # fmt: skip
    course.close(agent)
    return figures, {
        "version": course.server.sql("SHOW server_version"),
        "floor_sql_sha256": SQL_SHA256,
        "floor_stands_as": course.standing(),
        "rows_per_step": {"ours": ours.rows, "floor": floor.rows},
        "pool_size": scale.pool,
    }
