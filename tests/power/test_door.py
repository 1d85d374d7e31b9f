"""A server whose disk fails says so at its doors: no lie, no effect, and no more commands."""

import asyncio
import errno
from pathlib import Path
from typing import Any, Final, Self

import httpx2
import pytest

from interlock.service.access import create_token
from tests.forking import Nursery
from tests.native import lacks_compiler
from tests.power.library import order, watched
from tests.serving.farm import Base, Running
from tests.stage import new_plan

pytestmark = pytest.mark.skipif(bool(lacks_compiler()), reason=f"there is no {lacks_compiler()}")

PATIENCE_S: Final = 60.0
ALWAYS: Final = 1_000_000


class Caller:
    """Somebody who makes plans over REST, each under a request id."""

    def __init__(self, server: Running, token: str) -> None:
        """Take where to call."""
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx2.Client(base_url=server.url, headers=headers, timeout=PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def make(self, request: str) -> httpx2.Response:
        """Make a plan."""
        key = {"Idempotency-Key": request}
        return self._http.post("/v1/plans", json=new_plan(), headers=key)

    def refused(self, request: str) -> dict[str, Any]:
        """Make a plan and be refused; return what was told."""
        answer = self.make(request)
        told: dict[str, Any] = answer.json()
        assert answer.status_code == told["status"]
        return told

    def made(self) -> int:
        """Count the plans there are."""
        return len(self._http.get("/v1/plans").raise_for_status().json()["data"]["plans"])

    def ready(self) -> tuple[int, dict[str, Any]]:
        """Ask whether it is ready."""
        answer = self._http.get("/readyz")
        return answer.status_code, answer.json()


async def agent(base: Base) -> str:
    async with base.app() as app:
        return (await create_token(app.engine, app.owner(), "ada"))[0]


def test_a_full_disk_passes_and_a_failed_sync_ends_it_until_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, switch = Base(tmp_path / "data"), tmp_path / "switch"
    token = asyncio.run(agent(base))
    with monkeypatch.context() as slow:
        # What is loaded before a program must be there when it is started.
        slow.setattr(Nursery, "is_slow", True)
        around = watched(base.folder, switch=switch)
        with base.serving(**around) as server, Caller(server, token) as caller:
            assert caller.make("one").status_code == 201

            order(switch, "write", "-wal", errno.ENOSPC, times=ALWAYS)
            told = caller.refused("two")
            assert (told["code"], told["status"], told["retryable"]) == ("STORE_FULL", 507, True)
            order(switch, "write", "-wal", errno.ENOSPC, times=0)
            assert caller.make("two").status_code == 201
            assert caller.ready()[0] == 200

            # Once: the next sync would do, as with real disks, and what was lost stays lost.
            order(switch, "sync", "-wal", errno.EIO)
            for request in ("three", "three", "four"):
                told = caller.refused(request)
                assert (told["code"], told["status"]) == ("STORE_BROKEN", 503)
                assert told["retryable"]
            status, told = caller.ready()
            assert (status, told["durability"]) == (503, "broken")
            assert caller.made() == 2

    with base.serving() as server, Caller(server, token) as caller:
        # Nobody was told what became of it: the same request id brings its one outcome.
        assert caller.make("three").status_code == 201
        assert caller.ready() == (
            200,
            {"status": "ready", "database": "sqlite", "durability": "full"},
        )
        assert caller.made() == 3
