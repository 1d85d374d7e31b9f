"""Same seeds on both stores, as a campaign: the same answers, rows, artifacts and audit.

Its small figure is ``test_parity``. Here each leg has a traffic of its own; with every other seed
the process with the SQLite file remembers nothing between two commands.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from interlock.store.sqlite import session
from tests.conformance.playing import Played, forget, play, timeless
from tests.conformance.stores import Opened, postgres, sqlite
from tests.conformance.traffic import Traffic
from tests.planted.changed import changed_statements
from tests.store.postgres.made import database
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

TOLD_MAX: Final = 5
SHOWN_BEFORE: Final = 60
SHOWN_MAX: Final = 160
BUGS: Final = {
    "a store that sorts otherwise": ("ORDER BY offer, ord\n", "ORDER BY offer, ord DESC\n"),
    "a store that rounds": (":status, :ord, :waits", ":status, :ord / 1000 * 1000, :waits"),
}
"""What SQLite is told instead of what it should be told."""


def run(leg: Leg) -> Tried:
    """Send a traffic to both stores, each on its own."""
    with Server(durable=False) as server, database(server) as url:
        return parity(leg, postgres(url))


def parity(leg: Leg, there: Opened) -> Tried:
    """Send a traffic to a SQLite file and to another store, and compare."""
    traffic = Traffic(leg.seed)
    commands = list(traffic.commands(leg.amount))
    with planted(leg.bug):
        opened = sqlite(leg.folder / "interlock.db")
        before_each = (forget,) if leg.seed % 2 else ()
        ours = asyncio.run(play(opened, commands, traffic.world, *before_each))
    theirs = asyncio.run(play(there, commands, traffic.world))
    wrong = {"sqlite": ours.wrong, "postgres": theirs.wrong}
    findings = [f"{name}: {told}" for name, all_ in wrong.items() for told in all_[:TOLD_MAX]]
    counts = {
        "commands": len(commands),
        "accepted": sum(said.code == "OK" for said in ours.said),
        "given again": sum(said.is_replay for said in ours.said),
        "entries": len(ours.audit),
        "units": ours.verified,
    }
    return Tried(counts, {}, [*findings, *differences(ours, theirs)])


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug in the statements to SQLite."""
    if not bug:
        yield
        return
    changed = changed_statements(BUGS[bug])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "statements", lambda _: changed)
        yield


def differences(ours: Played, theirs: Played) -> Iterator[str]:
    """Yield the first thing of each sort that the two stores say otherwise."""
    told = {
        "answers": (timeless(ours.texts), timeless(theirs.texts)),
        "rows": (ours.states, theirs.states),
        "audits": (ours.audit, theirs.audit),
    }
    for name, (here, there) in told.items():
        if len(here) != len(there):
            yield f"the stores differ in how many {name} there are: {len(here)}, {len(there)}"
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                said = " on SQLite, ".join(_from_where_they_part(one, other))
                yield f"the stores differ in their {name}, number {number}: {said} on PostgreSQL"
                break


def _from_where_they_part(one: str, other: str) -> tuple[str, str]:
    """Return what two texts say from a little before where they begin to differ."""
    pairs = enumerate(zip(one, other, strict=False))
    parting = next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
    begin = max(0, parting - SHOWN_BEFORE)
    return one[begin : begin + SHOWN_MAX], other[begin : begin + SHOWN_MAX]


PARITY: Final = Campaign("parity", ("P30",), "commands", 5_000, 1_000_000, 5_000, run)
