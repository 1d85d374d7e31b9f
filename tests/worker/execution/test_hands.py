"""Hands on a real engine: work is claimed, done, reported; or it is said why it is not."""

import asyncio
from pathlib import Path
from typing import Any

from interlock.clock import SystemClock
from interlock.wire.envelope import Envelope
from interlock.worker.execution.hands import TASKS, Hands, by_task
from interlock.worker.tools import Retries
from interlock.worker.work import Work, work_of
from interlock.worker.workspace.room import Site
from tests.stage import PAT, Stage, opened
from tests.tickets import status_of, ticket
from tests.worker.ways import Way
from tests.worker.workspace.repositories import plain, repository


async def run(stage: Stage, data: Path) -> str:
    """Claim what is asked of the workspace, and have it done."""
    way = Way(stage)
    found = await way.call("get_next_work", {"workflow": "ticket", "role": "workspace"})
    work = work_of(found, 1, stage.clock)
    assert work is not None
    return await done(way, data, work)


async def done(way: Way, data: Path, work: Work) -> str:
    held = {"part_id": work.part, "lease": work.lease}
    clock = SystemClock()
    site = await Site.open(data, clock)
    with site.intents("worker-1") as intents:
        hands = Hands(site, intents, {}, way.call, clock, Retries())
        how = await hands.run(work, lambda name, told: way.call(name, {**held, **told}))
        assert [*(data / "intents").glob("*.json")] == [], "what has ended is not intended"
    return how


async def begun(stage: Stage, where: Path) -> str:
    name = await ticket(stage, repository=str(where))
    await stage.call("start", PAT, ticket_id=name)
    return name


def test_init_makes_the_working_tree_and_the_ticket_goes_on(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, there)
            assert await run(stage, tmp_path / "data") == "init done"
            told = await status_of(stage, name)
            assert told["phase"]["name"] == "SCANNING_RELEVANT_FILES"
            made = tmp_path / "data" / "workspaces" / name / "tree"
            assert plain(made, "rev-parse", "--abbrev-ref", "HEAD") == f"interlock/{name}"
            logs = (await stage.call("read_logs", PAT, id=name)).data["lines"]
            assert isinstance(logs, list)
            assert "'main' is checked out in the repository" in logs[0]["text"]
            assert plain(there, "rev-parse", "main") in logs[1]["text"]
            assert logs[1]["text"].endswith(", 1 files."), "a log is no place for a listing"
            digest = told["documents"]["repository"]
            kept: Any = (await stage.call("get_content", PAT, id=name, digest=digest)).data
            assert "files:\n  - shop.py\n" in kept["content"]

    asyncio.run(story())


def test_what_is_wrong_blocks_the_ticket_and_a_retry_starts_anew(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, tmp_path / "there")
            assert "cannot be reached from this worker" in await run(stage, tmp_path / "data")
            told = await status_of(stage, name)
            assert told["phase"]["name"] == "BLOCKED_ERROR"
            assert told["error"]["code"] == "INIT_FAILED"
            assert told["error"]["previous_status"] == "DRAFT"
            assert "repository exists" in told["error"]["message"]
            fired = [one.get("signal") for one in await stage.audit(name)]
            assert "INIT_FAILED" in fired

            repository(tmp_path / "there")
            await stage.call("retry", PAT, ticket_id=name)
            await stage.call("start", PAT, ticket_id=name)
            assert await run(stage, tmp_path / "data") == "init done"

    asyncio.run(story())


def test_a_repository_that_uses_the_folder_of_our_documents_is_refused(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / ".ticket").mkdir()
    (there / ".ticket" / "prd.yaml").write_text("theirs")
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "--message", "Theirs")

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, there)
            assert "keeps something in .ticket" in await run(stage, tmp_path / "data")
            assert (await status_of(stage, name))["error"]["code"] == "INIT_FAILED"

    asyncio.run(story())


def test_a_lost_answer_is_asked_for_again_and_the_tree_is_the_same(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, there)
            way = Way(stage)
            told = {"workflow": "ticket", "role": "workspace", "request_id": "one"}
            first = work_of(await way.call("get_next_work", told), 1, stage.clock)
            again = work_of(await way.call("get_next_work", told), 1, stage.clock)
            assert first is not None
            assert again is not None
            assert first.lease == again.lease
            assert await done(way, tmp_path / "data", again) == "init done"
            assert (await status_of(stage, name))["phase"]["name"] == "SCANNING_RELEVANT_FILES"

    asyncio.run(story())


def test_only_what_is_done_in_a_tree_is_for_hands() -> None:
    async def asking(_: Work, __: object) -> str:
        return "asked"

    async def hands(_: Work, __: object) -> str:
        return "done"

    def work(task: str) -> Work:
        return Work("ticket-1", "ticket-1.1", "assignment", "x", 1.0, {"task": {"task": task}})

    async def hand_in(*_: object) -> Envelope:
        raise AssertionError

    async def story() -> None:
        run = by_task(asking, hands)
        for task in TASKS:
            assert await run(work(task), hand_in) == "done"
        for task in ("scan", "draft", "vote", "refine", "batch", "audit", "plan", ""):
            assert await run(work(task), hand_in) == "asked"

    asyncio.run(story())
