"""Missions that grow: a command costs at the end what it costs at the beginning."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from interlock.clock import SystemClock
from interlock.store.postgres.store import PostgresStore
from tools.bench.mission_course import (
    mission_figures,
    play_chain,
    play_hops,
    postgres_crew,
    sqlite_crew,
)
from tools.bench.scale import QUICK
from tools.postgres.server import Server

GROWING = replace(QUICK, hops=12, chain=12)
DATABASE = "growing_missions"
# Tables are tiny here: one vacuumed by the server in the middle of it may be read as a whole from
# then on, which is right for so few rows, and is not what is tried.
UNDISTURBED = """
DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', one);
    END LOOP;
END $$
"""


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as one:
        yield one


def test_on_sqlite_nothing_grows_with_a_mission(tmp_path: Path, runner: asyncio.Runner) -> None:
    crew = runner.run(sqlite_crew(tmp_path / "missions.db", "off"))
    hops, _ = runner.run(play_hops(crew, GROWING))
    chain = runner.run(play_chain(crew, GROWING))
    runner.run(crew.store.close())

    assert {cost.statements for cost in hops.early} == {cost.statements for cost in hops.late}
    assert {cost.work for cost in hops.early} == {cost.work for cost in hops.late}
    # The last step of a hop also ends it.
    assert chain.early[-1].statements == chain.late[0].statements
    assert chain.late[0].work <= chain.early[-1].work


def test_on_postgres_nothing_grows_with_a_mission(
    postgres_server: Server, runner: asyncio.Runner
) -> None:
    postgres_server.create_database(DATABASE)
    url = postgres_server.url(DATABASE)
    runner.run(PostgresStore.migrate(url, SystemClock().now()))
    postgres_server.sql(UNDISTURBED, DATABASE)
    crew = runner.run(postgres_crew(url))
    hops, _ = runner.run(play_hops(crew, GROWING, lambda: postgres_server.sql("ANALYZE", DATABASE)))
    runner.run(crew.store.close())
    postgres_server.drop_database(DATABASE)

    assert {cost.statements for cost in hops.early} == {cost.statements for cost in hops.late}
    assert hops.late[-1].work == hops.early[0].work


def test_time_statements_and_reads_are_told(tmp_path: Path, runner: asyncio.Runner) -> None:
    crew = runner.run(sqlite_crew(tmp_path / "missions.db", "off"))
    figures = mission_figures("Here", QUICK, runner, crew, "vm steps", lambda: None)

    told = [(one.name.removeprefix("Here, ").split(" at ")[0], one.unit) for one in figures]
    assert told == [
        ("mission of 6 hops", "us"),
        ("mission of 6 hops", "statements"),
        ("mission of 6 hops", "vm steps"),
        ("hop of 6 steps", "us"),
        ("hop of 6 steps", "statements"),
        ("hop of 6 steps", "vm steps"),
        ("status of that mission", "us"),
    ]
    assert min(one.floor for one in figures) > 0
