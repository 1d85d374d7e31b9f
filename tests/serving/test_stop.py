"""A server that is told to stop: nothing acked is lost, streams are ended, and it is gone in time."""

import asyncio
import json
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpx2
import pytest

from interlock.app import LOCAL
from interlock.site import STOP_S
from tests.serving.farm import Base, Running

LEAVING_S = 20
"""How long a process that was told to end at last may take to be gone, on a busy machine."""

DRAIN_S = 4

STREAMS: Final = 50
CALLERS: Final = 20
PATIENCE_S: Final = 60.0
PLAN: Final = {"name": "A", "research_question": "B?", "steps": [{"instructions": "look"}]}


class Crowd:
    """Those who are connected to a server when it is told to stop."""

    def __init__(self, server: Running, token: str) -> None:
        """Begin with nobody."""
        self.server = server
        self.headers = {"Authorization": f"Bearer {token}"}
        self.acked: list[str] = []
        self.begun = asyncio.Semaphore(0)
        self.is_over = False

    def client(self) -> httpx2.AsyncClient:
        """Return a client with a connection of its own."""
        return httpx2.AsyncClient(
            base_url=self.server.url, headers=self.headers, timeout=PATIENCE_S
        )

    async def follow(self) -> list[str]:
        """Follow what happens until the stream ends; return its last lines."""
        lines: list[str] = []
        async with self.client() as client, client.stream("GET", "/v1/events") as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if not lines:
                    self.begun.release()
                lines = [*lines[-3:], line]
        return lines

    async def work(self) -> None:
        """Make plans until nobody answers any more."""
        with suppress(httpx2.HTTPError):
            async with self.client() as client:
                while not self.is_over:
                    answer = await client.post("/v1/plans", json=PLAN)
                    assert answer.status_code == 201, answer.text
                    self.acked.append(answer.json()["data"]["plan_id"])
                    self.begun.release()


async def found(base: Base, plans: list[str]) -> int:
    """Count the plans that are there."""
    async with base.app() as app:
        return sum([await app.engine.store.whole(LOCAL, plan) is not None for plan in plans])


@pytest.mark.parametrize("processes", ["1", "2"])
def test_what_was_acked_is_there_streams_are_ended_and_it_is_gone_in_time(
    tmp_path: Path, processes: str
) -> None:
    base = Base(tmp_path)
    token = asyncio.run(base.token("ada"))

    async def main(server: Running) -> tuple[list[str], list[list[str]], float]:
        crowd = Crowd(server, token)
        readers = [asyncio.create_task(crowd.follow()) for _ in range(STREAMS)]
        callers = [asyncio.create_task(crowd.work()) for _ in range(CALLERS)]
        for _ in range(STREAMS + 2 * CALLERS):
            await crowd.begun.acquire()
        told = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(server.process.wait, PATIENCE_S)
        took = time.monotonic() - told
        crowd.is_over = True
        ends = await asyncio.gather(*readers)
        await asyncio.gather(*callers)
        assert code == 0
        return crowd.acked, ends, took

    around = {"INTERLOCK_RATE_PRINCIPAL": "0", "INTERLOCK_LOG_LEVEL": "warning"}
    with base.serving("--processes", processes, **around) as server:
        acked, ends, took = asyncio.run(main(server))

    assert len(acked) >= 2 * CALLERS
    assert asyncio.run(found(base, acked)) == len(acked)
    assert took < STOP_S + LEAVING_S
    assert [is_stop(end) for end in ends] == [True] * STREAMS


def is_stop(lines: list[str]) -> bool:
    """Say whether a stream ended with the event that says so."""
    told = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return "event: stop" in lines and json.loads(told[-1])["code"] == "STOPPING"


@pytest.mark.parametrize("processes", ["1", "2"])
def test_while_it_drains_it_is_not_ready_but_still_answers(tmp_path: Path, processes: str) -> None:
    base = Base(tmp_path)

    def standing(server: Running) -> list[int]:
        paths = [server.url + path for path in ("/readyz", "/healthz")]
        return [httpx2.get(path, timeout=PATIENCE_S).status_code for path in paths]

    with base.serving("--processes", processes, INTERLOCK_DRAIN_S=str(DRAIN_S)) as server:
        before = standing(server)
        told = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        after = before
        while after == before and time.monotonic() < told + DRAIN_S - 0.5:
            after = standing(server)
        assert server.process.wait(PATIENCE_S) == 0
        took = time.monotonic() - told

    assert (before, after) == ([200, 200], [503, 200])
    assert DRAIN_S <= took < DRAIN_S + STOP_S + LEAVING_S


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_second_signal_ends_it_at_once(tmp_path: Path, processes: str) -> None:
    base = Base(tmp_path)
    with base.serving("--processes", processes, INTERLOCK_DRAIN_S="600") as server:
        assert httpx2.get(server.url + "/readyz", timeout=PATIENCE_S).status_code == 200
        server.process.send_signal(signal.SIGTERM)
        while httpx2.get(server.url + "/readyz", timeout=PATIENCE_S).status_code != 503:
            pass
        told = time.monotonic()
        # The other process may still have the first one before it: then the two become one.
        for _ in range(int(processes)):
            server.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(1)
        assert server.process.wait(PATIENCE_S) == 0

    assert time.monotonic() - told < STOP_S + LEAVING_S


def test_no_secret_is_in_any_line_that_a_server_writes(tmp_path: Path) -> None:
    base = Base(tmp_path)
    token = asyncio.run(base.token("ada"))
    wrong, other = "il_" + 40 * "7", "canary-1"
    paths = (f"/v1/whoami?token={token}", f"/v1/{token}", "/v1/whoami", "/metrics", "/nope")
    around = {"INTERLOCK_LOG_LEVEL": "debug", "INTERLOCK_METRICS_TOKEN": other}
    with base.serving(**around) as server:
        for path in paths:
            for given in (token, wrong, other):
                headers = {"Authorization": f"Bearer {given}", "X-Request-Id": given}
                httpx2.get(server.url + path, headers=headers, timeout=PATIENCE_S)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_S) == 0
    said = "".join(server.said)

    lines = [json.loads(line) for line in server.said if line.startswith("{")]
    assert len([line for line in lines if line["log"] == "interlock.access"]) == 15
    assert not [secret for secret in (token, wrong, token[3:], wrong[3:]) if secret in said]
