"""Two doors of one engine: agents come over MCP with the real SDK, persons over HTTP.

What is told by either is compared and judged alike: the document of an answer or of a refusal.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.client.client import Client as Mcp

from interlock.client import Client as Http
from interlock.errors import InterlockError
from interlock.service.access import create_token
from interlock.service.roles import OWNER, as_person
from interlock.wire.envelope import problem
from tests.doors.mcp.clients import called, on, refused
from tests.doors.speaking import client_of
from tests.missions import new_chain, new_hop, new_mission
from tests.service.folk import first
from tests.spec.door import plain
from tests.stage import ADA, Stage

Told = dict[str, Any]
WHY = {"reason": "because"}


@dataclass(slots=True)
class Doors:
    """An agent at the one door, a person at the other."""

    stage: Stage
    mcp: Mcp
    http: Http

    # -- asking --------------------------------------------------------------------------------

    async def agent(self, tool: str, /, **given: object) -> Told:
        """Ask as an agent; return what is told."""
        told: Told = plain(await called(self.mcp, tool, **given))["data"]
        return told

    async def no_agent(self, tool: str, /, **given: object) -> Told:
        """Ask as an agent what must be refused; return how."""
        told: Told = plain(await refused(self.mcp, tool, **given))
        assert told["message"], told
        assert told["fix"], told
        return told

    async def person(self, command: str, /, **given: object) -> Told:
        """Ask as a person; return what is told."""
        return dict((await self.http.call(command, given)).data)

    async def no_person(self, command: str, /, **given: object) -> Told:
        """Ask as a person what must be refused; return how."""
        try:
            answer = await self.http.call(command, given)
        except InterlockError as no:
            told = problem(no).model_dump(mode="json")
            told["legal_moves"] = list(getattr(no, "legal_moves", ()))
            return told
        raise AssertionError(answer)

    # -- the way that missions go --------------------------------------------------------------

    async def status(self, mission: str) -> Told:
        """Return how a mission stands."""
        return await self.person("mission_status", mission_id=mission)

    async def stands(self, mission: str) -> str:
        """Say where a mission and its hops stand."""
        shown = await self.status(mission)
        return f"{shown['status']}: {' '.join(one['status'] for one in shown['hops'])}".rstrip(": ")

    async def digest(self, mission: str) -> str:
        """Return the digest of what waits for a decision."""
        return str((await self.status(mission))["gates"][-1]["content_digest"])

    async def propose(self, **more: object) -> str:
        """Propose a mission."""
        return str((await self.agent("propose_mission", **new_mission(**more)))["mission_id"])

    async def begin(self, **more: object) -> str:
        """Propose a mission and have it accepted."""
        mission = await self.propose(**more)
        digest = await self.digest(mission)
        await self.person("accept_mission", mission_id=mission, content_digest=digest)
        return mission

    async def pend(self, mission: str, **more: object) -> str:
        """Propose a hop."""
        await self.agent("propose_hop", **new_hop(mission, **more))
        return str((await self.status(mission))["hops"][-1]["hop_id"])

    async def build(self, mission: str, **more: object) -> str:
        """Propose a hop and have it accepted."""
        hop = await self.pend(mission, **more)
        digest = await self.digest(mission)
        await self.person("accept_hop", hop_id=hop, content_digest=digest)
        return hop

    async def claim(self, kind: str) -> Told:
        """Claim the next work of a kind."""
        given = {"workflow": "mission", "kind": kind}
        part: Told = (await self.agent("get_next_work", **given))["part"]
        if "call" in part:
            # What assets hold is told to a model as one text between marks.
            part["call"]["arguments"] = json.loads(part["call"]["arguments"])
        return part

    async def design(self, mission: str, steps: list[Told] | None = None) -> None:
        """Claim the hop and hand a chain in."""
        hop = await self.claim("hop")
        chain = new_chain(mission) if steps is None else steps
        said = {"hop_id": hop["part_id"], "lease": hop["lease"]["token"], "steps": chain}
        await self.agent("submit_resolution", **said)

    async def execute(self, mission: str, **more: object) -> None:
        """Run the design."""
        shown = await self.status(mission)
        digest = shown["gates"][-1]["content_digest"]
        said = {"hop_id": shown["current_hop"], "content_digest": digest, **more}
        await self.person("execute_hop", **said)

    async def finish(self, **said: object) -> Told:
        """Claim the next tool step and say what came of it; return its call."""
        step = await self.claim("tool_step")
        given = {"part_id": step["part_id"], "lease": step["lease"]["token"]}
        await self.agent("submit_tool_result", **given, **said)
        call: Told = step["call"]
        return call

    async def run(self, mission: str, **hop: object) -> str:
        """Take a hop from its proposal to where it executes."""
        name = await self.build(mission, **hop)
        await self.design(mission)
        await self.execute(mission)
        return name

    async def complete(self, mission: str, **hop: object) -> str:
        """Take a hop from its proposal to its end."""
        name = await self.run(mission, **hop)
        await self.finish(outputs={"rows": [2, 4, 6]})
        await self.finish(outputs={"total": 12, "count": 3})
        return name


@asynccontextmanager
async def doors(stage: Stage, name: str = "olga") -> AsyncIterator[Doors]:
    """Open both doors of a stage, the one for persons to somebody of this name."""
    owner = as_person(await first(stage, name, OWNER))
    scopes = ("read", "work", "decide")
    secret, _ = await create_token(stage.engine, owner, "her program", "user", scopes)
    async with on(stage, ADA) as mcp, client_of(stage, secret) as http:
        yield Doors(stage, mcp, http)
