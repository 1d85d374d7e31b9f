"""Ours: an agent that claims and submits the steps of a plan, on whichever store.

A step is two commands, each in its own commit with a request id of its own: a claim, and a submit
that brings a result, which is kept as an artifact. Everything passes through ``advance``.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Final, cast

from interlock.clock import SystemClock
from interlock.kernel.rules import AGENT
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal, running
from interlock.service.order import Asked, Kept, Order, Reply, Result
from interlock.service.run import Answer, advance
from interlock.store.port import Store
from interlock.store.rows import dump
from interlock.store.script import Key
from interlock.workflows.built_in import WORKFLOWS
from tools.bench.payload import SUMMARY, brought

TENANT: Final = "bench"
ME: Final = Principal(TENANT, AGENT, "agent-1", session="session-1")
ACTOR: Final = ME.actor()
TITLE: Final = "Compare what the sources say about the question"
DIGEST: Final = "0" * 64
"""What stands for the digest of what was asked: of the length that a real one has."""


@dataclass(frozen=True, slots=True)
class Held:
    """A step that the agent holds."""

    part: str
    lease: str


class Agent:
    """One agent at work; no two requests have the same id, whoever sends them."""

    _requests: ClassVar[Iterator[int]] = count(10_000_000)

    def __init__(self, store: Store) -> None:
        """Work on a store."""
        self.store = store
        self.engine = Engine(store, SystemClock(), running(WORKFLOWS))

    async def begin(self) -> None:
        """Make the tenant that everything belongs to."""
        await self.store.add_tenant(TENANT, "Bench", self.store.now())

    async def make(self, steps: int) -> str:
        """Make a plan of so many steps that need nothing of each other; return its name."""
        parts = tuple(NewPart("step", {"title": TITLE}) for _ in range(steps))
        fields: dict[str, object] = {"name": "bench", "max_steps": max(1_000, steps)}
        done = await create(self.engine, ME, NewUnit("plan", fields, parts), _made, self._key())
        return str(done.reply["unit"])

    async def claim(self, unit: str) -> Held:
        """Claim the next step of a plan."""
        asked = (Asked("claim", kind="step"),)
        done = await self._send(unit, asked)
        return _held(done)

    async def submit(self, unit: str, held: Held) -> None:
        """Submit the result of a step."""
        await self._send(unit, (_submitted(held),))

    async def submit_and_claim(self, unit: str, held: Held) -> Held:
        """Submit the result of a step and claim the next one, in one commit."""
        asked = (_submitted(held), Asked("claim", kind="step", is_optional=True))
        return _held(await self._send(unit, asked))

    async def _send(self, unit: str, asked: tuple[Asked, ...]) -> Answer:
        order = Order(TENANT, ACTOR, unit, asked, _worded, self._key())
        return await advance(self.engine, order)

    def _key(self) -> Key:
        return Key(ME.id, f"request-{next(self._requests)}", DIGEST)

    async def play(self, unit: str, steps: int) -> None:
        """Claim and submit so many steps, one after the other."""
        for _ in range(steps):
            await self.submit(unit, await self.claim(unit))

    async def play_joined(self, unit: str, steps: int) -> None:
        """Do the same with one commit a step: each submit claims the next step."""
        held = await self.claim(unit)
        for _ in range(steps):
            held = await self.submit_and_claim(unit, held)

    async def play_all(self, units: list[str], steps: int) -> None:
        """Play several plans at the same time."""
        async with asyncio.TaskGroup() as group:
            for unit in units:
                group.create_task(self.play(unit, steps))


def _submitted(held: Held) -> Asked:
    args: dict[str, object] = {"result": brought(held.part), "result_summary": SUMMARY}
    kept = Kept("result", dump(args).encode())
    told = {"summary": SUMMARY}
    return Asked("submit", held.part, args=args, lease=held.lease, kept=(kept,), told=told)


def _made(result: Result) -> Reply:
    return {"unit": result.unit.id}


def _worded(result: Result) -> Reply:
    """Word an answer: how the plan stands, and the step that was claimed, if one was."""
    part = result.done[-1].part
    lease = None if part is None else result.lease(part)
    step = None if part is None else {"id": part.id, "status": part.part.status}
    return {"status": result.unit.unit.status, "step": step, "lease": lease}


def _held(done: Answer) -> Held:
    # Read as whoever sits behind a door would: from the text.
    told = cast("dict[str, dict[str, str] | None]", done.reply)
    step, lease = told["step"], told["lease"]
    if step is None or lease is None:
        return Held("", "")
    return Held(step["id"], lease["token"])
