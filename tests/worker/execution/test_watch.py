"""Requests that wait are looked after: a merge elsewhere is told once git has seen it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interlock.client.errors import Unreachable
from interlock.wire.envelope import Envelope
from interlock.worker.agents.script import Turn
from interlock.worker.execution.watch import NAME, REVIEW, Watch, remember
from tests.worker.execution.ground import TICKET, Ground
from tests.worker.execution.test_integrate import ground
from tests.worker.execution.test_publish import SAID, published
from tests.worker.workspace.repositories import plain

__all__ = ["ground"]


class Server:
    """Tells how the ticket stands, and writes down what it is told."""

    def __init__(self, request: dict[str, Any]) -> None:
        """Stand at a review."""
        self.status = REVIEW
        self.told: list[Mapping[str, object]] = []
        self.asked = 0
        self.is_away = False
        self.data: dict[str, Any] = {"pull_request": request}

    async def once(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Answer."""
        if self.is_away:
            raise Unreachable("away")
        if command == "report_merge":
            self.told.append(arguments)
            return Envelope(status="ok")
        self.asked += 1
        assert (command, arguments) == ("ticket_status", {"ticket_id": TICKET})
        return Envelope(status=self.status, data=self.data)


@pytest.fixture
def server(ground: Ground) -> Server:
    ground.says(publish=Turn(SAID))
    return Server(published(ground))


def looked(ground: Ground, server: Server, times: int = 1, first_s: float = 0) -> int:
    async def story() -> int:
        watch = Watch(await ground.site(), server.once, first_s)
        return sum([await watch.look() for _ in range(times)])

    return asyncio.run(story())


def test_an_outside_merge_is_told_once_git_has_seen_it(ground: Ground, server: Server) -> None:
    head = str(server.data["pull_request"]["head"])
    assert looked(ground, server) == 0
    plain(ground.bare, "update-ref", "refs/heads/main", head)

    assert looked(ground, server) == 1
    assert server.told == [
        {"ticket_id": TICKET, "merge_commit": head, "base_head": head, "head": head}
    ]


def test_nobody_else_is_looked_after(ground: Ground, server: Server) -> None:
    plain(ground.bare, "update-ref", "refs/heads/main", "refs/pull/1/head")
    server.status = "CODING"

    assert looked(ground, server, 2) == 0
    assert server.asked == 2
    server.status = "COMPLETED"
    looked(ground, server)
    assert not (ground.tree.place.folder / NAME).exists(), "it is looked after no more"
    looked(ground, server)
    assert server.asked == 3


def test_it_is_looked_at_less_and_less_often(ground: Ground, server: Server) -> None:
    looked(ground, server, 5, first_s=60)

    assert server.asked == 1


def test_whoever_is_away_is_waited_for(ground: Ground, server: Server, tmp_path: Path) -> None:
    server.is_away = True
    assert looked(ground, server) == 0
    server.is_away = False
    remember(ground.tree, "local", str(tmp_path / "gone"))
    assert looked(ground, server) == 0
    assert server.told == []
