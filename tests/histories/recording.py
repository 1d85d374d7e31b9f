"""Record a history: several processes with several clients each, on a few units of one place."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns

from interlock.clock import SystemClock
from interlock.service.engine import Engine
from interlock.service.verify import verify
from interlock.store.port import AuditRow
from tests.crash.intents import NAMED, TENANT, Intent, perform
from tests.crash.nursery import Nursery
from tests.histories.client import Spec
from tests.histories.operation import History, Operation, Written, read_back
from tests.histories.places import open_careless
from tests.histories.planting import plant_in_database
from tests.ready import ready_flows

PROCESSES = 3
CLIENTS = 4
UNITS = 4
# So many parts for an operation: a few are left when all is done.
PARTS_SHARE = 0.06
PARTS_MIN = 8
PAGE = 1_000
PATIENCE_S = 600.0


@dataclass(frozen=True, slots=True)
class Recording:
    """Where a history is recorded, and from which seed."""

    nursery: Nursery
    folder: Path
    place: str
    seed: int
    bug: str = ""

    def record(self, operations: int) -> tuple[History, list[str]]:
        """Let the processes do so many operations; return them, and what verifying finds."""
        asyncio.run(plant_in_database(self.bug, self.place))
        made = asyncio.run(self._make_units(operations))
        each = -(-operations // (PROCESSES * CLIENTS))
        specs = [self._spec(number, tuple(made), each) for number in range(PROCESSES)]
        children = [self.nursery.start(spec) for spec in specs]
        try:
            for child in children:
                assert child.told() == {"is_ready": True}
            self._go.touch()
            for child in children:
                assert child.told(PATIENCE_S) == {"done": True}
        finally:
            for child in children:
                child.kill()
        done = read_back(Path(spec.notes) for spec in specs)
        return asyncio.run(self._history(made, done))

    @property
    def _go(self) -> Path:
        return self.folder / "go"

    def _spec(self, number: int, units: tuple[str, ...], each: int) -> Spec:
        clients = tuple(f"p{number}c{client}" for client in range(CLIENTS))
        return Spec(
            self.place, str(self.folder / f"notes{number}"), str(self.folder / f"told{number}"),
            str(self._go), self.seed, clients, units, each, self.bug,
        )  # fmt: skip

    async def _make_units(self, operations: int) -> dict[str, Operation]:
        """Make the units that all share; who makes one has written it."""
        clock = SystemClock()
        store = await open_careless(self.place, clock)
        await store.add_tenant(TENANT, "Acme", clock.now())
        engine = Engine(store, clock, ready_flows())
        parts = max(PARTS_MIN, round(operations * PARTS_SHARE / UNITS))
        made = {}
        for number in range(UNITS):
            began = monotonic_ns()
            intent = Intent(f"made{number}", "maker", "create", text=str(parts))
            reply = json.loads((await perform(engine, intent)).text)
            receipt = reply["receipt"]
            made[reply["unit"]] = Operation(
                intent.id, intent.client, "create", reply["unit"], began, monotonic_ns(),
                receipt["sequence"], receipt["hash"],
            )  # fmt: skip
        await store.close()
        return made

    async def _history(
        self, made: dict[str, Operation], done: tuple[Operation, ...]
    ) -> tuple[History, list[str]]:
        clock = SystemClock()
        store = await open_careless(self.place, clock)
        engine = Engine(store, clock, ready_flows())
        logs = {unit: await _log(engine, unit) for unit in made}
        found = [str(one) for one in (await verify(engine, TENANT)).findings]
        await store.close()
        return History((*made.values(), *done), logs), found


async def _log(engine: Engine, unit: str) -> tuple[Written, ...]:
    rows: list[AuditRow] = []
    while True:
        after = rows[-1].link.sequence if rows else 0
        page = await engine.store.audit(TENANT, unit, after, PAGE)
        rows += page
        if len(page) < PAGE:
            return written(rows)


def written(rows: list[AuditRow]) -> tuple[Written, ...]:
    """Part entries into requests: each begins where one is named."""
    found: list[Written] = []
    for row in rows:
        link = row.link
        name = json.loads(link.body).get(NAMED)
        if name is not None or not found:
            found.append(Written(str(name), link.sequence, link.sequence, link.hash))
        else:
            found[-1] = Written(found[-1].request, found[-1].first, link.sequence, link.hash)
    return tuple(found)
