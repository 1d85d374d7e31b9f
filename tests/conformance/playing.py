"""Send traffic to a store, command by command, and keep everything that was answered."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, cast

from interlock.errors import InterlockError
from interlock.kernel.refusal import Refusal
from interlock.service.create import create
from interlock.service.engine import Engine
from interlock.service.order import Emptied, Order, Result
from interlock.service.run import Answer, advance
from interlock.service.verify import verify
from interlock.store.port import AuditRow, Filter
from interlock.store.rows import PartRow, dump
from interlock.store.sqlite.store import SqliteStore
from tests.conformance.compare import state_facts, wrong
from tests.conformance.planting import part_rows, taken
from tests.conformance.stores import Opened, engine_on
from tests.conformance.traffic import TENANTS
from tests.conformance.world import HERE, Command, Said, World
from tests.still import StillClock

# What may differ between two databases: times, hashes, the name of the database itself.
VARYING: Final = re.compile(
    r'"(?:at|expires_at|hash|created_at|changed_at)":(?:\d+|"[0-9a-f]{64}")|[0-9a-z]+(?=\.\d+")'
)
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
PAGE: Final = 10_000


class NumberedClock(StillClock):
    """A clock that stands still and counts the units of each workflow."""

    def __init__(self) -> None:
        """Begin to count."""
        super().__init__()
        self._counts: dict[str, int] = {}

    def new_id(self, prefix: str) -> str:
        """Return the next name with this prefix, the same on every store."""
        self._counts[prefix] = self._counts.get(prefix, 0) + 1
        return f"{prefix}-{self._counts[prefix]:012d}"


@dataclass(slots=True)
class Played:
    """What came of traffic on one store."""

    said: list[Said] = field(default_factory=list)
    # Answers, rows and audits as texts, without what may differ between two databases.
    texts: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    audit: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    verified: int = 0


def word(result: Result) -> dict[str, object]:
    """Word an answer: everything that a caller could be told."""
    part = result.done[-1].part if result.done else None
    told: dict[str, object] = {"status": result.unit.unit.status, "part": None}
    if part is not None:
        told |= {
            "part": part.id, "part_status": part.part.status, "fields": part.part.fields,
            "waits": part.waits, "lease": result.lease(part),
        }  # fmt: skip
    return told


async def send(engine: Engine, command: Command, incarnation: str) -> tuple[Said, str]:
    """Send one command; return what was said to it, and the answer as text."""
    try:
        answer = await _answer(engine, command, incarnation)
    except Emptied:
        return Said("EMPTIED"), ""
    except (Refusal, InterlockError) as no:
        return Said(no.code), str(no)
    told = answer.reply
    said = Said(
        "OK", str(told["status"]), str(told["part"] or ""), str(told.get("part_status", "")),
        answer.is_replay,
    )  # fmt: skip
    return said, answer.text


async def _answer(engine: Engine, command: Command, incarnation: str) -> Answer:
    if command.new is not None:
        return await create(engine, command.by, command.new, word, command.key)
    asked = tuple(one._replace(lease=one.lease.replace(HERE, incarnation)) for one in command.asked)
    order = Order(
        command.by.tenant, command.by.actor(), command.unit, asked, word, command.key,
        command.version,
    )  # fmt: skip
    return await advance(engine, order)


async def play(
    opened: Opened,
    commands: Iterable[tuple[Command, Said]],
    world: World,
    before_each: Callable[[Engine], None] = lambda _: None,
) -> Played:
    """Send commands to a new store; then read back everything that stands there."""
    played, clock = Played(), NumberedClock()
    async with opened(clock) as store:
        engine = engine_on(store, clock)
        for tenant in TENANTS:
            await store.add_tenant(tenant, tenant, 0)
        incarnation = (await store.health()).incarnation
        for number, (command, must) in enumerate(commands):
            before_each(engine)
            said, text = await send(engine, command, incarnation)
            played.said.append(said)
            played.texts.append(plain(text))
            if said != must:
                about = command.new or [one.event for one in command.asked]
                played.wrong.append(
                    f"command {number}, {about} to {command.unit}: {must} != {said}"
                )
        await _read_back(engine, world, played)
    return played


async def _read_back(engine: Engine, world: World, played: Played) -> None:
    for (tenant, unit), kept in sorted(world.units.items(), key=lambda item: item[0]):
        whole = await engine.store.whole(tenant, unit)
        if whole is None:
            played.wrong.append(f"{unit} is not there")
            continue
        running = engine.running(unit)
        facts = state_facts(running, kept.snapshot, whole)
        played.wrong += [f"{unit}: {told}" for told in wrong(facts)]
        rows = [_told(row) for row in whole.parts]
        told = [whole.row.unit.status, whole.row.unit.fields, whole.row.version, rows]
        played.states.append(plain(dump([*told, sorted(whole.due)])))
        entries = await engine.store.audit(tenant, unit, 0, PAGE)
        kept_with = await engine.store.artifacts(tenant, unit)
        played.states.append(dump([(*row[:5], row.mark, row.author) for row in kept_with]))
        played.audit += [_entry(row) for row in entries]
    for tenant in TENANTS:
        await _read_offers(engine, tenant, world, played)
        verdict = await verify(engine, tenant)
        played.verified += verdict.units
        played.wrong += [str(finding) for finding in verdict.findings]


async def _read_offers(engine: Engine, tenant: str, world: World, played: Played) -> None:
    """Compare the work that is offered to anybody, to each role and to each member."""
    parts = [
        (unit, row)
        for (owner, unit), kept in world.units.items()
        for row in part_rows(engine.running(unit), kept.snapshot)
        if owner == tenant and row.offer is not None
        if row.part.kind in taken(engine.running(unit), kept.snapshot).split(",")
    ]
    wanted = [Filter()]
    wanted += [Filter(role=value) for value in _values(parts, "role")]
    wanted += [Filter(member=value) for value in _values(parts, "member")]
    for one in wanted:
        must = {(unit, row.part.kind) for unit, row in parts if _is_wanted(row, one)}
        found = {(o.unit, o.kind) for o in await engine.store.offers(tenant, one, PAGE)}
        played.wrong += wrong([(f"what is offered to {one}", must, found)])


def _told(row: PartRow) -> tuple[object, ...]:
    names = (name for name in PartRow.__slots__ if name != "part")
    return (row.part.status, row.part.fields, *(getattr(row, name) for name in names))


def _values(parts: list[tuple[str, PartRow]], name: str) -> list[str]:
    return sorted({str(row.part.fields[name]) for _, row in parts if name in row.part.fields})


def _is_wanted(row: PartRow, one: Filter) -> bool:
    fields = row.part.fields
    return all(
        not value or str(fields.get(name)) == value
        for name, value in (("role", one.role), ("member", one.member))
    )


def _entry(row: AuditRow) -> str:
    body = cast("dict[str, object]", json.loads(row.link.body))
    return f"{row.tenant} {row.unit} {row.link.sequence} {plain(dump(body))}"


def timeless(texts: Iterable[str]) -> list[str]:
    """Return answers without the moments told in them: PostgreSQL has a clock of its own."""
    return [MOMENT.sub("then", text) for text in texts]


def forget(engine: Engine) -> None:
    """Let a process with a SQLite file forget what it remembers of its units."""
    cast("SqliteStore", engine.store)._writer.memory.clear()


def plain(text: str) -> str:
    """Return a text without what may differ between two databases."""
    return VARYING.sub("~", text)
