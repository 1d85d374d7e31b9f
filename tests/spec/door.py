"""The door that the promises are tried through: clients of the real SDK, on one engine.

One engine serves a whole module: each test makes plans of its own. Time stands still until a test
lets it pass. What is asked goes in as a tool call or as the address of a resource and nowhere
else; the exceptions, the sweeper and the clock, are what no client can reach.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

import pytest
from mcp.client.client import Client
from mcp_types import TextResourceContents

from interlock.service.engine import Principal
from interlock.service.index import index_due
from interlock.service.sweep import sweep
from tests.doors.mcp.clients import Document, called, refused
from tests.stage import ADA, BOB, PAT, Stage

P = ParamSpec("P")

MARKS: Final = re.compile(r"</?untrusted-[^>]+>")
LEASE_MS: Final = 30 * 60 * 1000
"""How long a lease is good where nobody says otherwise."""

__all__ = ["ADA", "BOB", "LEASE_MS", "PAT", "Document", "Door", "promise"]


@dataclass(slots=True)
class Door:
    """Clients of one engine, one for each principal."""

    stage: Stage
    clients: dict[Principal, Client]

    async def ask(self, tool: str, by: Principal = ADA, /, **given: object) -> Document:
        """Call a tool that must answer; return its document, without the marks."""
        told: Document = plain(await called(self.clients[by], tool, **given))
        return told

    async def refuse(self, tool: str, by: Principal = ADA, /, **given: object) -> Document:
        """Call a tool that must say no, with what to do next; return how."""
        no = await refused(self.clients[by], tool, **given)
        assert no["message"], no
        assert no["fix"], no
        return no

    async def read(self, address: str) -> Document:
        """Read a resource, without the marks."""
        found = (await self.clients[ADA].read_resource(f"interlock://{address}")).contents
        assert isinstance(found[0], TextResourceContents)
        told: Document = plain(json.loads(found[0].text)["data"])
        return told

    # -- what stories are made of --------------------------------------------------------------

    async def plan(self, steps: object = 2, by: Principal = ADA, /, **more: object) -> str:
        """Make a plan of so many steps, or of these; return its id."""
        if isinstance(steps, int):
            steps = [{"instructions": f"find out {place}"} for place in range(1, steps + 1)]
        told = {"name": "A plan", "research_question": "What is so?", "steps": steps, **more}
        made = await self.ask("create_research_plan", by, **told)
        return str(made["data"]["plan_id"])

    async def claim(self, plan: str, by: Principal = ADA, /, **more: object) -> tuple[str, str]:
        """Claim the next step; return its id and the token of the lease."""
        told = await self.ask("get_next_step", by, plan_id=plan, **more)
        step = told["data"]["step"]
        return step["step_id"], step["lease"]["token"]

    async def submit(self, step: str, by: Principal = ADA, /, **more: object) -> Document:
        """Hand in a result."""
        return await self.ask("submit_step_result", by, **{**handed_in(step), **more})

    async def review(self, plan: str, by: Principal = ADA, /, **more: object) -> str:
        """Claim the next step and ask for a review of it; return its id."""
        step, lease = await self.claim(plan, by)
        told = {"step_id": step, "lease": lease, "summary": "look", **more}
        await self.ask("request_user_review", by, **told)
        return step

    async def decide(
        self, step: str, decision: str, by: Principal = ADA, /, **more: object
    ) -> Document:
        """Decide about a step."""
        told = {"step_id": step, "decision": decision, "feedback": "because", **more}
        return await self.ask("submit_user_decision", by, **told)

    async def modify(self, plan: str, action: str, /, **more: object) -> Document:
        """Change a plan."""
        return await self.ask("modify_plan", plan_id=plan, action=action, **more)

    async def fail(self, step: str) -> Document:
        """Give a step up."""
        plan = step.partition(".")[0]
        return await self.modify(plan, "fail_step", step_id=step, reason="no source has it")

    async def stall(self, plan: str) -> None:
        """Let the leases of a plan run out, and have it noticed."""
        self.stage.clock.pass_ms(LEASE_MS + 1)
        assert (await self.ask("get_plan_status", plan_id=plan))["status"] == "stalled"

    async def at(self, status: str) -> str:
        """Return the first step of a plan of two, brought to a status; the second is pending."""
        plan = await self.plan(2)
        step = f"{plan}.1"
        match status:
            case "in_progress":
                await self.claim(plan)
            case "awaiting_input":
                await self.review(plan)
            case "completed":
                await self.submit(step)
            case "skipped":
                await self.decide(await self.review(plan), "skip")
            case "failed":
                await self.fail(step)
            case _:
                assert status == "pending"
        return step

    def pass_ms(self, elapsed_ms: int) -> None:
        """Let time pass."""
        self.stage.clock.pass_ms(elapsed_ms)

    async def sweep(self) -> int:
        """Do what the server's sweeper does every few seconds."""
        return await sweep(self.stage.engine)

    async def index(self) -> int:
        """Do what the server's indexing does beside it."""
        return await index_due(self.stage.engine)

    # -- what stands afterwards ----------------------------------------------------------------

    async def status(self, plan: str) -> Document:
        """Return everything that the status tells."""
        told: Document = (await self.ask("get_plan_status", plan_id=plan))["data"]
        return told

    async def context(self, plan: str) -> Document:
        """Return everything that a new session is told."""
        told: Document = (await self.ask("get_research_context", plan_id=plan))["data"]
        return told

    async def standing(self, plan: str) -> str:
        """Say where a plan and its steps stand, as in ``executing: completed pending``."""
        unit = await self.read(f"unit/{plan}")
        return f"{unit['status']}: {' '.join(part['status'] for part in unit['parts'])}"

    async def audit(self, plan: str, after: int = 0) -> list[Document]:
        """Return the entries of a plan's audit that come after a sequence."""
        entries = (await self.read(f"unit/{plan}/audit"))["entries"]
        return [json.loads(one["body"]) for one in entries if one["sequence"] > after]

    async def sequence(self, plan: str) -> int:
        """Return the sequence of the last entry."""
        return int((await self.audit(plan))[-1]["sequence"])

    async def walk(self, plan: str, after: int = 0) -> list[str]:
        """Return the edges that were walked, as in ``plan planning>executing``."""
        return [
            f"{_who(body)} {body['source']}>{body['target']}"
            for body in await self.audit(plan, after)
            if body["change"] == "move"
        ]

    async def types(self, plan: str, after: int = 0) -> list[str]:
        """Return the types of the last events, the oldest first."""
        events = reversed((await self.context(plan))["last_events"])
        return [word for event in events if event["sequence"] > after for word in event["types"]]

    async def kept(self, plan: str) -> list[tuple[str, str]]:
        """Return the name and the mark of each artifact that came with a command."""
        rows = (await self.context(plan))["artifacts"]
        return sorted((row["name"], row["mark"]) for row in rows)


