"""Connections to PostgreSQL that are lost: before the request, before the answer, in the middle.

A proxy stands between the clients and the server, and the server ends backends by itself. Whoever
was not answered sends the same request again, and finds the one true outcome.
"""

import asyncio
import random
from typing import Final

import asyncpg

from tests.crash.load import Load
from tests.crash.postgres import NAME, Story, migrate
from tests.cut import Fate
from tests.failover.network import Network
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

ALL: Final = "all connections cut"
STALLED: Final = "stalled"
STALLED_AND_CUT: Final = "stalled and cut"
ENDED: Final = "backend ended by the server"
ENDED_AT_WORK: Final = "backend ended in mid-command"
HOWS: Final = (*Fate, ALL, STALLED, STALLED_AND_CUT, ENDED, ENDED_AT_WORK)
STALL_MAX_S: Final = 2.0
DOWN_MAX_S: Final = 0.2
BEFORE: Final = 8
TRIES: Final = 500

# Whoever is connected to us as the app; at work is who has a command under way.
END: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = $1 AND pid <> pg_backend_pid() AND ($2 = '' OR state = $2)
ORDER BY random() LIMIT 1
"""


class Cuts:
    """All that may befall the connections of one server."""

    def __init__(self, server: Server, network: Network, seed: int) -> None:
        """Take what is broken."""
        self._server = server
        self._network = network
        self._chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)

    def order(self, amount: int) -> list[str]:
        """Return so many, each kind as often as any other, mixed."""
        found = [str(HOWS[number % len(HOWS)]) for number in range(amount)]
        self._chance.shuffle(found)
        return found

    def cut(self, how: str, load: Load) -> None:
        """Let one of them happen."""
        if how in (ENDED, ENDED_AT_WORK):
            asyncio.run(self._end("active" if how == ENDED_AT_WORK else ""))
        elif how in (ALL, STALLED, STALLED_AND_CUT):
            self._all(how)
        else:
            self._network.befall(Fate(how))
        load.broken(how)

    def _all(self, how: str) -> None:
        if how != ALL:
            self._network.stall(self._chance.uniform(0, STALL_MAX_S))
        if how != STALLED:
            self._network.cut()
            asyncio.run(asyncio.sleep(self._chance.uniform(0, DOWN_MAX_S)))
            self._network.mend()

    async def _end(self, state: str) -> None:
        """End a backend, if one can be found in this state; at the latest, any."""
        connection = await asyncpg.connect(self._server.url(NAME))
        try:
            for _ in range(TRIES):
                if await connection.fetch(END, NAME, state):
                    return
            await connection.fetch(END, NAME, "")
        finally:
            await connection.close()


def run(leg: Leg) -> Tried:
    """Break connections so often under load."""
    with Server(durable=True, tcp=True) as server, Network(server.port) as network:
        server.create_database(NAME)
        migrate(server.url(NAME))
        place = server.url(NAME, tcp=True).replace(f":{server.port}/", f":{network.port}/")
        cuts = Cuts(server, network, leg.seed)
        return Story(leg, place, before=BEFORE).play(cuts.order(leg.amount), cuts.cut)


POSTGRES_CUTS: Final = Campaign(
    "postgres-cuts", ("P2", "P3", "P4", "P12", "P14"), "broken", 60, 3_000, 100, run
)
