"""Carry programs out while processes are killed and connections cut, then count everything."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import asyncpg

from interlock.clock import SystemClock
from interlock.service.engine import Engine, Principal
from interlock.service.late import LATE
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.service.verify import all_units, verify
from interlock.store.port import Whole
from tests.crash.intents import NAMED, TENANT, Intent, perform, word
from tests.crash.nursery import Child, Nursery
from tests.histories.places import open_careless
from tests.histories.program import (
    CLIENTS,
    PROCESSES,
    UNITS,
    Expected,
    client_names,
    expected,
)
from tests.histories.working import HOLD_AFTER, Spec, read_notes
from tests.ready import ready_flows

COMMANDS_TO_A_KILL: Final = 100
POLL_S: Final = 0.02
PAGE: Final = 1_000
CUT: Final = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@dataclass(slots=True)
class Counting:
    """Programs on one place, from a seed."""

    nursery: Nursery
    folder: Path
    place: str
    seed: int
    commands: int
    bug: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 (repeatable on purpose)

    @property
    def each(self) -> int:
        """How many commands a client has at least."""
        return -(-self.commands // (PROCESSES * CLIENTS))

    def run(self) -> list[str]:
        """Carry the programs out under kills; return what does not fit."""
        must = expected(self.seed, self.each)
        units = asyncio.run(self._make_units(must))
        specs = [self._spec(number, units) for number in range(PROCESSES)]
        is_ended = self._work(specs)
        notes = [note for spec in specs for note in read_notes(Path(spec.notes))]
        self.counts["commands"] = len({note["name"] for note in notes})
        # What a kill or a cut came between: carried out, and answered only when asked again.
        self.counts["committed and not heard of"] = sum(note["is_unheard"] for note in notes)
        wrong = [f"{note['name']} {note['wrong']}" for note in notes if note["wrong"]]
        wrong += [] if is_ended else ["the programs have not come to their ends"]
        return wrong + asyncio.run(self._count(must, units))

    # -- working -------------------------------------------------------------------------------

    def _spec(self, number: int, units: tuple[str, ...]) -> Spec:
        return Spec(
            self.place, str(self.folder / f"notes{number}"), str(self.folder / f"told{number}"),
            self.seed, client_names(number), units, self.each, bug=self.bug,
        )  # fmt: skip

    def _work(self, specs: list[Spec]) -> bool:
        """Let processes work until all have ended; say whether they came to their ends."""
        is_ended = True
        kills = max(1, self.commands // COMMANDS_TO_A_KILL // PROCESSES)
        plans = [[*self._marks(kills)] for _ in specs]
        todo = {number: self._start(spec, plans[number]) for number, spec in enumerate(specs)}
        turns = Counter(dict.fromkeys(todo, 0))
        try:
            while todo:
                for number, child in [*todo.items()]:
                    message = child.told(POLL_S)
                    if message is None:
                        continue
                    if "done" in message:
                        is_ended = is_ended and bool(message["done"])
                        assert todo.pop(number).end() == 0
                    elif message["mark"] in plans[number][turns[number]][:-1]:
                        self.faults["connections cut"] += asyncio.run(self._cut())
                    else:
                        child.kill()
                        self.faults["SIGKILL"] += 1
                        turns[number] += 1
                        spec = replace(specs[number], turn=turns[number])
                        todo[number] = self._start(spec, plans[number])
        finally:
            for child in todo.values():
                child.kill()
        return is_ended

    def _start(self, spec: Spec, plan: list[tuple[int, ...]]) -> Child:
        return self.nursery.start(replace(spec, marks=plan[spec.turn]))

    def _marks(self, kills: int) -> Iterator[tuple[int, ...]]:
        """Yield for each start of a process its marks; after the last start it works to its end."""
        between = max(2, self.each * CLIENTS // (kills + 1) - HOLD_AFTER)
        for _ in range(kills):
            last = self.chance.randint(2, between)
            is_cut = self.place.startswith("postgresql://")
            yield (self.chance.randint(1, last - 1), last) if is_cut else (last,)
        yield ()

    async def _cut(self) -> int:
        connection = await asyncpg.connect(self.place)
        try:
            return int(await connection.fetchval(CUT))
        finally:
            await connection.close()

    async def _make_units(self, must: Expected) -> tuple[str, ...]:
        """Make what all share; one part of each is ours to the end, so that no unit ends."""
        clock = SystemClock()
        store = await open_careless(self.place, clock)
        await store.add_tenant(TENANT, "Acme", clock.now())
        engine = Engine(store, clock, ready_flows())
        found = []
        for number, parts in enumerate(must.parts):
            intent = Intent(f"made{number}", "maker", "create", text=str(parts))
            unit = str((await perform(engine, intent)).reply["unit"])
            actor = Principal(TENANT, "agent", "maker").actor()
            asked = Asked("claim", kind="step", told={NAMED: f"held{number}"})
            await advance(engine, Order(TENANT, actor, unit, (asked,), word))
            found.append(unit)
        await store.close()
        return tuple(found)

    # -- counting ------------------------------------------------------------------------------

    async def _count(self, must: Expected, units: tuple[str, ...]) -> list[str]:
        clock = SystemClock()
        store = await open_careless(self.place, clock)
        engine = Engine(store, clock, ready_flows())
        try:
            found = [str(one) for one in (await verify(engine, TENANT)).findings]
            wholes = {}
            async for name in all_units(engine, TENANT):
                whole = await store.whole(TENANT, name)
                assert whole is not None
                wholes[name] = whole
            logged = Counter([one async for one in _requests(engine, wholes)])
            kept = [row.mark for name in wholes for row in await store.artifacts(TENANT, name)]
        finally:
            await store.close()
        self.counts["entries"] = sum(whole.row.version for whole in wholes.values())
        found += [
            f"{request} ({event}) happened {count} times"
            for (request, event), count in logged.items()
            if count != 1
        ]
        counted = _counted(logged, wholes, units, kept)
        return [*found, *_differences(_as_counts(must), counted)]


async def _requests(engine: Engine, wholes: Mapping[str, Whole]) -> AsyncIterator[tuple[str, str]]:
    """Yield every request that the log of a unit names, with its event."""
    for unit in wholes:
        after = 0
        while rows := await engine.store.audit(TENANT, unit, after, PAGE):
            for row in rows:
                body = json.loads(row.link.body)
                if NAMED in body:
                    yield str(body[NAMED]), str(body["event"])
            after = rows[-1].link.sequence


def _as_counts(must: Expected) -> dict[str, Any]:
    """Say what must be there as it is counted; what we have made ourselves is added."""
    events = must.events + Counter(begin=UNITS, claim=UNITS)
    return {
        "events": dict(events),
        "units": must.made + UNITS,
        "parts done": must.done,
        "parts held": (1,) * UNITS,
        "claims counted by fences": events["claim"],
        "retries counted by attempts": events["retry_step"],
        "results": must.results,
        "late results": must.late,
    }


def _counted(
    logged: Counter[tuple[str, str]],
    wholes: Mapping[str, Whole],
    units: tuple[str, ...],
    kept: list[str],
) -> dict[str, Any]:
    events: Counter[str] = Counter()
    for (_, event), count in logged.items():
        events[event] += count
    parts = [row.part for whole in wholes.values() for row in whole.parts]
    return {
        "events": dict(events),
        "units": len(wholes),
        "parts done": tuple(_standing(wholes[unit], "completed") for unit in units),
        "parts held": tuple(_held(wholes[unit]) for unit in units),
        "claims counted by fences": sum(int(str(part.fields["fence"])) for part in parts),
        "retries counted by attempts": sum(int(str(part.fields["attempt"])) - 1 for part in parts),
        "results": kept.count(""),
        "late results": kept.count(LATE),
    }


def _standing(whole: Whole, status: str) -> int:
    return sum(row.part.status == status for row in whole.parts)


def _held(whole: Whole) -> int:
    """Count who holds something; a part that was sent back by a decision is held by nobody."""
    return sum(
        row.part.fields["holder"] is not None
        for row in whole.parts
        if row.part.status == "in_progress"
    )


def _differences(must: dict[str, Any], counted: dict[str, Any]) -> Iterator[str]:
    for name, count in must.items():
        if counted[name] != count:
            yield f"{name}: there must be {count}, and there are {counted[name]}"
