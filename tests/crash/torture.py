"""Kills of processes as a campaign: services and workers under load, and chores; PostgreSQL has one of its own.

A leg kills as often as it says under load, some of it workers. Besides, every chore is killed at each of its points.
"""

import asyncio
import random
from collections import Counter
from typing import Final

from tests.crash.campaign import Campaign as Kills
from tests.crash.campaign import Report, order_of_points
from tests.crash.chores.bugs import BUGS as CHORE_BUGS
from tests.crash.chores.interrupted import interrupt
from tests.crash.nursery import nursery
from tests.crash.points import CHORES
from tests.crash.workers.bugs import BUGS as WORKER_BUGS
from tests.crash.workers.place import KILLS as WORKER_KILLS
from tests.crash.workers.place import Place
from tests.planted.bugs import KILLED
from tests.torture.frame import Campaign, Leg, Tried

POINT_OF_BUG: Final = {bug.name: bug.point for bug in KILLED}


def run(leg: Leg) -> Tried:
    """Kill so many processes, at every labelled point and at any moment."""
    if leg.bug in CHORE_BUGS:
        return _chores(leg, [CHORE_BUGS[leg.bug].point] * leg.amount)
    if leg.bug in WORKER_BUGS:
        return _workers(leg)
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    if leg.bug in POINT_OF_BUG:
        # A planted bug shows when the kill hits its point.
        return _services(leg, [POINT_OF_BUG[leg.bug]] * leg.amount)
    parts = [
        _services(leg, order_of_points(leg.amount - WORKER_KILLS, chance)),
        _workers(leg),
        _chores(leg, [*CHORES]),
    ]
    counts: Counter[str] = Counter()
    for one in parts:
        counts.update(one.counts)
    faults = {what: often for one in parts for what, often in one.faults.items()}
    return Tried(counts, faults, [found for one in parts for found in one.findings])


def _services(leg: Leg, points: list[str]) -> Tried:
    """Kill processes on one file, each while clients work on it."""
    with nursery() as children:
        place = str(leg.folder / "data" / "interlock.db")
        kills = Kills(children, leg.folder, place, leg.seed, bug=leg.bug)
        for point in points:
            kills.kill(point)
        kills.finish()
        report = asyncio.run(kills.judge())
    return _told(report)


def _told(report: Report) -> Tried:
    counts = {
        "kills": report.kills,
        "kills with open intents": report.in_flight,
        "intents": len(report.journal),
    }
    return Tried(counts, {f"SIGKILL, {at}": n for at, n in report.points.items()}, report.findings)


def _workers(leg: Leg) -> Tried:
    """Kill workers of one server, each while there is work to do."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    folder = leg.folder / "workers"
    folder.mkdir()
    with nursery() as children, Place(children, folder, chance, leg.bug).open() as place:
        if leg.bug:
            place.kill(WORKER_BUGS[leg.bug].point)
        else:
            place.kill_all()
        counts, findings = place.judge()
    faults = {f"SIGKILL, {at}": often for at, often in place.kills.items()}
    return Tried({"kills": place.kills.total(), **counts}, faults, findings)


def _chores(leg: Leg, points: list[str]) -> Tried:
    """Kill what is done beside commands, each on a database of its own."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    findings: list[str] = []
    with nursery() as children:
        for number, point in enumerate(points):
            folder = leg.folder / "chores" / str(number)
            findings += interrupt(children, folder, point, chance, leg.bug)
    faults = {f"SIGKILL, {at}": often for at, often in Counter(points).items()}
    return Tried({"chores killed": len(points)}, faults, findings)


KILLS: Final = Campaign("kills", ("P1", "P2", "P3", "P13", "P14"), "kills", 50, 2_000, 50, run)
