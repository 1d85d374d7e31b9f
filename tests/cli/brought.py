"""Tickets in the data folder of a test of the command line, worked on by agents beside it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from interlock.app import open_app
from interlock.config import load
from interlock.kernel.rules import USER
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.cli.home import Home
from tests.stage import ADA, PAT, WORKS, Stage
from tests.still import StillClock
from tests.ticket_world import bring

Told = dict[str, Any]


def brought(home: Home, command: str) -> Told:
    """Bring a ticket to where a command wants it; return what commands call what there is."""

    async def run() -> Told:
        async with open_app(load({"data": str(home.folder)}, {})) as app:
            by = await app.caller()
            agent = Principal(by.tenant, "agent", "ada", WORKS)
            stage = Stage(app.engine, StillClock(), home.folder)
            return await bring(stage, by, agent, command, [command])

    return asyncio.run(run())


def claimed(home: Home) -> Told:
    """Have an agent claim the next assignment; return its part."""

    async def run() -> Told:
        async with open_app(load({"data": str(home.folder)}, {})) as app:
            by = await app.caller()
            stage = Stage(app.engine, StillClock(), home.folder)
            agent = Principal(by.tenant, "agent", "ada", WORKS)
            found = await stage.call("get_next_work", agent, workflow="ticket")
            part: Any = found.data["part"]
            told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
            lines = [{"at": 1_800_000_000_000, "text": "cloning"}]
            lines += [{"at": 1_800_000_000_001, "stream": "err", "text": "no [red]room"}]
            await stage.call("append_log", agent, **told, lines=lines)
            return dict(part)

    return asyncio.run(run())


@dataclass(slots=True)
class Hall(Stage):
    """The engine of a data folder, as its owner and as an agent of theirs."""

    owner: Principal = PAT

    async def call(self, command: str, by: Principal = ADA, /, **arguments: object) -> Envelope:
        """Call a command as whoever is meant here."""
        here = self.owner if by.kind == USER else replace(by, tenant=self.owner.tenant)
        return await Stage.call(self, command, here, **arguments)


def built(home: Home, scene: Callable[[Stage], Awaitable[str]]) -> str:
    """Bring a ticket to a scene of its second half; return its id."""

    async def run() -> str:
        async with open_app(load({"data": str(home.folder)}, {})) as app:
            hall = Hall(app.engine, StillClock(), home.folder, await app.caller())
            return await scene(hall)

    return asyncio.run(run())
