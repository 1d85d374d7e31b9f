"""The primary of a cluster is lost in every way, under load, and another one takes its place.

Killed, killed while its standby lags, killed after somebody cut short its waits for the standby,
held still for longer than its place lasts and let go, or asked to step down. Every time all that
was acknowledged must be found, once, and the clients' process must find the new primary by itself.
"""

import asyncio
import os
import random
import signal
import time
from typing import Final

from interlock.clock import SystemClock
from interlock.store.postgres.store import PostgresStore
from tests.crash.load import Load
from tests.crash.postgres import NAME, Story, migrate
from tests.failover.cluster import Cluster, lacking
from tests.failover.readiness import Readiness
from tests.planted.in_postgres import HASTY, NO_STANDBY
from tests.serving.farm import Base
from tests.store.postgres.made import connected, until_it_holds
from tests.torture.frame import Campaign, Leg, Tried

KILLED: Final = "primary killed"
LAGGING: Final = "primary killed while its standby lags"
CUT_SHORT: Final = "primary killed after its waits for the standby were cut short"
HELD: Final = "primary held still for too long, and let go"
SWITCHED: Final = "switch-over"
HOWS: Final = (CUT_SHORT, KILLED, HELD, LAGGING, SWITCHED)
SHOWN_BY: Final = {NO_STANDBY: LAGGING, HASTY: CUT_SHORT}
LAG_S: Final = 1.0
REST_S: Final = 0.1
BEFORE: Final = 20

WAITING: Final = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
"""Who has committed, and waits for the standby before it says so."""

SENDING: Final = "SELECT pid FROM pg_stat_replication"


class Losses:
    """All ways in which a primary is lost."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        """Take the cluster whose primary is lost."""
        self.cluster = cluster
        # How long it took each time until somebody was answered again.
        self.seconds: list[float] = []
        self._chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)

    def order(self, leg: Leg) -> list[str]:
        """Return so many, each kind as often as any other, mixed; for a bug, those that show it."""
        hows = [SHOWN_BY[leg.bug]] if leg.bug else [*HOWS]
        self._chance.shuffle(hows)
        return [hows[number % len(hows)] for number in range(leg.amount)]

    def lose(self, how: str, load: Load) -> None:
        """Lose the primary in one way, and bring all nodes back."""
        old = self.cluster.wait_until_whole()
        held: list[int] = []
        if how in (LAGGING, CUT_SHORT):
            asyncio.run(_lag(self.cluster.node_url(old, NAME), is_cut_short=how == CUT_SHORT))
        if how == SWITCHED:
            self.cluster.switch_over(old)
        elif how == HELD:
            held = self.cluster.hold(old)
        else:
            self.cluster.kill(old)
        load.broken(how)
        began = time.monotonic()
        self.cluster.wait_for_another(old)
        if load.goes_on(1):
            self.seconds.append(time.monotonic() - began)
        if how == HELD:
            # It believes that it leads; whoever comes to it now must not be told a lie.
            self.cluster.let_go(held)
            self.cluster.wait_until_whole()
        elif how != SWITCHED:
            self.cluster.revive(old)


async def _lag(url: str, *, is_cut_short: bool) -> None:
    """Hold back all that the primary sends to others, and let clients go on for a while.

    Who has committed then waits for the standby. Such a wait can be cut short: whoever waits is
    ended, nobody is told anything, but everybody can see what was committed.
    """
    async with connected(url) as connection:
        for (pid,) in await connection.fetch(SENDING):
            os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(LAG_S)
        if is_cut_short:
            await until_it_holds(connection, f"SELECT EXISTS ({WAITING})")
            ended = f"SELECT pg_terminate_backend(pid) FROM ({WAITING}) AS w"  # noqa: S608 (ours)
            await connection.execute(ended)
            await asyncio.sleep(LAG_S)


async def incarnation(url: str) -> str:
    """Return what the database says it is."""
    async with await PostgresStore.open(url, SystemClock()) as store:
        return store.incarnation


def run(leg: Leg) -> Tried:
    """Lose the primary so often under load, beside a server that is asked how it is."""
    with Cluster() as cluster:
        asyncio.run(_create(cluster.url()))
        place = cluster.url(NAME)
        migrate(place)
        before = asyncio.run(incarnation(place))
        losses = Losses(cluster, leg.seed)
        story = Story(leg, place, rest_s=REST_S, before=BEFORE)
        with (
            Base(leg.folder / "served", place).serving() as serving,
            Readiness(serving.url) as readiness,
        ):
            tried = story.play(losses.order(leg), losses.lose)
            odd = [] if readiness.is_ready_again() else ["the server is not ready any more"]
        if asyncio.run(incarnation(place)) != before:
            odd.append("the incarnation is another one")
    counts = {
        **tried.counts,
        "asked and not ready": readiness.not_ready,
        "asked and ready without a standby": readiness.degraded,
        "slowest next answer in ms": round(max(losses.seconds, default=0.0) * 1000),
    }
    return Tried(counts, tried.faults, [*tried.findings, *odd, *sorted(readiness.odd)])


async def _create(url: str) -> None:
    async with connected(url) as connection:
        await connection.execute(f"CREATE DATABASE {NAME}")


FAIL_OVER: Final = Campaign(
    "fail-over", ("P1", "P2", "P3", "P12"), "broken", 1, 20, 5, run, 1800.0, lacking
)
