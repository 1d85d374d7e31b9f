"""Concurrent histories as a campaign, and programs with exact counts as another.

Most of a leg runs on a SQLite file, the rest on a PostgreSQL: there every operation costs more,
and a crowd on one unit waits for itself. Where a bug is planted, it is all on the store of the bug.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

from tests.crash.nursery import Nursery, nursery
from tests.histories.checker import Anomaly, check
from tests.histories.counting import Counting
from tests.histories.operation import Operation
from tests.histories.planting import VERSION_GUARD_OFF
from tests.histories.recording import Recording
from tests.ready import ready_file
from tests.store.postgres.made import database
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

POSTGRES_SHARE: Final = 16
"""One in so many operations goes to PostgreSQL."""
POSTGRES_COUNTED_SHARE: Final = 8
"""One in so many commands of a program does."""
POSTGRES_BUGS: Final = frozenset({VERSION_GUARD_OFF})
TOLD_MAX: Final = 3
"""How many findings of a kind are told; a planted bug makes hundreds."""


def run_histories(leg: Leg) -> Tried:
    """Record a history on each store, and check it."""
    with nursery() as children, a_database() as place:
        return histories(leg, children, place)


def histories(leg: Leg, children: Nursery, place: str) -> Tried:
    """Do what a leg says with a nursery and a PostgreSQL database that are there."""
    counts: Counter[str] = Counter()
    findings: list[str] = []
    for dialect, where, amount in shares(leg, place, POSTGRES_SHARE):
        folder = leg.folder / dialect
        folder.mkdir(parents=True)
        recording = Recording(children, folder, where, leg.seed, leg.bug)
        history, found = recording.record(amount)
        findings += [f"{dialect}: {one}" for one in found]
        findings += [f"{dialect}: {one}" for one in _some(check(history))]
        counts.update(_counts(history.operations))
        counts[f"operations on {dialect}"] = len(history.operations)
    return Tried(dict(counts), {}, findings)


def run_counters(leg: Leg) -> Tried:
    """Carry programs out on each store, and count."""
    with nursery() as children, a_database() as place:
        return counters(leg, children, place)


def counters(leg: Leg, children: Nursery, place: str) -> Tried:
    """Do what a leg says with a nursery and a PostgreSQL database that are there."""
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    findings: list[str] = []
    for dialect, where, amount in shares(leg, place, POSTGRES_COUNTED_SHARE):
        folder = leg.folder / dialect
        folder.mkdir(parents=True)
        counting = Counting(children, folder, where, leg.seed, amount, leg.bug)
        findings += [f"{dialect}: {one}" for one in counting.run()]
        counts.update(counting.counts)
        faults.update({f"{name}, {dialect}": n for name, n in counting.faults.items()})
    return Tried(dict(counts), dict(faults), findings)


@contextmanager
def a_database() -> Iterator[str]:
    """Give the address of a database on a server of our own."""
    with Server(durable=False) as server, database(server) as place:
        yield place


def shares(leg: Leg, place: str, share: int) -> Iterator[tuple[str, str, int]]:
    """Yield for each store its name, the place of the data and how much goes there."""
    there = leg.amount // share
    if leg.bug:
        there = leg.amount if leg.bug in POSTGRES_BUGS else 0
    if leg.amount > there:
        yield "sqlite", str(ready_file(leg.folder / "interlock.db")), leg.amount - there
    if there:
        yield "postgres", place, there


def _some(found: list[Anomaly]) -> Iterator[Anomaly]:
    told: Counter[str] = Counter()
    for one in found:
        told[one.kind] += 1
        if told[one.kind] <= TOLD_MAX:
            yield one


def _counts(operations: tuple[Operation, ...]) -> dict[str, int]:
    """Count what makes a history worth checking."""
    by_unit: dict[str, list[Operation]] = {}
    for one in sorted(operations, key=lambda one: one.invoked_ns):
        by_unit.setdefault(one.unit, []).append(one)
    pairs = [pair for own in by_unit.values() for pair in pairwise(own)]
    return {
        "operations": len(operations),
        "reads": sum(one.is_read for one in operations),
        "writes": sum(one.is_write for one in operations),
        "refused": sum(bool(one.refused) for one in operations),
        "begun while another process was at the unit": sum(
            one.returned_ns > other.invoked_ns and one.client[:2] != other.client[:2]
            for one, other in pairs
        ),
        "versions come too late": sum(one.refused == "STALE_VERSION" for one in operations),
        "fences that are over": sum(one.refused == "STALE_LEASE" for one in operations),
        "decisions come too late": sum(
            one.refused == "INVALID_TRANSITION" and one.command in ("approve", "modify")
            for one in operations
        ),
    }


HISTORIES: Final = Campaign(
    "histories",
    ("P12", "P13", "P14", "P15"),
    "operations",
    20_000,
    1_000_000,
    20_000,
    run_histories,
)
COUNTERS: Final = Campaign(
    "counters", ("P2", "P3", "P14"), "commands", 2_000, 200_000, 4_000, run_counters
)
