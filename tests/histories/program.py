"""Programs: what each client is going to do, from a seed, and how much of everything that makes.

A program is rounds, a round is a few commands that follow from one another. How often it is
broken off and begun again, and who comes first, changes nothing of what must be there in the end.
"""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

PROCESSES: Final = 2
CLIENTS: Final = 3
UNITS: Final = 2

ROUNDS: Final = {
    "finish": ("claim", "submit"),
    "tell": ("claim", "heartbeat", "heartbeat", "submit"),
    "copies": ("claim", "submit copies"),
    "reuse": ("claim", "submit", "reuse"),
    "release": ("claim", "release"),
    "late": ("claim", "release", "late"),
    "fail": ("claim", "fail_step", "retry_step"),
    "ask": ("claim", "request_review", "approve"),
    "think again": ("claim", "request_review", "modify"),
    "make": ("create",),
}
"""The commands of each kind of round. The last of those that ask is sent by two people at once."""
WEIGHTS: Final = (20, 10, 10, 8, 14, 10, 10, 6, 4, 8)

HANDS_IN: Final = frozenset({"submit", "submit copies"})
FINISHES: Final = frozenset({"finish", "tell", "copies", "reuse", "ask"})
"""Rounds after which there is one part less to do."""
NOTHING_DONE: Final = frozenset({"reuse", "late"})
"""Commands that must be refused."""
EVENTS: Final = {"submit copies": "submit", "create": "begin"}


class Round(NamedTuple):
    """One round: its number in the program, its kind, and which unit it is about."""

    number: int
    kind: str
    unit: int

    @property
    def commands(self) -> tuple[str, ...]:
        """What is sent, one after the other."""
        return ROUNDS[self.kind]


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be there in the end."""

    events: Counter[str]
    # Of each unit that all share: how many parts it has, and how many of them are done.
    parts: tuple[int, ...]
    done: tuple[int, ...]
    made: int
    results: int
    late: int
    commands: int


def client_names(process: int) -> tuple[str, ...]:
    """Return the clients of a process."""
    return tuple(f"p{process}c{number}" for number in range(CLIENTS))


def all_clients() -> tuple[str, ...]:
    """Return the clients of all processes."""
    return tuple(name for process in range(PROCESSES) for name in client_names(process))


def program(seed: int, client: str, commands: int) -> tuple[Round, ...]:
    """Return what a client does: at least so many commands."""
    chance = random.Random(f"{seed} {client}")  # noqa: S311 (repeatable on purpose)
    rounds: list[Round] = []
    count = 0
    while count < commands:
        (kind,) = chance.choices(tuple(ROUNDS), WEIGHTS)
        rounds.append(Round(len(rounds), kind, chance.randrange(UNITS)))
        count += len(ROUNDS[kind])
    return tuple(rounds)


def expected(seed: int, commands: int) -> Expected:
    """Return what all programs together must come to."""
    rounds = [one for name in all_clients() for one in program(seed, name, commands)]
    sent = [command for one in rounds for command in one.commands]
    done = [0] * UNITS
    for one in rounds:
        done[one.unit] += one.kind in FINISHES
    # Enough that nobody ever waits for ever: each of the others may hold one, and so do we.
    parts = tuple(count + len(all_clients()) + 1 for count in done)
    events = Counter(EVENTS.get(one, one) for one in sent if one not in NOTHING_DONE)
    return Expected(
        events, parts, tuple(done), sent.count("create"),
        sum(one in HANDS_IN for one in sent), sent.count("late"), len(sent),
    )  # fmt: skip
