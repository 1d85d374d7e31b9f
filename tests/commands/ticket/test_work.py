"""Handing in an answer: refused ones are counted and told again, late ones kept and not applied."""

from typing import Any

import pytest

from interlock.commands.ticket.work import failure_of
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import claim, phase_of, said, started, work


@pytest.mark.parametrize(
    ("reason", "failure"),
    [
        ("timed_out: slow", {"failure": "timed_out"}),
        ("invalid_output", {"failure": "invalid_output"}),
        ("no model", {}),
        ("timed_outside", {}),
    ],
)
def test_a_reason_may_begin_with_the_class_of_a_failure(reason: str, failure: object) -> None:
    assert failure_of(reason) == failure


@staged
async def test_a_refused_answer_is_told_the_same_for_the_same_request(stage: Stage) -> None:
    name = await started(stage, limits={"structured_retries": 1})
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "answer": {}}

    first = await stage.refused("submit_work", ADA, **told, request_id="r")
    again = await stage.refused("submit_work", ADA, **told, request_id="r")
    assert (first.details, first.message) == (again.details, again.message)
    assert first.details["retries_left"] == 1
    last = await stage.refused("submit_work", ADA, **told, request_id="s")

    assert last.details["retries_left"] == 0
    assert await phase_of(stage, name) == "BLOCKED_ERROR"


@staged
async def test_an_answer_to_a_round_that_is_over_is_kept_and_changes_nothing(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told: dict[str, Any] = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("cancel", PAT, id=name, reason="enough")
    before = await stage.mark(name)

    no = await stage.refused("submit_work", ADA, **told, answer=said(part["task"]))

    assert no.http == 409
    assert (await stage.mark(name))[:2] == before[:2]
    marks = [row.mark for row in await stage.engine.store.artifacts("home", name)]
    assert "late" in marks


@staged
async def test_an_answer_to_an_assignment_that_is_gone_is_kept_as_late(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told: dict[str, Any] = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("release_work", ADA, **told)
    await work(stage, name)
    assert await phase_of(stage, name) == "COUNCIL_DELIBERATING"

    no = await stage.refused("submit_work", ADA, **told, answer=said(part["task"]))

    assert (no.code, no.http) == ("STALE_LEASE", 409)
    marks = [row.mark for row in await stage.engine.store.artifacts("home", name)]
    assert "late" in marks, "it is kept, though nobody asks for it any more"
    never = await stage.refused("submit_work", ADA, part_id=f"{name}.999", lease="x.1", answer={})
    assert never.http in (404, 409)
