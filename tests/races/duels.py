"""Pairs of moves of which one must lose: how a duel is set up, fought, and judged.

A duel is fought in both orders and at once. Who wins is open when both come at once; what the
loser is told, and how the unit stands afterwards, follows from who has won.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from interlock.kernel.workflow import LEASE_MS
from interlock.service.engine import Engine
from interlock.service.late import LATE
from interlock.store.rows import unit_of
from tests.races.moves import (
    Claimed,
    ask_review,
    cancel,
    claim,
    decide,
    found,
    lapse,
    make,
    outcome,
    submit,
)
from tests.stage import ADA, BOB, HOME, Stage

Move = Callable[[Engine, Claimed], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Duel:
    """Two moves on one claimed part.

    ``ends`` says for each way it may end what both are told, and where the unit stands then.
    ``submits`` counts how many of the two hand something in: the first, or both.
    """

    prepare: Callable[[Stage, Claimed], Awaitable[object]]
    first: Move
    second: Move
    ends: dict[tuple[str, str], str]
    submits: int = 0
    parts: int = 1

    async def fight(self, stage: Stage, other: Engine, order: str) -> tuple[str, str]:
        """Fight it: the first move first, the second first, or both at once."""
        unit = await make(stage.engine, self.parts)
        claimed = await claim(stage.engine, ADA, unit)
        await self.prepare(stage, claimed)
        first = outcome(self.first(stage.engine, claimed))
        second = outcome(self.second(other, claimed))
        if order == "first":
            told = (await first, await second)
        elif order == "second":
            told = (await second, await first)[::-1]
        else:
            told = (*await asyncio.gather(first, second),)

        assert told in self.ends
        assert await stage.standing(unit) == self.ends[told]
        kept = await stage.engine.store.artifacts(HOME, unit)
        marks = ["" if one == "OK" else LATE for one in told[: self.submits]]
        assert sorted(row.mark for row in kept) == sorted(marks)
        assert await found(stage.engine) == []
        return told


async def _nothing(_: Stage, __: Claimed) -> None:
    pass


async def _shown(stage: Stage, claimed: Claimed) -> None:
    await ask_review(stage.engine, ADA, claimed)


async def _overdue(stage: Stage, _: Claimed) -> None:
    await stage.pass_ms(LEASE_MS + 1)


async def _lapsed(stage: Stage, claimed: Claimed) -> None:
    await stage.pass_ms(LEASE_MS + 1)
    await lapse(stage.engine, claimed.part)


DUELS: Final = {
    "approve against reject": Duel(
        _shown,
        lambda engine, claimed: decide(engine, "approve", claimed.part),
        lambda engine, claimed: decide(engine, "reject", claimed.part),
        {
            ("OK", "PLAN_TERMINAL"): "completed: completed",
            ("PLAN_TERMINAL", "OK"): "failed: failed",
        },
    ),
    "approve against reject, with work left": Duel(
        _shown,
        lambda engine, claimed: decide(engine, "approve", claimed.part),
        lambda engine, claimed: decide(engine, "reject", claimed.part),
        {
            ("OK", "INVALID_TRANSITION"): "executing: completed pending",
            ("PLAN_TERMINAL", "OK"): "failed: failed skipped",
        },
        parts=2,
    ),
    "the last submit against cancel": Duel(
        _nothing,
        lambda engine, claimed: submit(engine, ADA, claimed),
        lambda engine, claimed: cancel(engine, unit_of(claimed.part)),
        {
            ("OK", "PLAN_TERMINAL"): "completed: completed",
            ("PLAN_TERMINAL", "OK"): "failed: failed",
        },
        submits=1,
    ),
    "submit against lapse": Duel(
        _overdue,
        lambda engine, claimed: submit(engine, ADA, claimed),
        lambda engine, claimed: lapse(engine, claimed.part),
        # A lease that has lapsed is still good for as long as nobody else claims.
        {
            ("OK", "PLAN_TERMINAL"): "completed: completed",
            ("OK", "OK"): "completed: completed",
        },
        submits=1,
    ),
    "submit against a claim after the lapse": Duel(
        _lapsed,
        lambda engine, claimed: submit(engine, ADA, claimed),
        lambda engine, claimed: claim(engine, BOB, unit_of(claimed.part)),
        {
            ("OK", "EMPTIED"): "completed: completed",
            ("STALE_LEASE", "OK"): "executing: in_progress",
        },
        submits=1,
    ),
    "two hand the same step in": Duel(
        _nothing,
        lambda engine, claimed: submit(engine, ADA, claimed, "one"),
        lambda engine, claimed: submit(engine, ADA, claimed, "two"),
        {
            ("OK", "PLAN_TERMINAL"): "completed: completed",
            ("PLAN_TERMINAL", "OK"): "completed: completed",
        },
        submits=2,
    ),
}
