"""Moves: what happens next, as data. A run is a list of them, drawn from its seed beforehand.

A move says who acts and with which chance; what comes of it depends on where things stand. So any
part of a run is a run, too, and a run that fails can be cut down to the moves that it takes.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from interlock.workflows.built_in import WORKFLOWS
from tests.simulation.faults import KINDS

CROWD: Final = "crowd"
TWICE: Final = "twice"
AGAIN: Final = "again"
READ: Final = "read"
SWEEP: Final = "sweep"
TIME: Final = "time"
RESTART: Final = "restart"
KILL: Final = "kill"
TRIP: Final = "trip"
LEAD: Final = "lead"

WEIGHTS: Final = {
    "make": 6.0, "work": 28.0, "decide": 14.0, "zombie": 3.0, "hostile": 9.0, "system": 2.0,
    AGAIN: 9.0, TWICE: 2.0, CROWD: 4.0, READ: 5.0, SWEEP: 6.0, TIME: 14.0, RESTART: 0.15,
    KILL: 0.4, TRIP: 0.5, LEAD: 3.0,
}  # fmt: skip
ALWAYS: Final = ("make", "work", "decide", READ, LEAD)
"""What no run is without: where nothing happens nothing breaks."""

RATES: Final = (0.002, 0.01, 0.03, 0.1)
RUN: Final = 1_000
"""How many moves a run has: then everything is looked at, and the next one begins anew."""


class Move(NamedTuple):
    """One move."""

    number: int
    actor: str
    seed: int


@dataclass(frozen=True, slots=True)
class Swarm:
    """What a run is like: how often each actor acts, and how likely each fault is."""

    weights: dict[str, float]
    rates: dict[str, float] = field(default_factory=dict)
    flows: tuple[str, ...] = tuple(WORKFLOWS)
    # How many units of a tenant are under way at once: the fewer, the further they come.
    live_max: int = 3


def drawn_swarm(chance: random.Random) -> Swarm:
    """Draw what a run is like: some actors and faults are left out, others are all over it."""
    weights = dict(WEIGHTS)
    for name in WEIGHTS:
        weights[name] *= chance.choice((0.3, 1.0, 1.0, 3.0) if name in ALWAYS else (0, 0.3, 1, 3))
    rates = {kind: chance.choice(RATES) for kind in KINDS if chance.random() < 0.4}
    flows = tuple(chance.sample(tuple(WORKFLOWS), chance.randint(1, len(WORKFLOWS))))
    return Swarm(weights, rates, flows, chance.choice((1, 2, 3, 6)))


def steady_swarm(rate: float) -> Swarm:
    """Return what a run is like in which so many commands meet a fault of the store."""
    weights = {**WEIGHTS, TRIP: 3.0, KILL: 0.3}
    return Swarm(weights, {kind: rate / len(KINDS) for kind in KINDS})


def moves(swarm: Swarm, count: int, chance: random.Random) -> Iterator[Move]:
    """Draw the moves of a run."""
    names = list(swarm.weights)
    drawn = chance.choices(names, list(swarm.weights.values()), k=count)
    for number, actor in enumerate(drawn):
        yield Move(number, actor, chance.getrandbits(32))
