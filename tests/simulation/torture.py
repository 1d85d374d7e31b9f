"""The simulation as two campaigns: everything by a seed, and faults of the store on both stores."""

import random
from collections.abc import Callable
from contextlib import ExitStack
from itertools import islice
from typing import Final

from tests.simulation.bugs import planted
from tests.simulation.moves import RUN, Swarm, drawn_swarm, steady_swarm
from tests.simulation.run import Outcome, play_all, runs
from tests.store.postgres.made import database
from tests.torture.bugs import bug_of
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.binaries import newest
from tools.postgres.server import Server

RATE: Final = 0.05
"""How many commands meet a fault of the store, where those are what is tried."""

OF_POSTGRES: Final = frozenset({"PostgreSQL keeps no reply"})
OF_SQLITE: Final = frozenset({"what failed is sent again"})


def run(leg: Leg) -> Tried:
    """Play so many moves on SQLite, everything decided by the seed."""
    return tried(played(leg))


def played(leg: Leg) -> Outcome:
    """Do the same, and return all that came of it."""
    with planted(leg.bug):
        todo = runs(leg.seed, drawn_swarm)
        return play_all(todo, leg.folder, "moves", leg.amount, bug_of(leg.bug))


def run_faults(leg: Leg) -> Tried:
    """Send so many commands to failing stores, half of them to each kind."""
    with ExitStack() as stack:
        server = None
        if leg.bug not in OF_SQLITE:
            server = stack.enter_context(Server(newest(), durable=False))
        return run_faults_on(leg, server)


def run_faults_on(leg: Leg, server: Server | None) -> Tried:
    """Do the same with a PostgreSQL that runs already; without one, on SQLite alone."""
    whole = Outcome()
    half = leg.amount if server is None else leg.amount // 2
    with planted(leg.bug):
        if leg.bug not in OF_POSTGRES:
            todo = runs(leg.seed, _steady)
            _add(whole, play_all(todo, leg.folder, "commands", half, bug_of(leg.bug)))
        while server is not None and whole.counts["commands on PostgreSQL"] < half:
            done = _on_postgres(leg, server, whole.counts["databases"])
            whole.counts["databases"] += 1
            whole.counts["commands on PostgreSQL"] += done.counts["commands"]
            _add(whole, done)
            if done.findings:
                break
    return tried(whole)


def _on_postgres(leg: Leg, server: Server, number: int) -> Outcome:
    """Play one run on a database of its own."""
    with database(server) as url:
        drawn = runs(leg.seed, _steady, RUN // 2, url)
        return play_all(islice(drawn, number, number + 1), leg.folder, "commands", 1)


def _steady(_: random.Random) -> Swarm:
    return steady_swarm(RATE)


def _add(whole: Outcome, more: Outcome) -> None:
    whole.counts.update(more.counts)
    whole.faults.update(more.faults)
    whole.events.update(more.events)
    whole.reached.update(more.reached)
    whole.findings += more.findings


SWARMS: Final[dict[str, Callable[[random.Random], Swarm]]] = {
    "simulation": drawn_swarm,
    "store-faults": _steady,
}
"""What the runs of each campaign are like."""


def tried(outcome: Outcome) -> Tried:
    """Return what a leg came to, in figures."""
    seen = {"kinds of events": len(outcome.events), "statuses": len(outcome.reached)}
    counts = {**outcome.counts, **seen}
    return Tried(counts, {kind: n for kind, n in outcome.faults.items() if n}, outcome.findings)


PROMISES: Final = ("P1", "P2", "P3", "P4", "P5", "P7", "P8", "P9", "P10", "P11", "P12", "P13",
                   "P14", "P15", "P16")  # fmt: skip

SIMULATION: Final = Campaign(
    "simulation", PROMISES, "moves", small=50_000, long=20_000_000, leg=50_000, run=run
)
STORE_FAULTS: Final = Campaign(
    "store-faults", ("P1", "P2", "P3", "P4", "P14"), "commands", small=10_000, long=5_000_000,
    leg=10_000, run=run_faults,
)  # fmt: skip
