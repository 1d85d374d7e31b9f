"""Four processes with eight clients each on one file, as AI clients that know nothing of each other.

``CRASH_SECONDS`` asks for a longer run. How soon others see a change is measured twice: under the
full load, where the machine is the limit, and with one process that writes while the rest wait.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest

from interlock.clock import SystemClock
from interlock.service.engine import Engine
from tests.crash.campaign import wanted
from tests.crash.child import RUNNING, Spec
from tests.crash.intents import TENANT, Intent, perform
from tests.crash.journal import Journal, Line, Outcome, read
from tests.crash.judge import judge
from tests.crash.nursery import Nursery, nursery
from tests.crash.places import open_store
from tests.torture.small import small_seed

SECONDS = wanted("CRASH_SECONDS", 5)
PROCESSES = 4
CLIENTS = 8
SHARED_UNITS = 4
SHARED_PARTS = 300
NS_PER_MS = 1_000_000
# Who only looks every now and then sees a change after so long: whoever is told sees it before.
LOOKED_EVERY_MS = 2_000


@dataclass(slots=True)
class Crowd:
    """Several processes on one place."""

    nursery: Nursery
    folder: Path
    seed: int

    @property
    def place(self) -> str:
        """Where the data lies."""
        return str(self.folder / "interlock.db")

    async def make_units(self) -> tuple[str, ...]:
        """Make the units that all share; written down as all else is."""
        clock = SystemClock()
        store = await open_store(self.place, clock)
        await store.add_tenant(TENANT, "Acme", clock.now())
        engine = Engine(store, clock, RUNNING)
        journal = Journal(self.folder / "journal")
        made = []
        for number in range(SHARED_UNITS):
            intent = Intent(f"shared{number}", "parent", "create", text=str(SHARED_PARTS))
            journal.intend(intent)
            answer = await perform(engine, intent)
            journal.settle(intent.id, Outcome(answer.text))
            made.append(str(answer.reply["unit"]))
        await store.close()
        return tuple(made)

    def work(self, clients: list[int], seconds: float) -> list[dict[str, Any]]:
        """Let processes with so many clients work side by side, and return what they report."""
        units = asyncio.run(self.make_units())
        children = [
            self.nursery.start(
                Spec(
                    self.place, str(self.folder / f"journal{number}"),
                    str(self.folder / f"told{number}"), self.seed + number,
                    tuple(f"p{number}c{client}" for client in range(count)),
                    units, seconds, is_watching=True,
                )
            )
            for number, count in enumerate(clients)
        ]  # fmt: skip
        reports = []
        for child in children:
            messages = [child.told(seconds + 60) for _ in range(3)]
            assert messages[2] is not None
            reports.append(messages[2]["done"])
            assert child.end() == 0
        return reports

    def journal(self) -> dict[str, Line]:
        """Read what all processes have written down."""
        return read(*sorted(self.folder.glob("journal*")))

    async def judge(self) -> list[str]:
        """Compare it with what the store holds."""
        clock = SystemClock()
        store = await open_store(self.place, clock)
        found = await judge(Engine(store, clock, RUNNING), self.journal())
        await store.close()
        return found


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


@pytest.fixture
def crowd(children: Nursery, tmp_path: Path) -> Crowd:
    return Crowd(children, tmp_path, small_seed("processes"))


def delays_ms(journal: dict[str, Line], reports: list[dict[str, Any]]) -> list[float]:
    """Return how long after its answer each change was seen by the other processes."""
    found = []
    for number, report in enumerate(reports):
        for name, seen in report["seen"].items():
            outcome = journal[name].outcome
            if outcome is not None and outcome.at_ns and not name.startswith(f"p{number}c"):
                found.append((seen - outcome.at_ns) / NS_PER_MS)
    return found


def told(what: str, delays: list[float]) -> str:
    """Say in one line how soon changes were seen."""
    late = quantiles(delays, n=100)
    return (
        f"{what}: {len(delays)} changes seen by others after {median(delays):.0f} ms (median),"
        f" {late[94]:.0f} ms (95 of 100), {max(delays):.0f} ms (latest)\n"
    )


def test_four_processes_on_one_file_lose_nothing_and_hear_of_no_lock(crowd: Crowd) -> None:
    reports = crowd.work([CLIENTS] * PROCESSES, SECONDS)
    journal = crowd.journal()
    findings = asyncio.run(crowd.judge())
    slowest = max(report["slowest_s"] for report in reports)
    sys.stdout.write(f"seed {crowd.seed}: {len(journal)} commands, slowest {slowest:.2f} s\n")

    assert findings == []
    assert [report["failures"] for report in reports] == [[]] * PROCESSES
    assert all(line.outcome for line in journal.values())
    assert len(journal) > PROCESSES * CLIENTS * SECONDS
    delays = delays_ms(journal, reports)
    sys.stdout.write(told("under load", delays))
    assert median(delays) < LOOKED_EVERY_MS / 2


def test_a_change_is_seen_by_the_other_processes_long_before_they_would_look(crowd: Crowd) -> None:
    reports = crowd.work([1, 0, 0, 0], 2)
    delays = delays_ms(crowd.journal(), reports)
    sys.stdout.write(told("one writes, three wait", delays))

    assert len(delays) > 100
    assert median(delays) < LOOKED_EVERY_MS / 4
