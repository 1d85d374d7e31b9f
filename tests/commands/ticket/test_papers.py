"""A ticket with its papers: what was locked, and documents read when they are asked for."""

import pytest

from interlock.commands.row import Call
from interlock.commands.ticket.papers import papers_of
from interlock.service.errors import NotFound
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring
from tests.tickets import started, ticket


@staged
async def test_before_it_is_started_nothing_is_locked_and_nothing_written(stage: Stage) -> None:
    papers = await papers_of(Call(stage.engine, ADA), await ticket(stage))

    assert (papers.config, papers.limits, papers.questions_max) == ({}, {}, 50)
    assert await papers.text("prd") == ""
    with pytest.raises(NotFound):
        await papers.document("prd")
    with pytest.raises(NotFound):
        await papers.session()


@staged
async def test_limits_of_the_project_are_those_of_the_ticket(stage: Stage) -> None:
    name = await started(stage, limits={"questions_max": 10, "follow_up_percent": 50})
    papers = await papers_of(Call(stage.engine, ADA), name)

    assert (papers.questions_max, papers.follow_up_budget) == (10, 5)
    assert papers.name_of(2) == "cleo"


@staged
async def test_documents_are_read_as_they_were_kept(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "approve", [])
    papers = await papers_of(Call(stage.engine, ADA), given["ticket_id"])

    assert await papers.text("interview") == given["content"]
    session = await papers.session()
    assert session.is_complete
    # The canonical one is ours: made from the talk it is the same, letter by letter.
    assert papers.interview_text(session) == given["content"]
    assert papers.text_is_there("interview")
