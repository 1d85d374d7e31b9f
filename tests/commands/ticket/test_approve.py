"""Approvals: what was shown and nothing else, edits of the newest version, going back."""

from typing import Any

from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring
from tests.tickets import phase_of, status_of


@staged
async def test_only_what_is_shown_can_be_approved(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "approve", [])
    ticket = given["ticket_id"]
    for digest in ("0" * 64, given["content_digest"].upper()):
        no = await stage.refused("approve", PAT, ticket_id=ticket, content_digest=digest)
        assert no.code == "STALE_APPROVAL"
    told = {"ticket_id": ticket, "content_digest": given["content_digest"]}
    assert (await stage.refused("approve", ADA, **told)).code == "HUMAN_REQUIRED"

    done = await stage.call("approve", PAT, **told)

    assert done.status == "DRAFTING_PRD"


@staged
async def test_an_edit_is_the_next_version_and_what_was_shown_before_is_stale(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "save_artifact", [])
    ticket = given["ticket_id"]
    told = {"ticket_id": ticket, "base_digest": given["base_digest"]}
    content = given["content"].replace("Yes.", "Yes, please.")
    assert content != given["content"]

    saved = await stage.call("save_artifact", PAT, **told, content=content)

    gate: Any = saved.data["gate"]
    assert gate["content_digest"] != given["content_digest"]
    assert saved.status == "WAITING_INTERVIEW_APPROVAL"
    late = await stage.refused("save_artifact", PAT, **told, content=given["content"])
    assert (late.code, late.http) == ("STALE_EDIT", 409)
    old = {"ticket_id": ticket, "content_digest": given["content_digest"]}
    assert (await stage.refused("approve", PAT, **old)).code == "STALE_APPROVAL"
    await stage.call("approve", PAT, ticket_id=ticket, content_digest=gate["content_digest"])


@staged
async def test_an_edit_that_does_not_fit_is_told_place_by_place(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "save_artifact", [])
    ticket = given["ticket_id"]
    before = await stage.mark(ticket)
    told = {"ticket_id": ticket, "base_digest": given["base_digest"]}

    wrong = await stage.refused("save_artifact", PAT, **told, content="questions: 7\n")
    broken = await stage.refused("save_artifact", PAT, **told, content="a: [1,\n")

    assert wrong.code == "ANSWER_INVALID"
    assert wrong.details["errors"]
    assert broken.http == 422
    assert await stage.mark(ticket) == before


@staged
async def test_what_was_approved_is_reopened_with_an_edit_and_all_after_it_begins_anew(
    stage: Stage,
) -> None:
    given = await bring(stage, PAT, ADA, "reopen", [])
    ticket = given["ticket_id"]
    told = {"ticket_id": ticket, "artifact": "interview", "reason": "It was wrong."}
    assert (await stage.refused("reopen", PAT, **told)).code == "INVALID_INPUT"
    early = {**told, "artifact": "prd", "content": "a: 1", "base_digest": "x"}
    assert (await stage.refused("reopen", PAT, **early)).code == "CANNOT_REOPEN"
    beads = {**told, "artifact": "beads", "content": "a: 1"}
    assert (await stage.refused("reopen", PAT, **beads)).code == "INVALID_INPUT"
    before = (await status_of(stage, ticket))["work"]

    await stage.call(
        "reopen", PAT, **told, content=given["content"], base_digest=given["base_digest"]
    )

    assert await phase_of(stage, ticket) == "DRAFTING_PRD"
    after = (await status_of(stage, ticket))["work"]
    assert {one["part_id"] for one in before}.isdisjoint(one["part_id"] for one in after)
