"""The keeper: tidies up beside the work, and is not stopped by a server that does not answer."""

import asyncio
from pathlib import Path

import pytest

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker.workspace import keeper
from interlock.worker.workspace.keeper import Keeper, tidied
from tests.worker.workspace.ground import done, ground


class Soon(SystemClock):
    """Waits for nothing that is drawn by chance."""

    def jitter(self, limit_s: float) -> float:
        return 0.0 * limit_s


def test_it_removes_what_has_ended_while_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ground(tmp_path)
    monkeypatch.setattr(keeper, "EVERY_S", 0.01)
    asked: list[str] = []

    async def ask(command: str, _: object) -> Envelope:
        asked.append(command)
        if len(asked) == 1:
            raise InterlockError("The server is away.")
        return Envelope(status="ok", data={"phase": {"name": "COMPLETED"}})

    async def story() -> None:
        async with tidied(Keeper(here.site, ask, 0, Soon())):
            while here.site.trees():  # noqa: ASYNC110 (the keeper tells nobody)
                await asyncio.sleep(0.01)

    done(story())
    assert len(asked) >= 2


def test_what_has_not_rested_long_enough_stays(tmp_path: Path) -> None:
    here = ground(tmp_path)

    async def ask(*_: object) -> Envelope:
        return Envelope(status="ok", data={"phase": {"name": "COMPLETED"}})

    assert done(Keeper(here.site, ask, 60_000, SystemClock()).tidy()).removed == ()
    assert here.folder.exists()
