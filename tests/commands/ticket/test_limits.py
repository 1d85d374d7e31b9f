"""Setup plans anew, and larger budgets."""

from typing import Any

import pytest

from interlock.service.errors import InvalidInput
from tests.building import SETUP, brought, take, to
from tests.reports import plan
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import phase_of, status_of, ticket


async def with_plan(stage: Stage) -> str:
    """Return a ticket whose setup plan waits for approval."""
    name = await brought(stage, SETUP)
    part = await take(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("submit_work", **told, answer=plan({}))
    return name


@staged
async def test_comments_on_a_plan_ride_along_with_all_that_were_made(stage: Stage) -> None:
    name = await with_plan(stage)
    for comment in ("No network.", "And no compiler."):
        await stage.call("regenerate_setup_plan", PAT, ticket_id=name, comment=comment)
        part = await take(stage, name)
        assert comment in part["task"]["prompt"]["text"]
        assert "No network." in part["task"]["prompt"]["text"]
        no = await stage.refused("regenerate_setup_plan", PAT, ticket_id=name)
        assert no.code == "ALREADY_OFFERED"
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await stage.call("submit_work", **told, answer=plan({}))
    assert await phase_of(stage, name) == SETUP


@staged
async def test_a_plan_is_edited_at_its_gate_and_approved_as_it_is(stage: Stage) -> None:
    name = await with_plan(stage)
    digest = (await status_of(stage, name))["documents"]["execution_setup_plan"]
    text = await stage.call("get_content", PAT, id=name, digest=digest, limit=50_000)
    edited = str(text.data["content"]).replace("make install", "make all")
    saved = await stage.call(
        "save_artifact", PAT, ticket_id=name, content=edited, base_digest=digest
    )
    gate: Any = saved.data["gate"]
    assert gate["content_digest"] != digest
    no = await stage.refused("approve", PAT, ticket_id=name, content_digest=digest)
    assert no.code == "STALE_APPROVAL"
    await to(stage, name, "PREPARING_EXECUTION_ENV")

    made = (await take(stage, name))["task"]["plan"]
    assert made["steps"][0]["commands"] == ["make all"]


@staged
async def test_a_setup_that_failed_is_reopened_at_its_gate(stage: Stage) -> None:
    name = await brought(stage, "PREPARING_EXECUTION_ENV")
    part = await take(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("fail_work", **told, reason="no compiler")
    digest = (await status_of(stage, name))["documents"]["execution_setup_plan"]
    no = await stage.refused(
        "reopen", PAT, ticket_id=name, artifact="setup", reason="r", content="{}", base_digest="d"
    )
    assert no.code == "INVALID_INPUT"
    answer = await stage.call(
        "reopen", PAT, ticket_id=name, artifact="setup", reason="It lacks one."
    )

    assert answer.status == SETUP
    gate: Any = answer.data["gate"]
    assert gate["content_digest"] == digest


@staged
async def test_a_budget_is_raised_by_people_and_never_lowered(stage: Stage) -> None:
    name = await ticket(stage, limits={"budget": {"tokens": 10}})
    await stage.call("start", PAT, ticket_id=name)
    answer = await stage.call("raise_budget", PAT, ticket_id=name, tokens=20, attempts=3)
    assert answer.data["budget"] == (await status_of(stage, name))["budget"]
    budget: Any = answer.data["budget"]
    assert {word: budget[word] for word in ("tokens", "attempts")} == {
        "tokens": 20, "attempts": 3,
    }  # fmt: skip
    for told in ({}, {"tokens": 19}):
        with pytest.raises(InvalidInput):
            await stage.call("raise_budget", PAT, ticket_id=name, **told)
    no = await stage.refused("raise_budget", ADA, ticket_id=name, tokens=99)
    assert no.code == "NOT_ALLOWED"
