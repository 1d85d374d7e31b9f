"""A process with an engine of its own and a clock that others set; it does what it is told.

Orders come through one named pipe, one a line, and are answered through another.
"""

import asyncio
import ctypes
import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from interlock.clock import SystemClock
from interlock.service.engine import Engine, running
from interlock.service.sweep import sweep
from tests.clocks.planted import plant
from tests.crash.places import open_store
from tests.crash.telling import Message, Tell, telling
from tests.races.moves import Claimed, claim, make, outcome, submit
from tests.stage import ADA, BOB, HOME

WHO: Final = {"ada": ADA, "bob": BOB}


@dataclass(frozen=True, slots=True)
class Spec:
    """Where the data lies, whose clock it is, and how long a lease lasts."""

    place: str
    hands: str
    orders: str
    told: str
    lease_ms: int
    bug: str = ""


def main(spec: Spec) -> None:
    """Do what is ordered until there are no more orders."""
    with telling(spec.told) as tell, Path(spec.orders).open(encoding="utf-8") as orders:
        asyncio.run(_serve(spec, orders, tell))


async def _serve(spec: Spec, orders: TextIO, tell: Tell) -> None:
    if ctypes.CDLL(None).hold_wall(spec.hands.encode()):
        raise OSError(f"no clock at {spec.hands}")
    flows = plant(spec.bug)
    clock = SystemClock()
    store = await open_store(spec.place, clock)
    await store.add_tenant(HOME, "Home", clock.now())
    engine = Engine(store, clock, running(flows, spec.lease_ms))
    tell({"at_work": clock.drift()})
    # A line at a time: who is stopped in between finds its order when it goes on.
    while line := await asyncio.to_thread(orders.readline):
        tell(await _done(engine, clock, json.loads(line)))
    await store.close()


async def _done(engine: Engine, clock: SystemClock, order: Mapping[str, str]) -> Message:
    who = WHO[order.get("who", "ada")]
    doing = order["do"]
    if doing == "drift":
        return {"drift_ms": clock.drift()}
    if doing == "make":
        return {"unit": await make(engine, 1, who)}
    if doing == "sweep":
        return {"lapsed": await sweep(engine, unit=order["unit"])}
    if doing == "claim":
        return await _claimed(claim(engine, who, order["unit"]))
    held = Claimed(order["part"], order["lease"])
    return {"said": await outcome(submit(engine, who, held))}


async def _claimed(doing: Awaitable[Claimed]) -> Message:
    found: list[Claimed] = []

    async def note() -> None:
        found.append(await doing)

    said = await outcome(note())
    return {"said": said} | ({"part": found[0].part, "lease": found[0].lease} if found else {})
