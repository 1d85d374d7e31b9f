"""What a model is shown: drafts without names for voters, with their own first for the winner."""

import json

from interlock.commands.row import Call
from interlock.commands.ticket.desk import desk_of
from interlock.commands.ticket.shown import BLOCKS, alternatives, context_of, judged_of
from interlock.ticketing.tasks import TASKS
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import NAMES, claim, questions, started, work


def test_every_block_that_planning_shows_has_something_for_it() -> None:
    asked = {kind for task in TASKS if task.is_asked and task.domain for kind in task.context}

    assert set(BLOCKS) >= asked


def test_of_a_prd_the_answers_filled_before_are_not_judged() -> None:
    draft = {"full_answers": [1], "prd": {"epics": []}}

    assert judged_of("prd", draft) == {"epics": []}
    assert judged_of("beads", draft) == draft


@staged
async def test_the_winner_sees_its_own_draft_first_and_the_others_by_number(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    for number, who in enumerate(NAMES, 1):
        part = await claim(stage, name, who)
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await stage.call("submit_work", ADA, **told, answer={"questions": questions(number)})
    await work(stage, name, members=NAMES)
    desk = await desk_of(Call(stage.engine, ADA), (await claim(stage, name))["part_id"])

    context = await context_of(desk)

    assert alternatives(desk) == {"Alternative 1": 1, "Alternative 2": 2}
    places = [context.text.index(word) for word in ("Alternative 1", "Alternative 2")]
    assert places == sorted(places)
    assert not [who for who in NAMES if who in context.text.split()]


@staged
async def test_a_note_of_a_retry_is_shown_to_whoever_tries_again(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("fail_work", ADA, **told, reason="lost")
    await stage.call("retry", PAT, ticket_id=name, note="Look into the cellar.")

    again = await claim(stage, name)

    assert "Look into the cellar." in json.dumps(again["task"]["prompt"])
