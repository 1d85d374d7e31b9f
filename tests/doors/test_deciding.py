"""Where people decide, nothing that an agent or a worker says through any door decides.

Made from the rows: every command there is, with everything that names the gate and the step at it,
with every decision, in both spellings. How it is answered does not matter here; the gate stays
open, until a person has decided at it.
"""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import httpx2
from mcp.client.client import Client as McpClient
from mcp.shared.exceptions import MCPError

from interlock.client import Client
from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.doors.mcp.tools import offered
from interlock.service.access import as_agent, authenticate
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import on, send, token
from tests.doors.speaking import by_client, client_of
from tests.service.folk import first
from tests.stage import ADA, HOME, PAT, Stage, new_plan, staged
from tests.world import TEXT, Document

DECISIONS: Final = ("approve", "modify", "skip", "reject")
HUMP: Final = re.compile(r"_([a-z])")


async def at_gate(stage: Stage) -> Document:
    """Bring a plan to a gate at which a person decides; return all that names it."""
    await first(stage, "pat", "owner")
    plan = await stage.plan(2, review_policy="human")
    step, lease = await stage.claim(plan)
    said = {"step_id": step, "lease": lease, "summary": "look"}
    gate = (await stage.call("request_user_review", ADA, **said)).data["gate"]
    assert isinstance(gate, dict)
    return {
        **TEXT, **new_plan(), "plan_id": plan, "step_id": step, "part_id": step, "id": plan,
        "unit_id": plan, "gate_id": gate["gate_id"], "content_digest": gate["content_digest"],
        "digest": gate["content_digest"], "lease": lease, "feedback": "so", "person": "pat",
        "user_id": "pat", "email": "x@example.org", "answer": {"decision": "approve"},
        "result": {"decision": "approve"}, "review_policy": "relay", "kind": "user",
    }  # fmt: skip


def sayings(row: AnyCommand, known: Document) -> Iterator[Document]:
    """Yield what can be said to a command that has to do with the gate, each thing once."""
    fields = {one.alias or name for name, one in row.takes.model_fields.items()}
    told = {name: value for name, value in known.items() if name in fields}
    bare = {name for name, one in row.takes.model_fields.items() if one.is_required()}
    said: list[Document] = []
    for decision in DECISIONS if "decision" in fields else ("",):
        whole = {**told, **({"decision": decision} if decision else {})}
        for left in (whole.keys(), whole.keys() - {"step_id"}, whole.keys() - {"gate_id"}, bare):
            saying = {name: value for name, value in whole.items() if name in left}
            if saying not in said:
                said.append(saying)
    yield from said


def in_camel_case(said: Document) -> Document:
    """Return what is said in the other spelling."""
    return {HUMP.sub(lambda one: one[1].upper(), name): value for name, value in said.items()}


@dataclass(slots=True)
class Speaker:
    """Somebody who says things through every door; a model has nothing but the tools."""

    http: httpx2.AsyncClient
    client: Client
    tools: McpClient
    is_model: bool

    async def say(self, row: AnyCommand, said: Document) -> int:
        """Say something everywhere; return how often it was said."""
        told = 0
        if not self.is_model and all(name in said for name in row.in_path):
            await send(self.http, row, said)
            await by_client(self.client)(row, said)
            told += 2
        if row in offered():
            camel = in_camel_case(said)
            for spelled in (said, camel) if camel != said else (said,):
                with suppress(MCPError):
                    await self.tools.call_tool(row.name, spelled)
                told += 1
        return told


@asynccontextmanager
async def door_of(stage: Stage, kind: str, *scopes: str) -> AsyncIterator[Speaker]:
    """Open all doors with one token."""
    secret = await token(stage, kind, *scopes)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(on(stage, secret))
        client = await stack.enter_async_context(client_of(stage, secret))
        caller = as_agent(await authenticate(stage.engine, secret))
        tools = await stack.enter_async_context(mcp.on(stage, caller))
        yield Speaker(http, client, tools, kind == "user")


@staged
async def test_whatever_an_agent_or_a_worker_says_the_gate_stays_open(stage: Stage) -> None:
    known = await at_gate(stage)
    said = 0
    # A person's token in the hands of a model is an agent, too.
    for kind, scopes in (
        ("agent", ()), ("worker", ()), ("agent", ("read", "work", "admin")),
        ("user", ("read", "work", "decide", "admin")),
    ):  # fmt: skip
        async with door_of(stage, kind, *scopes) as speaker:
            for row in COMMANDS.values():
                for saying in sayings(row, known):
                    said += await speaker.say(row, saying)
                    await _must_be_open(stage, known, row)
    assert said > 1_000

    decided = {name: known[name] for name in ("gate_id", "content_digest")}
    await stage.call("decide_gate", PAT, **decided, decision="approve")
    standing = await stage.standing(str(known["plan_id"]))
    assert standing.startswith("executing: completed")


async def _must_be_open(stage: Stage, known: Document, row: AnyCommand) -> None:
    gates = await stage.engine.store.gates.of_unit(HOME, str(known["plan_id"]))
    assert [(gate.id, gate.is_open) for gate in gates] == [(known["gate_id"], True)], row.name
