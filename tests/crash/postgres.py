"""PostgreSQL broken under load: the story that all such campaigns tell, and the one of kills."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from interlock.clock import SystemClock
from interlock.store.postgres.store import PostgresStore
from tests.crash.campaign import Campaign as Kills
from tests.crash.chores.interrupted import interrupt
from tests.crash.chores.moving import name_database
from tests.crash.load import PATIENCE_S, Load
from tests.crash.nursery import nursery
from tests.crash.points import MOVES, POSTGRES
from tests.store.postgres.made import rows_of
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

NAME: Final = "campaign"
BEFORE: Final = 40
"""At most so many commands are answered before the next thing is broken."""

CLIENT_KILLS: Final = 5
# A planted bug may leave nobody an answer; that need not be waited for as long.
BUG_PATIENCE_S: Final = 15.0

Break = Callable[[str, Load], None]
"""Breaks what it is told, and has that noted at the moment when it is broken."""


def migrate(url: str) -> None:
    """Make our tables in a database."""
    asyncio.run(PostgresStore.migrate(url, SystemClock().now()))


class Story:
    """Clients at work on a place that is broken again and again, and what is found in the end."""

    def __init__(self, leg: Leg, place: str, *, rest_s: float = 0.0, before: int = BEFORE) -> None:
        """Say where they work, how long they rest, and how much they do in between."""
        self.leg = leg
        self.findings: list[str] = []
        self._place = place
        self._rest_s = rest_s
        self._before = before

    def play(
        self, order: Sequence[str], breaks: Break, then: Callable[[Kills], None] | None = None
    ) -> Tried:
        """Break one thing after the other, end in peace, and judge."""
        leg = self.leg
        with nursery() as children:
            kills = Kills(children, leg.folder, self._place, leg.seed, bug=leg.bug)
            patience_s = BUG_PATIENCE_S if leg.bug else PATIENCE_S
            with Load(kills, self._rest_s, patience_s) as load:
                self._break_all(load, order, breaks)
            if then is not None:
                then(kills)
            kills.finish()
            report = asyncio.run(kills.judge())
        outcomes = [line.outcome for line in report.journal.values() if line.outcome]
        counts = {
            "broken": sum(report.points[how] for how in set(order)),
            "with open intents": report.in_flight,
            "intents": len(report.journal),
            "committed and not heard of": sum(one.is_replay for one in outcomes),
        }
        return Tried(counts, dict(report.points), [*self.findings, *report.findings])

    def _break_all(self, load: Load, order: Sequence[str], breaks: Break) -> None:
        for how in order:
            if load.goes_on(load.campaign.chance.randint(1, self._before)):
                breaks(how, load)
            if not load.goes_on(self._before):
                self.findings.append(f"nobody is answered any more after: {how}")
                return
        told = load.leave()
        if told is None:
            self.findings.append("clients do not come to an end: one is never answered")
            return
        stuck = sorted(set(told["stuck"]))
        self.findings += [f"{code} does not say that the same may be sent again" for code in stuck]


def kills(leg: Leg) -> Tried:
    """Kill all of PostgreSQL so often, and then clients, each time in the middle of work."""
    with Server(durable=True) as server:
        server.create_database(NAME)
        migrate(server.url(NAME))
        story = Story(leg, server.url(NAME))

        def kill(how: str, load: Load) -> None:
            server.kill()
            load.broken(how)
            server.start()

        def kill_clients(campaign: Kills) -> None:
            points = [*POSTGRES] * often(leg)
            campaign.chance.shuffle(points)
            for point in (*points, *[""] * CLIENT_KILLS):
                campaign.kill(point)
            if not _is_quiet(server):
                story.findings.append("a kill, a recovery and opening have changed something")

        tried = story.play(["SIGKILL of the server"] * leg.amount, kill, kill_clients)
        return tried if leg.bug else _with_moves(leg, server, tried)


def often(leg: Leg) -> int:
    """Say how often each point is hit: a long run is five legs of twenty."""
    return max(1, leg.amount // 4)


def _with_moves(leg: Leg, server: Server, tried: Tried) -> Tried:
    """Kill also who makes tables, and who copies a file to the server."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    points = [*MOVES] * often(leg)
    findings = [*tried.findings]
    with nursery() as children:
        for number, point in enumerate(points):
            name, folder = f"moved_{number}", leg.folder / "moves" / str(number)
            server.create_database(name)
            name_database(folder, server.url(name))
            findings += interrupt(children, folder, point, chance)
            server.drop_database(name)
    faults = {**tried.faults, **Counter(points)}
    return Tried({**tried.counts, "moves killed": len(points)}, faults, findings)


def _is_quiet(server: Server) -> bool:
    """Say whether a kill, a recovery and opening leave everything as it was."""
    before = asyncio.run(rows_of(server.url(NAME)))
    server.kill()
    server.start()

    async def open_and_close() -> None:
        await (await PostgresStore.open(server.url(NAME), SystemClock())).close()

    asyncio.run(open_and_close())
    return asyncio.run(rows_of(server.url(NAME))) == before


POSTGRES_KILLS: Final = Campaign(
    "postgres-kills", ("P1", "P2", "P3", "P5"), "broken", 3, 100, 20, kills
)
