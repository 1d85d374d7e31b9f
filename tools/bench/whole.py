"""Everything in one run: the kernel, the engine beside floors and peers, and the doors."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import uvloop

from tools.bench.crowd import crowd_figures, postgres_crowd, sqlite_crowd
from tools.bench.disk import folder, on_disk
from tools.bench.kernel import kernel_figures
from tools.bench.mcp_course import mcp_course, mcp_figures
from tools.bench.measure import Figure
from tools.bench.mission_course import postgres_missions, sqlite_missions
from tools.bench.peers.arena import Arena, PostgresArena, SqliteArena
from tools.bench.peers.contest import OURS, Entrants, contenders, contest
from tools.bench.peers.growth import growth
from tools.bench.peers.roster import Peer
from tools.bench.postgres_course import PostgresCourse, postgres_figures
from tools.bench.recording import Recording
from tools.bench.rest_course import rest_figures
from tools.bench.scale import Scale
from tools.bench.sqlite_course import SqliteCourse, sqlite_figures
from tools.bench.ticket_course import ticket_figures
from tools.bench.web_course import web_figures
from tools.postgres.server import Server

CONNECTIONS: Final = "200"
"""Enough for everybody who plays many plans at once, and for those who keep theirs meanwhile."""

Say = Callable[[str], object]


@dataclass(slots=True)
class Run:
    """One run of the benchmark, and what it has found so far."""

    scale: Scale
    say: Say
    peers: Sequence[Peer]
    runner: asyncio.Runner
    place: Path
    figures: list[Figure] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)
    contests: list[object] = field(default_factory=list)
    grown: list[object] = field(default_factory=list)

    def sqlite(self) -> SqliteCourse:
        """Measure everything on SQLite."""
        scale, runner, place = self.scale, self.runner, self.place
        self.say("the engine on SQLite")
        course = SqliteCourse(place, scale, runner)
        found, self.facts["sqlite"] = sqlite_figures(course)
        self.figures += found
        self.say(f"SQLite with {scale.crowd:,} units")
        self.figures += crowd_figures("SQLite", scale, runner, sqlite_crowd(place, runner))
        self.say(f"missions of {scale.hops} hops on SQLite")
        self.figures += sqlite_missions(place, scale, runner)
        ours: Entrants = {
            "floor: a loop on sqlite3": course.plain, "floor: a loop on apsw": course.floor,
            OURS: course.one,
        }  # fmt: skip
        self._beside_peers(SqliteArena(place, runner), {1: ours})
        return course

    def postgres(self, server: Server, recording: Recording) -> None:
        """Measure everything on PostgreSQL."""
        scale, runner = self.scale, self.runner
        self.say("the engine on PostgreSQL")
        course = PostgresCourse(self.place, scale, runner, server, recording)
        found, self.facts["postgres"] = postgres_figures(course)
        self.figures += found
        self.say(f"PostgreSQL with {scale.crowd:,} units")
        self.figures += crowd_figures("PostgreSQL", scale, runner, postgres_crowd(course))
        self.say(f"missions of {scale.hops} hops on PostgreSQL")
        self.figures += postgres_missions(course)
        agent = course.open()
        one: Entrants = {"floor: pgbench": course.floor_one, OURS: lambda: course.one(agent)}
        many: Entrants = {"floor: pgbench": course.floor_many, OURS: lambda: course.many(agent)}
        self._beside_peers(PostgresArena(course), {1: one, scale.many: many})
        course.close(agent)

    def _beside_peers(self, arena: Arena, ours: Mapping[int, Entrants]) -> None:
        """Let ours and the floors play in turn with the peers; then look at growth."""
        for plans, entrants in ours.items():
            self.say(f"peers on {arena.name}, plans at once: {plans}")
            with contenders(arena, self.peers, self.scale) as theirs:
                all_of_them = {**entrants, **(theirs.one() if plans == 1 else theirs.many())}
                found = contest(arena.name, plans, all_of_them, self.scale.peer_rounds)
                self.facts["peers"] = theirs.versions
            self.contests.append(found[0].data())
            self.figures += found[1]
        sizes = ", ".join(f"{size:,}" for size in self.scale.sizes)
        self.say(f"growth on {arena.name}, plans of {sizes} steps")
        self.grown += [one.data() for one in growth(arena, self.peers, self.scale)]


def measure(
    scale: Scale, say: Say, peers: Sequence[Peer] = ()
) -> tuple[list[Figure], dict[str, object]]:
    """Measure everything; return the figures and what they stand on."""
    with folder() as place, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        run = Run(scale, say, peers, runner, place)
        say("the kernel")
        run.figures += kernel_figures(scale)
        course = run.sqlite()
        with Server(parent=on_disk(), settings={"max_connections": CONNECTIONS}) as server:
            run.postgres(server, course.recording)
        run.figures += _doors(scale, say, runner, place)
        say(f"tickets, {scale.tickets} at once")
        run.figures += ticket_figures(scale, runner, place)
    return run.figures, {**run.facts, "contests": run.contests, "growth": run.grown}


def _doors(scale: Scale, say: Say, runner: asyncio.Runner, place: Path) -> list[Figure]:
    """Measure what calls come in by."""
    say("the MCP door")
    with mcp_course(place, scale, runner) as door:
        figures = mcp_figures(door)
        say("the REST door")
        figures += rest_figures(door, place)
    say(f"the pages, with {scale.tiles:,} units")
    return figures + web_figures(scale, runner, place)
