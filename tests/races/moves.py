"""What the racers do, each as one call on an engine; refusals come back as their codes."""

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import cast

from interlock.errors import InterlockError
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal, clockwork
from interlock.service.order import Asked, Emptied, Kept, Order, Reply, Result
from interlock.service.run import Answer, advance
from interlock.service.verify import verify
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.rows import dump, unit_of
from interlock.store.script import Key, NotDue
from interlock.store.sqlite.store import SqliteStore
from tests.stage import ADA, HOME, PAT, Stage

DIGEST = "sha256:shown"


@dataclass(frozen=True, slots=True)
class Claimed:
    """A part that somebody has claimed, with the lease they got."""

    part: str
    lease: str


def word(result: Result) -> Reply:
    """Word an answer: where the unit stands, and the part that was spoken of with its lease."""
    reply: Reply = {"unit": result.unit.id, "status": result.unit.unit.status}
    part = result.done[-1].part if result.done else None
    if part is not None:
        reply |= {"part": part.id, "lease": (result.lease(part) or {}).get("token", "")}
    return reply


async def make(engine: Engine, parts: int, who: Principal = ADA, request: str = "") -> str:
    """Make a plan of so many steps, and return its name."""
    new = NewUnit("plan", {"name": "Race"}, tuple(NewPart("step") for _ in range(parts)))
    answer = await create(engine, who, new, word, key_of(who, request, str(parts)))
    return str(answer.reply["unit"])


async def move(
    engine: Engine, who: Principal, unit: str, asked: Asked, request: str = ""
) -> Answer:
    """Carry one event out."""
    said = dump([asked.event, asked.part, asked.lease, dict(asked.args)])
    key = key_of(who, request, said)
    return await advance(engine, Order(who.tenant, who.actor(), unit, (asked,), word, key))


def key_of(who: Principal, request: str, said: str) -> Key | None:
    """Return the key of a request, if it has an id."""
    return Key(who.id, request, sha256(said.encode()).hexdigest()) if request else None


async def claim(engine: Engine, who: Principal, unit: str, request: str = "") -> Claimed:
    """Claim the next step."""
    answer = await move(engine, who, unit, Asked("claim", kind="step"), request)
    reply = cast("dict[str, str]", answer.reply)
    return Claimed(reply["part"], reply["lease"])


async def submit(
    engine: Engine, who: Principal, claimed: Claimed, text: str = "found", request: str = ""
) -> Answer:
    """Hand a result in."""
    args = {"result": {"text": text}, "result_summary": text}
    kept = (Kept("result", dump(args["result"]).encode()),)
    asked = Asked("submit", claimed.part, args=args, lease=claimed.lease, kept=kept)
    return await move(engine, who, unit_of(claimed.part), asked, request)


async def ask_review(engine: Engine, who: Principal, claimed: Claimed) -> Answer:
    """Ask a person about a step."""
    asked = Asked("request_review", claimed.part, args={"digest": DIGEST}, lease=claimed.lease)
    return await move(engine, who, unit_of(claimed.part), asked)


async def decide(engine: Engine, decision: str, part: str) -> Answer:
    """Decide about a step as a person."""
    asked = Asked(decision, part, args={"digest": DIGEST, "feedback": "because"})
    return await move(engine, PAT, unit_of(part), asked)


async def cancel(engine: Engine, unit: str) -> Answer:
    """End a plan as a person."""
    return await move(engine, PAT, unit, Asked("fail_plan", args={"reason": "not needed"}))


async def lapse(engine: Engine, part: str) -> Answer:
    """Let the lease of a part lapse, as the sweeper does where it has run out."""
    actor, unit = clockwork(HOME).actor(), unit_of(part)
    asked = (Asked("lapse", part),)
    return await advance(engine, Order(HOME, actor, unit, asked, word, is_clock=True))


async def outcome(doing: Awaitable[object]) -> str:
    """Say how a move ended: OK, or the code it was refused with."""
    try:
        await doing
    except Emptied:
        return "EMPTIED"
    except NotDue:
        return "NOT_DUE"
    except InterlockError as no:
        return no.code
    return "OK"


async def found(engine: Engine, tenant: str = HOME) -> list[str]:
    """Return what verifying finds; nothing is what it should find."""
    return [str(finding) for finding in (await verify(engine, tenant)).findings]


async def events(engine: Engine, unit: str, tenant: str = HOME) -> Sequence[str]:
    """Return the bodies of a unit's audit."""
    return [row.link.body for row in await engine.store.audit(tenant, unit, 0, 10_000)]


@asynccontextmanager
async def another(stage: Stage) -> AsyncIterator[Engine]:
    """Open the same database a second time, as another process would."""
    store: SqliteStore | PostgresStore
    if isinstance(stage.where, Path):
        store = SqliteStore(stage.where, stage.clock, synchronous="off")
    else:
        store = await PostgresStore.open(stage.where, stage.clock, Options(allow_degraded=True))
    try:
        yield Engine(store, stage.clock, stage.engine.flows)
    finally:
        await store.close()
