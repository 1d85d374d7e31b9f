"""Two sessions on one plan over HTTP: nothing twice, nothing lost; kill -9 and rewinds change that not.

The server is a process of its own, the clients are the SDK's. Whoever loses the server connects
again and sends the same request under the same id.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from interlock.app import LOCAL, open_app
from interlock.config import load
from interlock.service.record import Body, read_body
from interlock.service.verify import verify
from tests.doors.mcp.clients import Document, Serving, called, over_http, refused, serving
from tests.stage import new_plan

STEPS: Final = 200
SESSIONS: Final = ("laptop", "desktop")
KILLED_AFTER: Final = (40, 120)
"""After how many submitted steps the server is killed."""

LOST: Final = (httpx2.TransportError, MCPError)
MARKS: Final = re.compile(r"untrusted-\w+")


@dataclass(slots=True)
class Race:
    """A plan that two sessions work on, and what they were told."""

    server: Serving
    plan: str
    done: list[tuple[str, str]] = field(default_factory=list)
    lost: int = 0
    ticks: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)

    async def run(self, name: str) -> None:
        """Claim and submit until there is no more to do; each request has an id of its own."""
        number, held = 0, None
        while True:
            try:
                async with over_http(self.server) as client:
                    while True:
                        told = await self._next(client, name, number, held)
                        if told == {}:
                            return
                        held, number = told, number + 1
            except* LOST:
                self.lost += 1
                await asyncio.sleep(0.05)

    async def _next(
        self, client: Client, name: str, number: int, held: Document | None
    ) -> Document | None:
        """Submit what is held, else claim; return what is held then, nothing at the end."""
        asked = {"session_id": name, "request_id": f"{name}-{number}"}
        if held:
            given = {"step_id": held["step_id"], "lease": held["lease"]["token"]}
            given |= {"result": {"by": name}, "result_summary": f"{name} did it"}
            await called(client, "submit_step_result", **given, **asked)
            self.done.append((held["step_id"], name))
            self.ticks.put_nowait(name)
            return None
        told = await called(client, "get_next_step", plan_id=self.plan, **asked)
        if told["status"] == "in_progress":
            step: Document = told["data"]["step"]
            return step
        if told["status"] == "plan_complete":
            return {}
        await asyncio.sleep(0.02)
        return None


async def _begun(server: Serving, steps: int = STEPS) -> Race:
    async with over_http(server) as client:
        made = await called(client, "create_research_plan", **new_plan(steps))
    return Race(server, made["data"]["plan_id"])


async def _audit(folder: Path, plan: str) -> list[Body]:
    """Return what happened to a plan, after proving that it did."""
    async with open_app(load({"data": str(folder)}, {})) as app:
        assert not (await verify(app.engine, LOCAL)).findings
        rows = await app.engine.store.audit(LOCAL, plan, 0, 100_000)
    return [read_body(row.link.body) for row in rows]


def _moved(audit: list[Body], target: str) -> Counter[object]:
    return Counter(
        part
        for body in audit
        if body.get("change") == "move" and body.get("kind") == "step" and body["target"] == target
        for part in body["ids"]  # type: ignore[attr-defined] # names of parts
    )


def _judge(race: Race, audit: list[Body]) -> None:
    """See that every step was claimed once and done once, by whoever was told so."""
    every = {f"{race.plan}.{number}": 1 for number in range(1, STEPS + 1)}
    by = {
        body["ids"][0]: body["actor"]["session"]  # type: ignore[index] # a step and its actor
        for body in audit
        if body.get("target") == "completed" and body.get("kind") == "step"
    }

    assert _moved(audit, "in_progress") == every
    assert _moved(audit, "completed") == every
    assert sorted(race.done) == sorted(by.items())
    assert audit[-1]["target"] == "completed"
    assert min(Counter(by.values()).values()) > STEPS // 10
    assert set(by.values()) == set(SESSIONS)


def test_no_step_is_done_twice_and_none_is_lost(tmp_path: Path) -> None:
    async def story(server: Serving) -> Race:
        race = await _begun(server)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for name in SESSIONS:
                group.create_task(race.run(name))
        return race

    with serving(tmp_path) as server:
        race = asyncio.run(story(server))

    assert race.lost == 0
    _judge(race, asyncio.run(_audit(tmp_path, race.plan)))


def test_nor_when_the_server_is_killed_in_the_middle(tmp_path: Path) -> None:
    async def story(server: Serving, start: Callable[[int], Serving]) -> Race:
        race = await _begun(server)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for name in SESSIONS:
                group.create_task(race.run(name))
            for count in KILLED_AFTER:
                while len(race.done) < count:
                    await race.ticks.get()
                race.server.process.kill()
                race.server.process.wait()
                race.server = await asyncio.to_thread(start, server.port)
        return race

    with ExitStack() as stack:
        first = stack.enter_context(serving(tmp_path))
        race = asyncio.run(
            story(first, lambda port: stack.enter_context(serving(tmp_path, port=port)))
        )

    assert race.lost >= len(KILLED_AFTER)
    _judge(race, asyncio.run(_audit(tmp_path, race.plan)))


# -- a chat is rewound ------------------------------------------------------------------------


@asynccontextmanager
async def _rewound(folder: Path, **more: object) -> AsyncIterator[tuple[Client, Document]]:
    """Open a client that holds the first of two steps, as it was handed out."""
    with serving(folder) as server:
        async with over_http(server) as client:
            made = await called(client, "create_research_plan", **new_plan(2), **more)
            plan = made["data"]["plan_id"]
            told = await called(client, "get_next_step", plan_id=plan, session_id="laptop")
            yield client, told["data"]["step"]


def _given(step: Document, summary: str, request: str) -> Document:
    return {
        "step_id": step["step_id"], "lease": step["lease"]["token"], "result_summary": summary,
        "request_id": request, "session_id": "laptop",
    }  # fmt: skip


def _unmarked(told: Document) -> str:
    return MARKS.sub("untrusted", repr(told))


def test_the_same_submit_again_gets_the_same_answer(tmp_path: Path) -> None:
    async def story() -> None:
        async with _rewound(tmp_path) as (client, step):
            given = _given(step, "three found", "once")
            first = await called(client, "submit_step_result", **given, claim_next=True)
            again = await called(client, "submit_step_result", **given, claim_next=True)
            no = await refused(client, "submit_step_result", **{**given, "result_summary": "two"})

        assert _unmarked(again) == _unmarked(first)
        assert again["receipt"] == first["receipt"]
        assert no["code"] == "IDEMPOTENCY_MISMATCH"

    asyncio.run(story())


def test_another_submit_for_what_is_done_is_told_that_it_is_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with _rewound(tmp_path) as (client, step):
            await called(client, "submit_step_result", **_given(step, "three found", "once"))
            no = await refused(client, "submit_step_result", **_given(step, "two", "other"))

        assert no["code"] == "INVALID_TRANSITION"
        assert re.search(r"Since your claim: completed by agent laptop at 2\S+Z\.", no["message"])

    asyncio.run(story())


def test_another_submit_with_an_old_lease_is_told_who_has_it_since_when(tmp_path: Path) -> None:
    async def story() -> None:
        async with _rewound(tmp_path, stall_after=1) as (client, step):
            taken = {"step_id": step["step_id"], "reason": "silent", "session_id": "desktop"}
            async with asyncio.timeout(30):
                # The server's clock says when it can be taken.
                while (await client.call_tool("take_over_step", taken)).is_error:  # noqa: ASYNC110 (same)
                    await asyncio.sleep(0.1)
            no = await refused(client, "submit_step_result", **_given(step, "late", "other"))
            standing = await called(
                client, "get_plan_status", plan_id=step["step_id"].split(".")[0]
            )

        assert no["code"] == "STALE_LEASE"
        assert re.search(r"It is held by desktop since 2\S+Z\.", no["message"])
        assert (
            "Since your claim: failed, pending, in_progress (taken_over) by agent desktop"
            in no["message"]
        )
        assert standing["data"]["current_steps"][0]["holder"] == "desktop"

    asyncio.run(story())
