"""Clocks that jump, stand still and are set back, as a campaign on real processes.

Two processes work on one database, each with a wall clock of its own. What is expected follows
from the promise: while a process runs, only time that really passes ends a lease; after a restart
wall time is believed, on SQLite; on PostgreSQL the database's clock counts alone. Whoever was
replaced is refused, whatever any clock says.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from interlock.clock import SystemClock
from interlock.service.engine import Engine, running
from interlock.service.late import LATE
from interlock.service.verify import all_units, verify
from interlock.store.postgres.store import PostgresStore
from interlock.workflows.built_in import WORKFLOWS
from tests.clocks.hands import around
from tests.clocks.people import Person, two
from tests.crash.nursery import nursery
from tests.crash.places import open_store
from tests.native import lacks_compiler
from tests.stage import HOME
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.server import Server

JUMPS_S: Final = (1, 60, 3_600, 86_400, 366 * 86_400, 10 * 366 * 86_400)
DAY_S: Final = 86_400
# So long that nothing runs out of itself, and so short that it is worth waiting for.
LONG_MS: Final = 3_600_000
SHORT_MS: Final = 300
SHORT_SHARE: Final = 0.1
POSTGRES_SHARE: Final = 0.25


@dataclass(slots=True)
class Story:
    """Jumps on one database, and what came of them."""

    chance: random.Random
    is_postgres: bool
    faults: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    # How many results came too late.
    late: int = 0

    def expect(self, told: object, right: object, what: str) -> None:
        """Write down what is not as it must be."""
        if told != right:
            self.findings.append(f"{what}: {told}, and not {right}")

    def disturb(self, people: list[Person]) -> str:
        """Do something to the clock of one or of both; say what."""
        whose = self.chance.choice([people, people[:1], people[1:]])
        by = self.chance.choice(JUMPS_S) * self.chance.choice((-1, 1))
        is_frozen = self.chance.random() < 0.2
        for one in whose:
            if is_frozen:
                one.hands.freeze()
            else:
                one.hands.jump(by)
        what = "a clock that stands still" if is_frozen else f"a jump {'on' if by > 0 else 'back'}"
        self.faults[what] += 1
        return f"{what} ({by} s) of {' and '.join(one.name for one in whose)}"

    # -- with leases that last -----------------------------------------------------------------

    def runs_on(self, people: list[Person]) -> None:
        """While both run, a jump ends no lease, and its holder hands in."""
        ada, bob = people
        held = self.held(ada)
        what = self.disturb(people)
        for one in people:
            lapsed = one.does("sweep", unit=held["unit"])["lapsed"]
            self.expect(lapsed, 0, f"{what}: leases that {one.name} ends")
        self.expect(bob.does("claim", unit=held["unit"])["said"], "EMPTIED", f"{what}: bob's claim")
        self.expect(self.handed_in(ada, held), "OK", f"{what}: ada's result")

    def comes_back(self, people: list[Person]) -> None:
        """After a restart wall time is believed; who was replaced is refused, and kept as late."""
        ada, bob = people
        held = self.held(ada)
        by = self.chance.choice((-DAY_S, DAY_S, 10 * 366 * DAY_S))
        self.faults[f"a restart with a clock set {'on' if by > 0 else 'back'}"] += 1
        what = f"a restart with a clock set by {by} s"
        bob.kill()
        bob.hands.right()
        bob.hands.jump(by)
        bob.start()
        is_over = by > 0 and not self.is_postgres
        lapsed = bob.does("sweep", unit=held["unit"])["lapsed"]
        self.expect(lapsed, int(is_over), f"{what}: leases that bob ends")
        if is_over:
            mine = bob.does("claim", unit=held["unit"])
            self.expect(mine["said"], "OK", f"{what}: bob's claim")
            self.expect(self.handed_in(ada, held), "STALE_LEASE", f"{what}: ada's result")
            self.late += 1
            self.expect(self.handed_in(bob, held | mine), "OK", f"{what}: bob's result")
        else:
            self.expect(self.handed_in(ada, held), "OK", f"{what}: ada's result")
        bob.kill()
        bob.hands.right()
        bob.start()

    # -- with leases that run out --------------------------------------------------------------

    def runs_out(self, people: list[Person]) -> None:
        """Time that really passes ends a lease, whatever the wall clock does."""
        ada, bob = people
        held = self.held(ada)
        what = self.disturb(people)
        mine = self.taken_over(bob, held, what)
        self.expect(self.handed_in(ada, held), "STALE_LEASE", f"{what}: ada's result")
        self.late += 1
        self.expect(self.handed_in(bob, held | mine), "OK", f"{what}: bob's result")

    def stands_still(self, people: list[Person]) -> None:
        """A process that is stopped for longer than its lease is refused when it goes on."""
        ada, bob = people
        held = self.held(ada)
        ada.stop()
        self.faults["SIGSTOP for longer than a lease"] += 1
        what = f"ada stopped, {self.disturb(people)}"
        mine = self.taken_over(bob, held, what)
        ada.send("submit", part=held["part"], lease=held["lease"])
        ada.go_on()
        self.expect(ada.heard()["said"], "STALE_LEASE", f"{what}: ada's result")
        self.late += 1
        self.expect(self.handed_in(bob, held | mine), "OK", f"{what}: bob's result")

    def taken_over(self, bob: Person, held: dict[str, str], what: str) -> dict[str, str]:
        """Wait until the lease has run out, and take the work over."""
        for _ in range(200):
            if bob.does("sweep", unit=held["unit"])["lapsed"]:
                break
            # A clock of nobody's: this one is not set by anybody.
            asyncio.run(asyncio.sleep(SHORT_MS / 4_000))
        else:
            self.findings.append(f"{what}: a lease of {SHORT_MS} ms never ends")
            return {}
        mine = bob.does("claim", unit=held["unit"])
        self.expect(mine["said"], "OK", f"{what}: bob's claim")
        return mine

    # -- what is done everywhere ---------------------------------------------------------------

    def held(self, who: Person) -> dict[str, str]:
        """Have somebody make something and claim it."""
        unit = str(who.does("make")["unit"])
        told = who.does("claim", unit=unit)
        self.expect(told["said"], "OK", f"{who.name} claims what nobody has")
        return {"unit": unit, **told}

    def handed_in(self, who: Person, held: dict[str, str]) -> str:
        """Have somebody hand in what they hold; return what they are told."""
        return str(who.does("submit", part=held["part"], lease=held["lease"])["said"])


def run(leg: Leg) -> Tried:
    """Let clocks jump so many times, most of them on SQLite."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    on_postgres = 0 if leg.bug else round(leg.amount * POSTGRES_SHARE)
    ours = Story(chance, is_postgres=False)
    theirs = Story(chance, is_postgres=True)
    _play(ours, leg, str(leg.folder / "interlock.db"), leg.amount - on_postgres)
    if on_postgres:
        with Server() as server:
            server.create_database("clocks")
            asyncio.run(PostgresStore.migrate(server.url("clocks"), SystemClock().now()))
            _play(theirs, leg, server.url("clocks"), on_postgres)
    return Tried(
        {"jumps": leg.amount, "late results": ours.late + theirs.late},
        dict(ours.faults + theirs.faults), [*ours.findings, *theirs.findings],
    )  # fmt: skip


