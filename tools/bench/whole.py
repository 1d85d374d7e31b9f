"""Everything in one run: the kernel, the engine on SQLite, on PostgreSQL, and the doors."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import uvloop

from tools.bench.crowd import crowd_figures, postgres_crowd, sqlite_crowd
from tools.bench.disk import folder, on_disk
from tools.bench.kernel import kernel_figures
from tools.bench.mcp_course import mcp_course, mcp_figures
from tools.bench.measure import Figure
from tools.bench.mission_course import postgres_missions, sqlite_missions
from tools.bench.postgres_course import PostgresCourse, postgres_figures
from tools.bench.rest_course import rest_figures
from tools.bench.scale import Scale
from tools.bench.sqlite_course import SqliteCourse, sqlite_figures
from tools.bench.ticket_course import ticket_figures
from tools.bench.web_course import web_figures
from tools.postgres.server import Server

Say = Callable[[str], object]


def measure(scale: Scale, say: Say) -> tuple[list[Figure], dict[str, object]]:
    """Measure everything; return the figures and what they stand on."""
    say("the kernel")
    figures = kernel_figures(scale)
    facts: dict[str, object] = {}
    with folder() as place, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        say("the engine on SQLite")
        course = SqliteCourse(place, scale, runner)
        found, facts["sqlite"] = sqlite_figures(course)
        figures += found
        say(f"SQLite with {scale.crowd:,} units")
        figures += crowd_figures("SQLite", scale, runner, sqlite_crowd(place, runner))
        say(f"missions of {scale.hops} hops on SQLite")
        figures += sqlite_missions(place, scale, runner)
        with Server(parent=on_disk()) as server:
            say("the engine on PostgreSQL")
            ours = PostgresCourse(place, scale, runner, server, course.recording)
            found, facts["postgres"] = postgres_figures(ours)
            figures += found
            say(f"PostgreSQL with {scale.crowd:,} units")
            figures += crowd_figures("PostgreSQL", scale, runner, postgres_crowd(ours))
            say(f"missions of {scale.hops} hops on PostgreSQL")
            figures += postgres_missions(ours)
        figures += _doors(scale, say, runner, place)
        say(f"tickets, {scale.tickets} at once")
        figures += ticket_figures(scale, runner, place)
    return figures, facts


def _doors(scale: Scale, say: Say, runner: asyncio.Runner, place: Path) -> list[Figure]:
    """Measure what calls come in by."""
    say("the MCP door")
    with mcp_course(place, scale, runner) as door:
        figures = mcp_figures(door)
        say("the REST door")
        figures += rest_figures(door, place)
    say(f"the pages, with {scale.tiles:,} units")
    return figures + web_figures(scale, runner, place)
