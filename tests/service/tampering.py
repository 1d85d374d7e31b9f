"""Tickets that are tampered with behind the engine's back, in all the ways that are to be noticed."""

from collections.abc import Awaitable, Callable

from tests.stage import PAT, Stage
from tests.tickets import NAMES, claim, phase_of, started, status_of, work

Tampers = Callable[[Stage, str], Awaitable[None]]
DRAFTING = "COUNCIL_DELIBERATING"


async def drafting(stage: Stage) -> str:
    """Return a ticket whose council of three drafts, one of them done and one at work."""
    name = await started(stage)
    await work(stage, name)
    await work(stage, name, members=("ann",))
    await claim(stage, name, "ben")
    assert await phase_of(stage, name) == DRAFTING
    return name


async def blueprint(stage: Stage) -> str:
    """Return a ticket whose blueprint waits for approval, with two beads."""
    name = await started(stage)
    await work(stage, name)
    for domain in ("interview", "prd", "beads"):
        for _ in range(2):
            await work(stage, name, members=NAMES)
        await work(stage, name)
        if domain == "interview":
            await stage.call("skip_all", PAT, ticket_id=name)
        else:
            await work(stage, name)
        if domain != "beads":
            gate = (await status_of(stage, name))["gates"][-1]
            digest = gate["content_digest"]
            await stage.call("approve", PAT, ticket_id=name, content_digest=digest)
    assert await phase_of(stage, name) == "WAITING_BEADS_APPROVAL"
    return name


async def unchain(stage: Stage) -> None:
    """Let the audit be changed, as only its owner can."""
    if isinstance(stage.where, str):
        await stage.sql("ALTER TABLE audit DISABLE TRIGGER ALL")
        return
    await stage.sql("DROP TRIGGER audit_keeps_entries")
    await stage.sql("DROP TRIGGER audit_loses_nothing")


async def unguard(stage: Stage) -> None:
    """Let gates be changed, as only their owner can."""
    if isinstance(stage.where, str):
        await stage.sql("ALTER TABLE gates DISABLE TRIGGER ALL")
        return
    await stage.sql("DROP TRIGGER gates_decide_once")
    await stage.sql("DROP TRIGGER gates_lose_nothing")


async def alter(stage: Stage, table: str, what: str, where: str) -> None:
    """Change rows of a table behind the engine's back."""
    await stage.sql(f"UPDATE {table} SET {what} WHERE {where}")  # noqa: S608 (tampers on purpose)


async def break_chain(stage: Stage, name: str) -> None:
    await unchain(stage)
    what = "body = replace(body, 'start', 'starT')"
    await alter(stage, "audit", what, f"unit = '{name}' AND sequence = 2")


async def make_chain_garbage(stage: Stage, name: str) -> None:
    await unchain(stage)
    await alter(stage, "audit", "body = '{'", f"unit = '{name}' AND sequence = 3")


def unit_set(what: str) -> Tampers:
    async def tamper(stage: Stage, name: str) -> None:
        await alter(stage, "units", what, f"id = '{name}'")

    return tamper


def part_set(kind: str, what: str) -> Tampers:
    async def tamper(stage: Stage, name: str) -> None:
        rows = (await stage.whole(name)).parts
        number = next(row.number for row in rows if row.part.kind == kind)
        await alter(stage, "parts", what, f"unit = '{name}' AND number = {number}")

    return tamper