def _play(story: Story, leg: Leg, place: str, amount: int) -> None:
    short = max(2, round(amount * SHORT_SHARE))
    lasting: tuple[Callable[[list[Person]], None], ...] = (story.runs_on,) * 4 + (story.comes_back,)
    ending = (story.runs_out, story.stands_still)
    with nursery(around()) as children:
        for lease_ms, courses, count in (
            (LONG_MS, lasting, amount - short), (SHORT_MS, ending, short),
        ):  # fmt: skip
            with two(children, leg.folder, place, lease_ms, leg.bug) as people:
                for number in range(count):
                    courses[number % len(courses)](people)
    asyncio.run(_judge(story, place))


async def _judge(story: Story, place: str) -> None:
    """What happened must be proved, and what came too late must be there."""
    clock = SystemClock()
    store = await open_store(place, clock)
    engine = Engine(store, clock, running(WORKFLOWS))
    story.findings += [str(one) for one in (await verify(engine, HOME)).findings]
    kept = 0
    async for unit in all_units(engine, HOME):
        kept += sum(row.mark == LATE for row in await store.artifacts(HOME, unit))
    story.expect(kept, story.late, "results that came too late and are kept")
    await store.close()


CLOCKS: Final = Campaign(
    "clocks", ("P5", "P13", "P16"), "jumps", 200, 10_000, 500, run, lacks=lacks_compiler,
)  # fmt: skip
