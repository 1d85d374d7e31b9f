"""A small database with checkpoints of it, made from a seed; and verifying what became of a copy.

Two tenants have units that some agents work on. Checkpoints are taken on the way, and between them
the file is set aside: whoever tampers can bring rows of an earlier time back.
"""

import asyncio
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interlock.kernel.rules import AGENT
from interlock.service.checkpoint import read_lines
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.notary import Notary
from interlock.service.order import Asked, Order, Result
from interlock.service.run import advance
from interlock.service.verify import verify
from interlock.service.witness import compare
from interlock.store.sqlite.store import SqliteStore
from tests.ready import ready_file, ready_flows
from tests.still import StillClock

TENANTS: Final = ("acme", "beta")
UNITS: Final = 2
ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file at its end and as it was at the first checkpoint, and the notary of both."""

    file: Path
    early: Path
    notary: Notary


def make(folder: Path, seed: int) -> Ledger:
    """Make a database, with a checkpoint after each round of work."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(
        folder / "interlock.db", folder / "early.db",
        Notary(folder / "checkpoints.jsonl", folder / "checkpoint.key"),
    )  # fmt: skip
    asyncio.run(_work(ledger, seed))
    return ledger


async def _work(ledger: Ledger, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)
    clock = StillClock(seed=seed)
    engine, store = _opened(ledger.file, clock)
    units: list[tuple[str, str]] = []
    for tenant in TENANTS:
        await store.add_tenant(tenant, tenant, clock.now())
        units += [(tenant, await _begin(engine, tenant, number)) for number in range(UNITS)]
    for round_ in range(ROUNDS):
        for tenant, unit in units:
            clock.pass_ms(chance.randint(1, 9_999))
            await _move(engine, tenant, unit, chance)
        await ledger.notary.take(engine)
        clock.pass_ms(1)
        if round_ == 0:
            await store.close()
            shutil.copy(ledger.file, ledger.early)
            engine, store = _opened(ledger.file, clock)
    await store.close()


def _opened(file: Path, clock: StillClock) -> tuple[Engine, SqliteStore]:
    store = SqliteStore(ready_file(file), clock, "off", sees_deleted=True)
    return Engine(store, clock, ready_flows()), store


async def _begin(engine: Engine, tenant: str, number: int) -> str:
    parts = tuple(NewPart("step", {"title": f"part {place}"}) for place in range(ROUNDS + 1))
    new = NewUnit("plan", {"name": f"unit {number}"}, parts)
    answer = await create(engine, Principal(tenant, AGENT, "ada"), new, _word)
    return str(answer.reply["unit"])


async def _move(engine: Engine, tenant: str, unit: str, chance: random.Random) -> None:
    """Claim a part and hand its result in."""
    actor = Principal(tenant, AGENT, "ada").actor()
    claimed = await advance(
        engine, Order(tenant, actor, unit, (Asked("claim", kind="step"),), _word)
    )
    said = {"result": {"text": f"{chance.getrandbits(32):x}"}, "result_summary": "found"}
    asked = Asked(
        "submit", str(claimed.reply["part"]), args=said, lease=str(claimed.reply["lease"])
    )
    await advance(engine, Order(tenant, actor, unit, (asked,), _word))


def _word(result: Result) -> dict[str, object]:
    part = result.done[-1].part if result.done else None
    lease = result.lease(part) if part is not None else None
    return {
        "unit": result.unit.id, "part": part.id if part else "",
        "lease": lease["token"] if lease else "",
    }  # fmt: skip


def findings(file: Path, notary: Notary, key: Notary) -> list[str]:
    """Verify all tenants of a file and compare it with checkpoints, signed by the key of another."""

    async def main() -> list[str]:
        engine, store = _opened(file, StillClock())
        try:
            found = [
                str(one)
                for tenant in await store.tenants()
                for one in (await verify(engine, tenant)).findings
            ]
            seen = await compare(engine, *read_lines(notary.lines(), key.public()))
            return found + [str(one) for one in seen.findings]
        finally:
            await store.close()

    return asyncio.run(main())
