"""The process that is killed: a service with its store, and the clients that use it.

It has no doors and no command line; what it is to do it is told as a ``Spec``. It talks back
through a named pipe, one line a message: what it has loaded, where it stands, what went wrong.
"""

import asyncio
import json
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from interlock.clock import SystemClock
from interlock.service.engine import Engine, running
from interlock.workflows.built_in import WORKFLOWS
from tests.crash.clients import Board, Client
from tests.crash.intents import NAMED, TENANT, Intent
from tests.crash.journal import Journal, read
from tests.crash.places import open_store
from tests.crash.points import Point
from tests.crash.telling import Message, Tell, telling
from tests.crash.watching import watch
from tests.planted.in_child import plant

FEED_PAGE = 500
LISTED = 5
POLL_S = 0.05
RUNNING = running(WORKFLOWS)

AT_WORK: Message = {"is_at_work": True}


@dataclass(frozen=True, slots=True)
class Spec:
    """What a child is to do; ``seconds`` 0 means: work until killed, or asked to leave."""

    place: str
    journal: str
    told: str
    seed: int
    clients: tuple[str, ...]
    units: tuple[str, ...] = ()
    seconds: float = 0.0
    point: str = ""
    turn: int = 1
    bug: str = ""
    is_watching: bool = False
    # How long each client rests after a command.
    rest_s: float = 0.0


def main(spec: Spec) -> None:
    """Do what the spec says; the way out of it is mostly a kill."""
    with telling(spec.told) as tell:
        tell({"modules": sorted(n for n in sys.modules if n.startswith("interlock"))})
        plant(spec.bug)
        point = Point(spec.point, spec.turn, lambda name: tell({"point": name}))
        watch(point)
        tell({"done": asyncio.run(_work(spec, point, tell))})


async def _work(spec: Spec, point: Point, tell: Tell) -> Message:
    clock = SystemClock()
    point.loop = asyncio.get_running_loop()
    store = await open_store(spec.place, clock)
    await store.add_tenant(TENANT, "Acme", clock.now())
    engine = Engine(store, clock, RUNNING)
    board = Board([*spec.units])
    lines = read(Path(spec.journal)).values()
    journal = Journal(Path(spec.journal))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    clients: list[tuple[Client, list[Intent]]] = []
    for number, name in enumerate(spec.clients):
        chance = random.Random(spec.seed * 1000 + number)  # noqa: S311 (repeatable on purpose)
        client = Client(name, engine, journal, board, chance, rest_s=spec.rest_s)
        open_ends = client.remember(line for line in lines if line.intent.client == name)
        clients.append((client, open_ends))
    seen: dict[str, int] = {}
    looking = (_watch(engine, seen), _poll(engine)) if spec.is_watching else ()
    async with asyncio.TaskGroup() as group:
        onlookers = [group.create_task(one) for one in looking]
        at_work = [group.create_task(client.run(ends, stop)) for client, ends in clients]
        await asyncio.sleep(0)  # now every client has sent something
        tell(AT_WORK)
        if spec.seconds:
            await asyncio.sleep(spec.seconds)
            stop.set()
        await asyncio.gather(*at_work)
        for onlooker in onlookers:
            onlooker.cancel()
    await store.close()
    return {
        "seen": seen,
        "failures": [code for client, _ in clients for code in client.failures],
        "stuck": [code for client, _ in clients for code in client.stuck],
        "slowest_s": max((client.slowest_s for client, _ in clients), default=0.0),
    }


async def _poll(engine: Engine) -> None:
    """Read again and again, as people's pages do."""
    while True:
        for listed in await engine.store.units(TENANT, "", None, LISTED):
            await engine.store.whole(TENANT, listed.row.id)
        await asyncio.sleep(POLL_S)


async def _watch(engine: Engine, seen: dict[str, int]) -> None:
    """Note when each request is first seen by somebody who waits for changes."""
    place = ""
    async for _ in engine.store.watch(TENANT):
        while rows := await engine.store.feed(TENANT, place, FEED_PAGE):
            now = time.monotonic_ns()
            for row in rows:
                name = json.loads(row.link.body).get(NAMED)
                if name is not None:
                    seen.setdefault(name, now)
            place = rows[-1].position