def handed_in(step: str) -> Document:
    """Return the least that hands a result in."""
    return {"step_id": step, "result": {}, "result_summary": "found"}


def _who(body: Document) -> str:
    names = [name.partition(".")[2] for name in body.get("ids", ())]
    return "plan" if "unit" in body else ",".join(names)


def plain(told: Any) -> Any:  # noqa: ANN401 (it is whatever the answer is made of)
    """Return an answer without the marks around what was stored."""
    if isinstance(told, str):
        return MARKS.sub("", told)
    if isinstance(told, list):
        return [plain(one) for one in told]
    return {key: plain(one) for key, one in told.items()} if isinstance(told, dict) else told


def promise(
    *ids: str,
) -> Callable[[Callable[Concatenate[Door, P], Awaitable[None]]], Callable[..., None]]:
    """Make a test of a story that is told through the door, and name the promises it shows."""

    def make(story: Callable[Concatenate[Door, P], Awaitable[None]]) -> Callable[..., None]:
        @wraps(story)
        def play(door: tuple[asyncio.Runner, Door], *args: P.args, **others: P.kwargs) -> None:
            runner, opened = door

            async def told() -> None:
                await story(opened, *args, **others)

            runner.run(told())

        return pytest.mark.promise(*ids)(play)

    return make
