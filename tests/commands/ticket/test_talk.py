"""The interview: answers to the batch that waits, skips, corrections, its end."""

from typing import Any

import pytest

from interlock.commands.ticket.talk import batch_told, question_told
from interlock.ticketing.interview import Option, Question
from interlock.ticketing.session import Batch, Session
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring
from tests.tickets import phase_of, status_of

WHICH = Question(
    "Q01", "foundation", "Which?", answer_type="single_choice", options=(Option("a", "A"),)
)


def test_a_batch_is_told_with_what_can_be_chosen() -> None:
    session = Session(9, 1, (WHICH,), batch=Batch(2, ("Q01",), "so", is_final=False))

    told = batch_told(session)

    question: Any = told["questions"]
    assert (told["number"], told["commentary"], told["open"], told["answered"]) == (2, "so", 1, 0)
    assert question[0]["options"] == [{"id": "a", "label": "A"}]
    assert "answer" not in question_told(WHICH, session)
    assert batch_told(Session(9, 1, (WHICH,))) == {}


@staged
async def test_of_two_answers_to_one_batch_the_second_is_refused(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "answer_batch", [])
    told = {name: given[name] for name in ("ticket_id", "batch", "answers")}
    await stage.call("answer_batch", PAT, **told)

    no = await stage.refused("answer_batch", PAT, **told)

    assert (no.code, no.http) in {("NO_BATCH", 409), ("STALE_BATCH", 409)}


@staged
async def test_answers_that_do_not_fit_change_nothing_and_are_told_by_place(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "answer_batch", [])
    ticket = given["ticket_id"]
    before = await stage.mark(ticket)
    answers = [{"question_id": given["question_id"], "selected": ["x"]}, {"question_id": "Q77"}]

    no = await stage.refused(
        "answer_batch", PAT, ticket_id=ticket, batch=given["batch"], answers=answers
    )

    assert no.code == "ANSWER_INVALID"
    errors: Any = no.details["errors"]
    assert [one["path"] for one in errors] == [
        f"$.answers.{given['question_id']}.selected_option_ids[0]", "$.answers.Q77",
    ]  # fmt: skip
    assert await stage.mark(ticket) == before


@staged
async def test_what_was_skipped_can_still_be_answered_and_an_answer_corrected(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "edit_answer", [])
    ticket = given["ticket_id"]
    last = (await status_of(stage, ticket))["batch"]["questions"][-1]["id"]
    await stage.call("skip_question", PAT, ticket_id=ticket, question_id=last, reason="who knows")
    asked = (await status_of(stage, ticket))["batch"]["questions"][-1]
    assert asked["answer"]["skipped"] is True
    await stage.call("edit_answer", PAT, ticket_id=ticket, question_id="Q01", text="Otherwise.")
    no = await stage.refused("edit_answer", PAT, ticket_id=ticket, question_id=last, text="x")
    assert no.code == "ANSWER_INVALID"

    await stage.call("skip_all", PAT, ticket_id=ticket)

    assert await phase_of(stage, ticket) == "WAITING_INTERVIEW_APPROVAL"
    digest = (await status_of(stage, ticket))["documents"]["interview"]
    text = await stage.call("get_content", PAT, id=ticket, digest=digest)
    assert "Otherwise." in str(text.data["content"])


@pytest.mark.parametrize("command", ["answer_batch", "skip_question", "skip_all", "edit_answer"])
@staged
async def test_only_a_person_answers_where_the_policy_says_so(stage: Stage, command: str) -> None:
    given = await bring(stage, PAT, ADA, command, [])
    names = {
        "answer_batch": ("batch",), "skip_question": ("question_id",), "skip_all": (),
        "edit_answer": ("question_id",),
    }[command]  # fmt: skip
    told = {name: given[name] for name in ("ticket_id", *names)}

    assert (await stage.refused(command, ADA, **told)).code == "HUMAN_REQUIRED"
