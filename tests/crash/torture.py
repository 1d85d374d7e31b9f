"""Kills of a process under load, as a campaign; kills of PostgreSQL are one of their own."""

import asyncio
import random
from typing import Final

from tests.crash.campaign import Campaign as Kills
from tests.crash.campaign import order_of_points
from tests.crash.nursery import nursery
from tests.planted.bugs import KILLED
from tests.torture.frame import Campaign, Leg, Tried

POINT_OF_BUG: Final = {bug.name: bug.point for bug in KILLED}


def run(leg: Leg) -> Tried:
    """Kill so many children on one file, at every labelled point and at any moment."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    # A planted bug shows when the kill hits its point.
    points = (
        [POINT_OF_BUG[leg.bug]] * leg.amount if leg.bug else order_of_points(leg.amount, chance)
    )
    with nursery() as children:
        place = str(leg.folder / "data" / "interlock.db")
        kills = Kills(children, leg.folder, place, leg.seed, bug=leg.bug)
        for point in points:
            kills.kill(point)
        kills.finish()
        report = asyncio.run(kills.judge())
    counts = {
        "kills": report.kills,
        "kills with open intents": report.in_flight,
        "intents": len(report.journal),
    }
    return Tried(counts, {f"SIGKILL, {at}": n for at, n in report.points.items()}, report.findings)


KILLS: Final = Campaign("kills", ("P1", "P2", "P3"), "kills", 50, 2_000, 50, run)
