"""Whether a restored copy is one instant of what clients did: closed, whole, and of no use to before.

The journal of the clients says in which order things were asked and answered. What is in a copy
must be what some one moment had: whoever is in it brings along all that was answered before it was
asked.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import apsw

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.kernel.rules import AGENT
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Emptied, Order
from interlock.service.run import advance
from interlock.service.verify import all_units, verify
from interlock.store.sqlite.store import SqliteStore
from interlock.upkeep import Restored
from tests.crash.intents import BARE, TENANT, perform, word
from tests.crash.journal import Line, read
from tests.crash.judge import links_of, parted
from tests.ready import ready_flows


class Taken(NamedTuple):
    """A backup: where it was restored to, and how long the journal was before and after it."""

    file: Path
    restored: Restored
    before: int
    after: int


@dataclass(slots=True)
class Moments:
    """Where in the journal each request was asked and answered, in bytes from its beginning."""

    asked: dict[str, int]
    answered: dict[str, int]


def order_of(journal: Path) -> Moments:
    """Read a journal as an order in time."""
    asked: dict[str, int] = {}
    answered: dict[str, int] = {}
    place = 0
    *lines, _ = journal.read_bytes().split(b"\n")
    for line in lines:
        place += len(line) + 1
        told = json.loads(line)
        if "intent" in told:
            asked[str(told["intent"]["id"])] = place
        else:
            answered[str(told["id"])] = place
    return Moments(asked, answered)


def judge(taken: Taken, journal: Path) -> list[str]:
    """Return what is wrong with a copy, as sentences."""
    return asyncio.run(_judge(taken, journal))


async def _judge(taken: Taken, journal: Path) -> list[str]:
    lines = read(journal)
    acked = {
        name: line
        for name, line in lines.items()
        if line.outcome and line.outcome.text and line.intent.command != BARE
    }
    clock = SystemClock()
    store = SqliteStore(taken.file, clock, "off")
    engine = Engine(store, clock, ready_flows())
    try:
        found = [str(one) for one in (await verify(engine, TENANT)).findings]
        heads: dict[tuple[str, int], str] = {}
        there: set[str] = set()
        async for unit in all_units(engine, TENANT):
            links = await links_of(engine, unit)
            heads |= {(unit, link.sequence): link.hash for link in links}
            there |= {effect.request for effect in parted(unit, links)}
        found += _closed(there, acked, order_of(journal), taken)
        found += _replies(taken.file, there, heads)
        found += await _of_before(engine, taken, {n: acked[n] for n in there if n in acked})
    finally:
        await store.close()
    return found


def _closed(there: set[str], acked: dict[str, Line], order: Moments, taken: Taken) -> Iterator[str]:
    """Find what is in a copy too early, and what lacks in it."""
    for name in there:
        if order.asked.get(name, taken.after + 1) > taken.after:
            yield f"{name} is in the copy, and was asked after it was taken"
    last = max((order.asked[name] for name in there if name in order.asked), default=0)
    for name in acked:
        if name in there:
            continue
        if order.answered[name] <= taken.before:
            yield f"{name} was answered before the copy was taken, and is not in it"
        elif order.answered[name] < last:
            yield f"{name} is not in the copy, and something is that was asked after its answer"


def _replies(file: Path, there: set[str], heads: dict[tuple[str, int], str]) -> Iterator[str]:
    """Find replies without their effect, and effects without their reply."""
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        rows = connection.execute("SELECT request, text FROM replies").fetchall()
    kept = {str(request): json.loads(str(text)) for request, text in rows}
    for request, reply in kept.items():
        receipt = reply["receipt"]
        if heads.get((receipt["unit"], receipt["sequence"])) != receipt["hash"]:
            yield f"{request} has a reply in the copy, and no effect"
    for request in there - set(kept):
        if not request.startswith("nobody"):
            yield f"{request} has an effect in the copy, and no reply"


async def _of_before(engine: Engine, taken: Taken, acked: dict[str, Line]) -> list[str]:
    """Find what was handed out before the restore and is still good."""
    found = []
    for name, line in list(acked.items())[:5]:
        try:
            await perform(engine, line.intent)
        except (InterlockError, Emptied) as no:
            if getattr(no, "code", "") == "REQUEST_BEFORE_RESTORE":
                continue
            found.append(f"{name} was answered before, and is refused with {no!r}")
        else:
            found.append(f"{name} was answered before the restore, and is answered again")
    former = taken.restored.manifest.incarnation
    with closing(apsw.Connection(str(taken.file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        held = connection.execute(
            "SELECT unit, number, holder, fence FROM parts WHERE holder IS NOT NULL LIMIT 5"
        ).fetchall()
    for unit, number, holder, fence in held:
        actor = Principal(TENANT, AGENT, str(holder)).actor()
        asked = Asked("heartbeat", f"{unit}.{number}", lease=f"{former}.{fence}")
        try:
            await advance(engine, Order(TENANT, actor, str(unit), (asked,), word))
        except InterlockError:
            continue
        found.append(f"a lease of {former} on {unit}.{number} is good after the restore")
    return found
