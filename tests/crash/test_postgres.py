"""PostgreSQL is killed with all its processes under load, recovers, and has lost nothing.

``CRASH_SERVER_KILLS`` and ``CRASH_SEED`` ask for more kills and for another seed. The clients
live on: they send again what they were not answered, until the server is back.
"""

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.clock import SystemClock
from interlock.store.postgres.store import PostgresStore
from tests.crash.campaign import Campaign, stopwatch, wanted
from tests.crash.child import AT_WORK
from tests.crash.journal import read
from tests.crash.nursery import Child, Nursery, nursery
from tests.store.postgres.made import rows_of
from tools.postgres.server import Server

SERVER_KILLS = wanted("CRASH_SERVER_KILLS", 3)
CLIENT_KILLS = 5
NAME = "campaign"
ACKS_BETWEEN = 40
POLL_S = 0.01
PATIENCE_S = 60


@pytest.fixture
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(durable=True) as started:
        started.create_database(NAME)
        asyncio.run(PostgresStore.migrate(started.url(NAME), SystemClock().now()))
        yield started


def acks(campaign: Campaign) -> int:
    """Return how many commands have been answered."""
    return sum(line.outcome is not None for line in read(campaign.journal).values())


def wait_for_acks(campaign: Campaign, child: Child, count: int) -> None:
    """Wait until so many more commands have been answered."""
    until, goal = stopwatch() + PATIENCE_S, acks(campaign) + count
    while acks(campaign) < goal:
        assert stopwatch() < until
        assert child.told(POLL_S) is None


def kill_server(campaign: Campaign, child: Child, server: Server) -> None:
    """Kill the server in the middle of work and start it again; the child goes on."""
    wait_for_acks(campaign, child, campaign.chance.randint(1, ACKS_BETWEEN))
    server.kill()
    campaign.report.kills += 1
    campaign.report.in_flight += any(
        line.outcome is None for line in read(campaign.journal).values()
    )
    campaign.report.points["server"] += 1
    server.start()
    wait_for_acks(campaign, child, ACKS_BETWEEN)


def reopened(server: Server) -> bool:
    """Say whether a kill, a recovery and opening leave everything as it was."""
    before = asyncio.run(rows_of(server.url(NAME)))
    server.kill()
    server.start()

    async def open_and_close() -> None:
        await (await PostgresStore.open(server.url(NAME), SystemClock())).close()

    asyncio.run(open_and_close())
    return asyncio.run(rows_of(server.url(NAME))) == before


def test_killed_under_load_the_server_has_lost_nothing_and_done_nothing_twice(
    tmp_path: Path, children: Nursery, server: Server
) -> None:
    seed = wanted("CRASH_SEED", random.getrandbits(32))
    campaign = Campaign(children, tmp_path, server.url(NAME), seed)
    began = stopwatch()
    child = children.start(campaign.spec())
    assert child.told()
    assert child.told() == AT_WORK
    for _ in range(SERVER_KILLS):
        kill_server(campaign, child, server)
    child.kill()
    for _ in range(CLIENT_KILLS):
        campaign.kill()
    assert reopened(server)
    campaign.finish()
    report = asyncio.run(campaign.judge())
    report.seconds = stopwatch() - began
    sys.stdout.write(f"{report}\n")

    assert report.findings == []
    assert report.points == {"server": SERVER_KILLS, "any moment": CLIENT_KILLS}
    assert report.in_flight >= report.kills / 2
