"""Two servers behind a proxy that knows nothing: either answers anything, and one may be killed."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from interlock.app import LOCAL
from tests.doors.mcp.clients import ERAS
from tests.serving.farm import Base, Proxy

STEPS: Final = 30
KILLED_AFTER: Final = 10
PATIENCE_S: Final = 60.0
PAUSE_S: Final = 0.05
ONE_EACH: Final = httpx2.Limits(max_keepalive_connections=0)
"""A connection for every request: the proxy deals out connections."""

Document = dict[str, Any]
Call = Callable[[str, Document], Awaitable[Document]]
PLACES: Final = {
    "get_next_step": lambda given: f"/v1/plans/{given.pop('plan_id')}/next",
    "submit_step_result": lambda given: f"/v1/steps/{given.pop('step_id')}/result",
}


@asynccontextmanager
async def speaking(url: str, token: str) -> AsyncIterator[httpx2.AsyncClient]:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, timeout=PATIENCE_S, limits=ONE_EACH
    ) as client:
        yield client


async def over_rest(url: str, token: str, command: str, given: Document) -> Document:
    """Call a command once over REST."""
    body = dict(given)
    async with speaking(url, token) as client:
        answer = await client.post(PLACES[command](body), json=body)
    return dict(answer.json())


async def over_mcp(url: str, token: str, command: str, given: Document) -> Document:
    """Call a tool once over MCP."""
    async with speaking(url, token) as http:
        transport = streamable_http_client(url + "/mcp", http_client=http)
        async with Client(transport, mode=ERAS[1]) as client:
            return dict((await client.call_tool(command, given)).structured_content or {})


class Worker:
    """Works a plan through one of the doors, and asks again for whatever got no answer."""

    def __init__(self, name: str, call: Call, plan: str, told: asyncio.Semaphore) -> None:
        """Begin with nothing done; whatever is done is told."""
        self.name = name
        self.plan = plan
        self.done: list[str] = []
        self.again = 0
        self.told = told
        self._call = call
        self._asked = 0

    async def ask(self, command: str, **given: object) -> Document:
        """Call until there is an answer; the request id makes that safe."""
        self._asked += 1
        told = {**given, "request_id": f"{self.name}-{self._asked}"}
        while True:
            try:
                answer = await self._call(command, told)
            except Exception:  # noqa: BLE001  a server that is killed breaks off in every way there is
                answer = {"retryable": True}
            if not answer.get("retryable"):
                return answer
            self.again += 1
            await asyncio.sleep(PAUSE_S)

    async def work(self) -> None:
        """Take a step, hand in its result, until there is none."""
        while True:
            answer = await self.ask("get_next_step", plan_id=self.plan)
            step = answer.get("data", {}).get("step")
            if step is None:
                return
            lease = step["lease"]["token"]
            done = await self.ask(
                "submit_step_result", step_id=step["step_id"], lease=lease, result_summary="done"
            )
            assert "receipt" in done, done
            self.done.append(step["step_id"])
            self.told.release()


async def begun(base: Base) -> str:
    """Make a plan."""
    async with base.app() as app:
        steps = [{"instructions": f"look at {number}"} for number in range(STEPS)]
        new = {"name": "A", "research_question": "B?", "steps": steps}
        made = await (await app.verbs()).call("create_research_plan", new)
        return str(made.data["plan_id"])


async def history(base: Base, plan: str) -> tuple[str, Counter[tuple[str, str]]]:
    """Return how a plan stands, and how often each thing has happened to each of its steps."""
    async with base.app() as app:
        whole = await app.engine.store.whole(LOCAL, plan)
        rows = await app.engine.store.audit(LOCAL, plan, 0, 10_000)
    assert whole is not None
    bodies = [json.loads(row.link.body) for row in rows]
    return whole.row.unit.status, Counter(
        (body["event"], step) for body in bodies for step in body.get("ids", ())
    )


def test_nothing_is_lost_and_nothing_done_twice_when_a_server_is_killed(base: Base) -> None:
    async def main() -> tuple[Worker, Worker, dict[int, int], str]:
        tokens = [await base.token(name) for name in ("ada", "bob")]
        plan = await begun(base)
        with base.serving() as first, base.serving() as second:
            async with Proxy(first.port, second.port) as proxy:
                url = proxy.url
                told = asyncio.Semaphore(0)
                ada = Worker("ada", lambda c, a: over_rest(url, tokens[0], c, a), plan, told)
                bob = Worker("bob", lambda c, a: over_mcp(url, tokens[1], c, a), plan, told)

                async def kill() -> None:
                    for _ in range(KILLED_AFTER):
                        await told.acquire()
                    first.process.kill()

                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(ada.work(), bob.work(), kill())
                return ada, bob, proxy.given, plan

    ada, bob, given, plan = asyncio.run(main())
    status, happened = asyncio.run(history(base, plan))

    assert status == "completed"
    assert all(count > KILLED_AFTER // 2 for count in given.values())
    assert ada.done
    assert bob.done
    assert sorted(ada.done + bob.done) == sorted({*ada.done, *bob.done})
    assert len(ada.done + bob.done) == STEPS
    for step in ada.done + bob.done:
        assert (happened["claim", step], happened["submit", step]) == (1, 1)


def test_what_one_server_answered_the_other_answers_again(base: Base) -> None:
    async def main() -> list[bytes]:
        token = await base.token("ada")
        plan = await begun(base)
        with base.serving() as first, base.serving() as second:
            async with Proxy(first.port, second.port) as proxy:
                answers = []
                for _ in range(4):
                    async with speaking(proxy.url, token) as client:
                        body = {"request_id": "same"}
                        answer = await client.post(f"/v1/plans/{plan}/next", json=body)
                        answers.append(answer.content)
                return answers

    answers = asyncio.run(main())

    assert len(set(answers)) == 1
    assert b'"step_id"' in answers[0]
