"""Beads side by side: each in a tree of its own, one commit on top of the other."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interlock.clock import SystemClock
from interlock.ticketing.execution.judge import HeadMoved
from interlock.wire.envelope import Envelope
from interlock.worker.agents.script import Turn
from interlock.worker.execution.beside import place_of
from interlock.worker.execution.hands import Hands
from interlock.worker.execution.order import order_of
from interlock.worker.tools import Retries
from tests.worker.execution.ground import DONE, Ground, ground_in
from tests.worker.workspace.repositories import plain


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def test_who_finds_the_tree_taken_builds_in_a_copy_that_is_gone_afterwards(ground: Ground) -> None:
    work = ground.work("code")

    async def story() -> None:
        site = await ground.site()
        other = work._replace(part="ticket-1.8")
        async with place_of(site, order_of(work)) as first:
            async with place_of(site, order_of(other)) as second:
                await second.fresh(await first.head())
                assert (second.folder / "shop.py").exists()
                assert first.folder.name == "tree"
                assert second.folder.parts[-2:] == ("trees", "8")
            assert not second.folder.exists()
        async with place_of(site, order_of(other)) as third:
            assert third.folder.name == "tree"

    asyncio.run(story())


def test_everything_else_waits_for_the_tree(ground: Ground) -> None:
    work, check = ground.work("code"), ground.work("check")
    green = ground.work("code", finalise={"tree": "0" * 40})

    async def story() -> None:
        site = await ground.site()
        async with place_of(site, order_of(work)):
            for other in (check, green):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3), place_of(site, order_of(other)):
                        pass
        async with place_of(site, order_of(check)) as tree:
            assert tree.folder.name == "tree"

    asyncio.run(story())


def built(ground: Ground, files: dict[str, str]) -> list[Mapping[str, Any]]:
    """Build a bead while another one is first that has changed some files; return the reports."""
    head = ground.head()
    reports: list[Mapping[str, Any]] = []

    async def hand_in(_: str, told: Mapping[str, object]) -> Envelope:
        report = dict(told["answer"])  # type: ignore[call-overload] # a report
        reports.append(report)
        if report["status"] == "done" and report["parent"] == head:
            raise HeadMoved(head, await other(ground, files))
        return Envelope(status="ok")

    async def story() -> None:
        site, clock = await ground.site(), SystemClock()
        with site.intents("worker-1") as intents:
            hands = Hands(site, intents, ground.crew(), ground.once, clock, Retries())
            await hands.run(ground_work, hand_in)

    ground_work = ground.work("code")
    asyncio.run(story())
    return reports


async def other(ground: Ground, files: dict[str, str]) -> str:
    """Make the commit of the bead that is first."""
    tree = (await ground.site()).tree("ticket-1").copy(9)
    head = await (await ground.site()).tree("ticket-1").head()
    await tree.fresh(head)
    for name, text in files.items():
        await asyncio.to_thread((tree.folder / name).write_text, text)
    look = await tree.look()
    return await tree.written(head, "bead(other): Other", look.tree)


def test_the_second_commit_is_put_on_the_first(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files={"pears.py": "pears\n"}))

    first, second = built(ground, {"plums.py": "plums\n"})

    assert (first["status"], second["status"]) == ("done", "done")
    vault = ground.tree.place.vault
    assert plain(vault, "rev-parse", f"{second['commit']}^") == second["parent"]
    names = plain(vault, "ls-tree", "--name-only", second["commit"]).split()
    assert names == ["pears.py", "plums.py", "shop.py", "test.sh"]
    subjects = plain(vault, "log", "-2", "--format=%s", second["commit"]).splitlines()
    assert subjects == ["bead(pears): Sell pears", "bead(other): Other"]


def test_what_does_not_go_together_is_an_attempt_that_failed(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files={"pears.py": "pears\n"}))

    _, second = built(ground, {"pears.py": "plums\n"})

    assert (second["status"], second["reason"], second["commit"]) == ("failed", "conflict", "")
    assert "pears.py" in second["note"]
