"""The demo's plan, worked over MCP, shows what it promises; what goes wrong is not passed over."""

import asyncio
from pathlib import Path

import pytest

from interlock.app import LOCAL, open_app
from interlock.cli.demo import plan
from interlock.cli.demo.serving import WentWrong
from interlock.config import load
from interlock.service.read import read_unit
from interlock.service.record import read_body

Captured = pytest.CaptureFixture[str]
STORY = (
    "laptop   takes step 1: Search",
    "the plan adds a step: Search wider",
    "the plan is stalled",
    "desktop  takes the step over",
    "STALE_LEASE: The lease is not yours any more",
    "desktop  fails it: the list is gone",
    "KILLED (SIGKILL)",
    "done once, the same answer twice",
    "refused, HUMAN_REQUIRED",
    "ann      decides: modify, add the running costs",
    "ann      decides: approve",
    "plan_complete",
    "stores the deliverable",
    "Take the embedded one.",
)
EVENTS = {
    "begin", "claim", "submit", "lapse", "take_over", "fail_step", "request_review", "modify",
    "approve",
}  # fmt: skip


def test_the_plan_is_worked_to_its_deliverable(tmp_path: Path, capsys: Captured) -> None:
    unit = asyncio.run(plan.play(tmp_path))
    told = capsys.readouterr().out
    places = [told.find(sentence) for sentence in STORY]

    async def standing() -> tuple[str, list[str], set[object]]:
        async with open_app(load({"data": str(tmp_path)}, {})) as app:
            whole = (await read_unit(app.engine, LOCAL, unit)).whole
            rows = await app.engine.store.audit(LOCAL, unit, 0, 1_000)
        statuses = [row.part.status for row in whole.parts]
        return whole.row.unit.status, statuses, {read_body(row.link.body)["event"] for row in rows}

    status, statuses, events = asyncio.run(standing())
    assert -1 not in places, told
    assert places == sorted(places)
    assert status == "completed"
    assert sorted(statuses) == ["completed"] * 6 + ["failed"]
    assert events >= EVENTS


def test_a_story_that_goes_another_way_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = {"after_step_order": 1, "expression": "found > 99", "action": "continue"}
    monkeypatch.setattr(plan, "NEW", {**plan.NEW, "branching_conditions": [never]})

    with pytest.raises(ExceptionGroup) as wrong:
        asyncio.run(plan.play(tmp_path))

    assert wrong.group_contains(WentWrong, match="the branch was not taken")
