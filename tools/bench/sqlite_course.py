"""Our engine on SQLite beside its floor, round by round; each round on new files.

Rows are counted on both sides before anything is timed: who writes less is no floor.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

import apsw

from interlock.clock import SystemClock
from tools.bench.course import Written, growth
from tools.bench.disk import fsyncs_per_second
from tools.bench.measure import Aim, Figure, Rates, beside, figure, interleaved, wall_s
from tools.bench.ours import Agent
from tools.bench.recording import CountingStore, Recording, record
from tools.bench.scale import Scale
from tools.bench.sqlite_floor import SQL_SHA256, Command, commands, open_floor, open_plain, play

ONE: Final = Aim(0.45, 0.55)
MANY: Final = Aim(1.0, 1.3)
JOINED: Final = Aim(1.3, 1.6)
BYTES: Final = Aim(1.15, 1.05, is_ceiling=True)

Facts = dict[str, object]


@dataclass(slots=True)
class SqliteCourse:
    """Where both sides play."""

    folder: Path
    scale: Scale
    runner: asyncio.Runner
    recording: Recording = field(init=False)
    todo: tuple[Command, ...] = field(init=False)
    _numbers: "count[int]" = field(default_factory=count)

    def __post_init__(self) -> None:
        self.recording = self.runner.run(record(self.folder, self.scale.steps))
        self.todo = commands(self.recording)

    def _file(self) -> Path:
        return self.folder / f"{next(self._numbers)}.db"

    # -- entrants ------------------------------------------------------------------------------

    def floor(self) -> float:
        """Play the floor through apsw; return steps a second."""
        return self._floor(open_floor(self._file(), self.recording))

    def plain(self) -> float:
        """Play the floor through the standard library; return steps a second."""
        return self._floor(open_plain(self._file(), self.recording))

    def _floor(self, connection: apsw.Connection | sqlite3.Connection) -> float:
        took = wall_s(lambda: self._play_floor(connection))
        connection.close()
        return self.recording.steps / took

    def _play_floor(self, connection: apsw.Connection | sqlite3.Connection) -> None:
        last = play(connection.cursor().execute, self.recording.made, self.todo)
        if last != self.recording.changes[-1].unit.head:
            message = "the floor does not hash what we hash"
            raise AssertionError(message)

    def one(self) -> float:
        """Play one plan; return steps a second."""
        steps = self.scale.steps
        return self._ours(steps, [steps], lambda agent, units: agent.play(units[0], steps))

    def joined(self) -> float:
        """Play one plan, each submit claiming the next step; return steps a second."""
        steps = self.scale.steps
        return self._ours(
            steps, [steps + 1], lambda agent, units: agent.play_joined(units[0], steps)
        )

    def many(self) -> float:
        """Play many plans at the same time; return steps a second."""
        many, each = self.scale.many, self.scale.each
        return self._ours(
            many * each, [each] * many, lambda agent, units: agent.play_all(units, each)
        )

    def _ours(
        self,
        steps: int,
        sizes: list[int],
        work: Callable[[Agent, list[str]], Coroutine[None, None, None]],
    ) -> float:
        agent, store = self._open()
        units = [self.runner.run(agent.make(size)) for size in sizes]
        took = wall_s(lambda: self.runner.run(work(agent, units)))
        self.runner.run(store.close())
        return steps / took

    def _open(self) -> tuple[Agent, CountingStore]:
        store = CountingStore(self._file(), SystemClock())
        agent = Agent(store)
        self.runner.run(agent.begin())
        return agent, store

    # -- what is written -----------------------------------------------------------------------

    def written_by_floor(self) -> Written:
        """Count what the floor writes."""
        path = self._file()
        connection = open_floor(path, self.recording)
        connection.execute("PRAGMA wal_checkpoint(truncate)").fetchall()
        rows, size = connection.total_changes(), path.stat().st_size
        self._play_floor(connection)
        rows = connection.total_changes() - rows
        connection.close()
        return self._per_step(rows, path.stat().st_size - size)

    def written_by_us(self) -> Written:
        """Count what we write."""
        agent, store = self._open()
        unit = self.runner.run(agent.make(self.scale.steps))
        rows = self.runner.run(store.rows_written())
        # The last connection that is closed writes everything into the file.
        size = _size_of_copy(store.path)
        self.runner.run(agent.play(unit, self.scale.steps))
        rows = self.runner.run(store.rows_written()) - rows
        self.runner.run(store.close())
        return self._per_step(rows, store.path.stat().st_size - size)

    def _per_step(self, rows: int, size: int) -> Written:
        return Written(rows / self.scale.steps, size / self.scale.steps)

    # -- growth --------------------------------------------------------------------------------

    def growth(self) -> Figure:
        """Compare windows of a large plan with as many steps of small plans, each in its file."""
        large, large_store = self._open()
        small, small_store = self._open()
        found = growth("SQLite", self.scale, self.runner, large, small)
        for store in (large_store, small_store):
            self.runner.run(store.close())
        return found


def _size_of_copy(path: Path) -> int:
    """Return how large a file would be with its log written into it."""
    copy = path.with_suffix(".copy")
    source, target = apsw.Connection(str(path)), apsw.Connection(str(copy))
    with target.backup("main", source, "main") as backup:
        backup.step()
    source.close()
    target.close()
    size = copy.stat().st_size
    copy.unlink()
    return size


def sqlite_figures(course: SqliteCourse) -> tuple[list[Figure], Facts]:
    """Measure everything on SQLite; return the figures and what they stand on."""
    scale = course.scale
    floor, ours = course.written_by_floor(), course.written_by_us()
    if floor.rows != ours.rows:
        message = f"rows a step: the floor writes {floor.rows}, we write {ours.rows}"
        raise AssertionError(message)
    entrants = {
        "fsyncs": lambda: fsyncs_per_second(course.folder, scale.fsyncs),
        "sqlite3": course.plain,
        "apsw": course.floor,
        "one": course.one,
        "many": course.many,
        "joined": course.joined,
    }
    rounds = interleaved(entrants, scale.rounds)
    size = figure("SQLite, bytes a step", ours.bytes, "bytes", floor.bytes)
    figures = [
        *_beside_floors("SQLite, 1 plan", rounds, "one", ONE),
        *_beside_floors(f"SQLite, {scale.many} plans", rounds, "many", MANY),
        beside("SQLite, submit and claim in one commit", rounds, "joined", "one",
               unit="steps/s", aim=JOINED),
        course.growth(),
        Figure(size.name, size.value, size.unit, size.floor, size.ratio, BYTES),
        _commits(rounds),
    ]  # fmt: skip
    facts: Facts = {
        "version": apsw.sqlite_lib_version(),
        "version_of_sqlite3": sqlite3.sqlite_version,
        "floor_sql_sha256": SQL_SHA256,
        "rows_per_step": {"ours": ours.rows, "floor": floor.rows},
        "fsyncs_per_s": round(median(one["fsyncs"] for one in rounds), 1),
        "fsyncs_per_s_of_rounds": [round(one["fsyncs"], 1) for one in rounds],
    }
    return figures, facts


def _beside_floors(name: str, rounds: list[Rates], mine: str, aim: Aim) -> Iterator[Figure]:
    """Judge ours by both floors, each with one writer."""
    for floor in ("sqlite3", "apsw"):
        told = f"{name} beside a loop on {floor}"
        # The goal is set by a plain loop; beside the driver that we use it is told what that costs.
        wanted = aim if floor == "sqlite3" else None
        yield beside(told, rounds, mine, floor, unit="steps/s", aim=wanted)


def _commits(rounds: list[Rates]) -> Figure:
    """Compare commits with bare fsyncs: what is far quicker than those was not made durable."""
    commits = [{"commits": 2 * one["apsw"], "fsyncs": one["fsyncs"]} for one in rounds]
    name = "SQLite, commits of the loop beside fsyncs"
    return beside(name, commits, "commits", "fsyncs", unit="1/s")
