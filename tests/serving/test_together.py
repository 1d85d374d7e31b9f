"""Several processes on one port: they answer for each other, and one that dies is replaced."""

import asyncio
import os
import re
import signal
import time
from pathlib import Path
from typing import Final

import httpx2
import pytest

from tests.serving.farm import Base, Running

CALLS: Final = 40
PATIENCE_S: Final = 60.0
TOKEN: Final = "figures"  # noqa: S105 (it opens nothing but the figures of a test)

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="children are looked up there")


def children(server: Running) -> list[int]:
    """Return the processes that serve."""
    path = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    return [int(pid) for pid in path.read_text().split()]


def pings(server: Running) -> int:
    """Return how many calls of ``ping`` the figures tell of."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    told = httpx2.get(server.url + "/metrics", headers=headers, timeout=PATIENCE_S)
    assert told.status_code == 200
    pattern = r'interlock_commands_total\{channel="rest",code="OK",command="ping"\} (\d+)'
    return sum(int(count) for count in re.findall(pattern, told.text))


def is_running(pid: int) -> bool:
    """Say whether a process is there and no mere memory of one."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_they_answer_for_each_other_and_are_replaced(base: Base) -> None:
    headers = {"Authorization": f"Bearer {asyncio.run(base.token('ada'))}"}

    def ping(server: Running) -> int:
        url = server.url + "/v1/whoami"
        return httpx2.get(url, headers=headers, timeout=PATIENCE_S).status_code

    with base.serving("--processes", "2", INTERLOCK_METRICS_TOKEN=TOKEN) as server:
        until = time.monotonic() + PATIENCE_S
        assert {ping(server) for _ in range(CALLS)} == {200}
        while pings(server) != CALLS:
            assert time.monotonic() < until
        # What one of them has told, the other knows as well.
        assert {pings(server) for _ in range(CALLS)} == {CALLS}
        first = children(server)
        os.kill(first[0], signal.SIGKILL)
        while len({*children(server)} - {*first}) != 1:
            assert time.monotonic() < until
        assert {ping(server) for _ in range(CALLS)} == {200}
        # Nothing that was counted is forgotten with who counted it.
        while pings(server) != 2 * CALLS:
            assert time.monotonic() < until
        server.process.kill()
        while is_running(first[1]):
            assert time.monotonic() < until

    assert len(first) == 2
