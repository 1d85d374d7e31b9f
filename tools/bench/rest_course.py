"""The REST door: calls beside the same calls in process, and one stream of events for many readers.

The server is the one that the MCP door is measured on. Nobody has set a goal for these figures.
"""

import asyncio
import http.client
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

from interlock.app import App, open_app
from interlock.config import Settings
from tools.bench.mcp_callers import PATIENCE_S, claim, new_plan, submit
from tools.bench.mcp_course import McpCourse
from tools.bench.measure import Figure, beside, interleaved, wall_s
from tools.bench.payload import SUMMARY

STREAMS_EACH: Final = 100
"""How many streams one caller may have."""

Document = dict[str, Any]
_numbers: Iterator[int] = count(1)


class Rest:
    """One connection to a server, kept open."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def post(self, path: str, body: Document) -> Document:
        """Call a command at its place; return the data of its answer."""
        self._connection.request("POST", f"/v1{path}", json.dumps(body), self._headers)
        response = self._connection.getresponse()
        told: Document = json.loads(response.read())
        if response.status not in (200, 201):
            message = f"{path}: {told}"
            raise AssertionError(message)
        found: Document = told["data"]
        return found

    def begin(self, steps: int) -> str:
        """Make a plan, and return its id."""
        return str(self.post("/plans", new_plan(steps)[1])["plan_id"])

    def play(self, plan: str, steps: int) -> None:
        """Claim and submit so many steps."""
        for _ in range(steps):
            number = next(_numbers)
            key = {"request_id": f"{plan}-{number}"}
            step = self.post(f"/plans/{plan}/next", key)["step"]
            told = {"lease": step["lease"]["token"], "result": {"figure": number}}
            told |= {"result_summary": SUMMARY, "request_id": f"{plan}-{number}-s"}
            self.post(f"/steps/{step['step_id']}/result", told)

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


async def _in_process(app: App, steps: int) -> Callable[[], Coroutine[object, object, None]]:
    """Make a plan; return what claims and submits all its steps."""
    verbs = await app.verbs()
    made = await verbs.call(*new_plan(steps))
    plan = str(made.data["plan_id"])

    async def play() -> None:
        for number in range(steps):
            told: Document = (await verbs.call(*claim(plan, number))).data
            await verbs.call(*submit(plan, number, told["step"]))

    return play


def rest_figures(course: McpCourse, folder: Path) -> list[Figure]:
    """Measure calls over REST beside the same calls in process, and the stream."""
    steps = course.scale.calls // 2
    stack = open_app(Settings(data=folder / "in-process"))
    app = course.runner.run(stack.__aenter__())
    try:

        def over_rest() -> float:
            with closing(Rest(course.port, course.token)) as caller:
                plan = caller.begin(steps)
                return 2 * steps / wall_s(lambda: caller.play(plan, steps))

        def in_process() -> float:
            play = course.runner.run(_in_process(app, steps))
            return 2 * steps / wall_s(lambda: course.runner.run(play()))

        rounds = interleaved({"rest": over_rest, "here": in_process}, course.scale.rounds)
    finally:
        course.runner.run(stack.__aexit__(None, None, None))
    name = "REST, one connection beside the same calls in process"
    return [beside(name, rounds, "rest", "here", unit="calls/s"), *_stream_figures(course, folder)]


def _stream_figures(course: McpCourse, folder: Path) -> list[Figure]:
    readers = course.scale.readers
    tokens = [_token(folder / "mcp") for _ in range(-(-readers // STREAMS_EACH))]

    def alone() -> float:
        with closing(Rest(course.port, course.token)) as caller:
            plan = caller.begin(course.scale.each)
            took = wall_s(lambda: caller.play(plan, course.scale.each))
        return 2 * course.scale.each / took

    def watched() -> float:
        return course.runner.run(_watched(course, tokens))

    rounds = interleaved({"alone": alone, "watched": watched}, course.scale.windows)
    told = [{**one, "events": one["watched"] * readers} for one in rounds]
    return [
        beside(f"REST, calls told to {readers} streams beside none", rounds, "watched", "alone",
               unit="calls/s"),
        beside(f"SSE, events told to {readers} readers beside calls", told, "events", "alone",
               unit="events/s"),
    ]  # fmt: skip


def _token(data: Path) -> str:
    words = [sys.executable, "-m", "interlock", "--data", str(data), "token", "create", "reader"]
    done = subprocess.run([*words, "--json"], capture_output=True, text=True, check=True)
    return str(json.loads(done.stdout)["token"])


async def _watched(course: McpCourse, tokens: list[str]) -> float:
    """Let many follow a plan that is worked on; return calls a second until all know all."""
    with closing(Rest(course.port, course.token)) as caller:
        steps = course.scale.each
        plan = caller.begin(steps)
        wanted = 2 * steps
        ready = asyncio.Semaphore(0)
        theirs = [tokens[place // STREAMS_EACH] for place in range(course.scale.readers)]
        readers = [
            asyncio.create_task(_read(course.port, token, plan, wanted, ready)) for token in theirs
        ]
        for _ in readers:
            await ready.acquire()
        begun = asyncio.get_running_loop().time()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.to_thread(caller.play, plan, steps)
            await asyncio.gather(*readers)
        return wanted / (asyncio.get_running_loop().time() - begun)


async def _read(port: int, token: str, plan: str, wanted: int, ready: asyncio.Semaphore) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /v1/events?unit={plan} HTTP/1.1\r\nHost: localhost\r\n"
    writer.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
    await reader.readuntil(b"retry:")
    ready.release()
    seen = 0
    while seen < wanted:
        line = await reader.readline()
        if not line:
            raise AssertionError("a stream has ended early")
        seen += line.startswith(b"data:")
    writer.close()
