"""A desk to try the service at: an engine on a real file, a clock that stands still, few words.

``at_desk`` opens one, plays a story on it and closes it again; two stories on the same folder
are two runs of the program.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar, cast

from interlock.kernel.rules import NO_ARGS
from interlock.kernel.seen import Actor
from interlock.kernel.workflow import Workflow
from interlock.service.create import NewBranch, NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Kept, Order, Result
from interlock.service.run import Answer, advance
from interlock.store.port import Whole
from interlock.store.script import Key
from interlock.store.sqlite.store import SqliteStore
from interlock.workflows.built_in import WORKFLOWS
from tests.ready import ready_file, ready_flows
from tests.still import StillClock

T = TypeVar("T")

HOME: Final = "home"
AWAY: Final = "away"
"""Two tenants that know nothing of each other."""

ME: Final = Principal(HOME, "agent", "ada", session="s1")
PERSON: Final = Principal(HOME, "user", "pat")
FOUND: Final = {"result": {"go": True}, "result_summary": "what was found"}


def said(result: Result) -> dict[str, object]:
    """Word an answer: where the unit stands, and the part that it was about."""
    told: dict[str, object] = {"unit": result.unit.id, "status": result.unit.unit.status}
    part = result.done[-1].part if result.done else None
    if part is not None:
        told |= {"part": part.id, "lease": result.lease(part)}
    return told


@dataclass(slots=True)
class Desk:
    """An engine with a clock, and the calls that tests make."""

    engine: Engine
    clock: StillClock
    store: SqliteStore
    made: list[str] = field(default_factory=list)

    async def make(self, new: NewUnit, by: Principal = ME, key: Key | None = None) -> str:
        """Make a unit and return its name."""
        answer = await create(self.engine, by, new, said, key)
        return str(answer.reply["unit"])

    async def plan(self, *needs: tuple[int, ...], by: Principal = ME, **fields: object) -> str:
        """Make a plan of so many steps, each with the places of those it needs."""
        parts = tuple(NewPart("step", {}, needs=need) for need in needs)
        return await self.make(NewUnit("plan", fields, parts), by)

    async def branching(self, steps: int, *branches: NewBranch) -> str:
        """Make a plan with conditions."""
        parts = tuple(NewPart("step") for _ in range(steps))
        return await self.make(NewUnit("plan", {}, parts, branches))

    async def send(
        self,
        unit: str,
        *asked: Asked,
        by: Principal = ME,
        key: Key | None = None,
        version: int | None = None,
    ) -> Answer:
        """Send events to a unit."""
        order = Order(by.tenant, by.actor(), unit, asked, said, key, version)
        return await advance(self.engine, order)

    async def claim(self, unit: str, kind: str = "step", by: Principal = ME) -> tuple[str, str]:
        """Claim the next part; return its name and the lease."""
        event = self.engine.running(unit).flow.kind(kind).claim
        reply = (await self.send(unit, Asked(event, kind=kind), by=by)).reply
        lease = cast("Mapping[str, object]", reply["lease"])
        return str(reply["part"]), str(lease["token"])

    async def submit(
        self,
        part: str,
        lease: str = "",
        *,
        args: Mapping[str, object] = NO_ARGS,
        by: Principal = ME,
    ) -> Answer:
        """Submit the result of a step."""
        return await self.send(
            part.partition(".")[0], submitted(part, lease, {**FOUND, **args}), by=by
        )

    async def whole(self, unit: str, tenant: str = HOME) -> Whole:
        """Read a unit as its rows stand."""
        found = await self.store.whole(tenant, unit)
        assert found is not None
        return found

    async def standing(self, unit: str) -> str:
        """Say where a unit and its parts stand, the parts in order: ``executing: pending done``."""
        whole = await self.whole(unit)
        return f"{whole.row.unit.status}: {' '.join(r.part.status for r in whole.parts)}"

    async def audit(self, unit: str, after: int = 0) -> list[dict[str, object]]:
        """Read the bodies of a unit's entries."""
        rows = await self.store.audit(HOME, unit, after, 1_000)
        return [json.loads(row.link.body) for row in rows]


def submitted(part: str, lease: str = "", args: Mapping[str, object] = FOUND) -> Asked:
    """Return the event that submits a step."""
    kept = (Kept("result", json.dumps(dict(args), sort_keys=True).encode()),)
    return Asked("submit", part, args=args, lease=lease, kept=kept)


def actor(by: Principal) -> Actor:
    """Return how the rules know somebody."""
    return by.actor()


def at_desk(
    folder: Path,
    story: Callable[[Desk], Awaitable[T]],
    flows: Mapping[str, Workflow] = WORKFLOWS,
    clock: StillClock | None = None,
) -> T:
    """Open a desk on the file in a folder, play a story at it, close it."""

    async def play() -> T:
        still = clock or StillClock()
        store = SqliteStore(ready_file(folder / "interlock.db"), still, synchronous="off")
        try:
            for tenant in (HOME, AWAY):
                await store.add_tenant(tenant, tenant, still.now())
            return await story(Desk(Engine(store, still, ready_flows(flows)), still, store))
        finally:
            await store.close()

    return asyncio.run(play())
