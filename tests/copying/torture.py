"""Copies to PostgreSQL that are killed on the way, as a campaign."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from typing import Final

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from tests.copying.copier import Copier, Ended, Order, copier
from tests.copying.filled import filled
from tests.copying.judge import differences, goes_on
from tests.store.postgres.made import database
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

COMMANDS: Final = 3
KILLS: Final = 2
KILLED: Final = -9
# A copy into tables that are there takes about so many statements; to make them takes more.
STATEMENTS: Final = 1_100
MADE: Final = 1_400
OPENED: Final = "opened"


def run(leg: Leg) -> Tried:
    """Copy a file so often, each copy killed up to twice before it is left alone."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    findings: list[str] = []
    path = asyncio.run(filled(leg.folder / "interlock.db", leg.seed, COMMANDS))
    with Server(durable=False) as server, copier() as copies:
        for number in range(leg.amount):
            with database(server, is_empty=number % 2 == 1) as url:
                order = Order(str(leg.folder), url, bug=leg.bug)
                most = STATEMENTS if number % 2 == 0 else MADE
                ended = _killed(copies, order, chance, most, faults, findings)
                if ended.code:
                    findings.append(f"copy {number} is not finished: {ended.said}")
                    continue
                findings += asyncio.run(differences(path, url))
                findings += asyncio.run(goes_on(url))
                counts["copies"] += 1
    return Tried(dict(counts), dict(faults), findings)


def _killed(
    copies: Copier,
    order: Order,
    chance: random.Random,
    most: int,
    faults: Counter[str],
    findings: list[str],
) -> Ended:
    """Copy to the end, over several kills; nobody may work with what is not finished."""
    for number in range(KILLS):
        at, is_after = chance.randrange(1, most), chance.random() < 0.5
        # What goes on wrongly must have something to go on with.
        place = {"kill_in": "audit"} if order.bug and not number else {"kill_at": at}
        ended = copies.copy(replace(order, is_after=is_after, **place))
        if ended.code != KILLED:
            return ended
        faults["SIGKILL after a statement" if is_after else "SIGKILL before a statement"] += 1
        if asyncio.run(opened(order.to)) == OPENED:
            findings.append("a store opens a copy that is not finished")
    return copies.copy(order)


async def opened(url: str) -> str:
    """Try to work with a database; return how that is refused, or whether it is."""
    try:
        store = await PostgresStore.open(url, SystemClock(), Options(allow_degraded=True))
    except InterlockError as no:
        return no.code
    try:
        # Before the copy has begun, it is a database like any that nobody has used yet.
        return OPENED if await store.tenants() else "empty"
    finally:
        await store.close()


COPIES: Final = Campaign("copy", ("P13", "P17", "P30"), "copies", 2, 50, 5, run)
