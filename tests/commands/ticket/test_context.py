"""What a session needs to go on with a ticket: its words, its documents, its past."""

from typing import Any

from interlock.commands.ticket import context
from tests.building import brought
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring


@staged
async def test_documents_are_told_as_texts_and_the_past_as_attempts(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "reopen", [])

    told = await stage.call("ticket_context", ADA, ticket_id=given["ticket_id"])

    texts: Any = told.data["texts"]
    attempts: Any = told.data["attempts"]
    assert set(texts) == {"interview", "relevant_files"}
    assert texts["interview"] == given["content"]
    assert [one["phase"] for one in attempts[-2:]] == ["WAITING_INTERVIEW_APPROVAL", "DRAFTING_PRD"]
    assert told.data["description"] == ""
    assert told.warnings == ()


@staged
async def test_what_is_too_long_is_named_and_left_out(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "reopen", [])
    whole, context.BUDGET = context.BUDGET, len(given["content"])  # type: ignore[misc]
    try:
        told = await stage.call("ticket_context", ADA, ticket_id=given["ticket_id"])
    finally:
        context.BUDGET = whole  # type: ignore[misc]

    texts: Any = told.data["texts"]
    assert set(texts) == {"interview"}
    assert told.warnings == ("relevant_files is too long to be told here; read it by its digest.",)


@staged
async def test_what_was_reported_is_named_as_evidence(stage: Stage) -> None:
    name = await brought(stage, "RUNNING_FINAL_TEST")
    data = (await stage.call("ticket_context", PAT, ticket_id=name)).data

    assert set(data["evidence"]) == {  # type: ignore[call-overload]
        "preflight_report", "execution_setup_report", "execution_setup_profile",
    }  # fmt: skip
    assert "make install" in str(data["texts"])
