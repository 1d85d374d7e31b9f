"""What an answer comes to: drafts counted, votes added up, documents written by us."""

import json
from typing import Any

from interlock.commands.ticket.taken import TAKES
from interlock.ticketing.tasks import TASKS
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import NAMES, claim, questions, said, started, status_of, vote, work


def test_every_task_of_planning_that_a_member_answers_is_read() -> None:
    planned = {task.name for task in TASKS if task.is_asked and task.domain}

    assert set(TAKES) >= planned


@staged
async def test_points_are_added_up_by_who_wrote_the_draft_not_by_its_number(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    await work(stage, name, members=NAMES)
    totals: dict[str, int] = dict.fromkeys(NAMES, 0)
    for who in NAMES:
        part = await claim(stage, name, who)
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await stage.call("submit_work", ADA, **told, answer=vote(part["task"], (20, 5, 1)))
        kept: Any = await stage.engine.store.artifacts("home", name)
        last = next(row for row in kept if f"{name}.{row.part}" == part["part_id"])
        content: Any = await stage.call("get_content", PAT, id=name, digest=last.digest)
        assert '"order"' in content.data["content"]
        for owner, points in _points(content.data["content"]).items():
            totals[owner] += points

    council = (await status_of(stage, name))["council"]

    assert council["totals"] == totals
    assert sum(totals.values()) == 3 * 5 * 26
    assert council["winner"] == max(NAMES, key=lambda who: (totals[who], -NAMES.index(who)))


def _points(text: str) -> dict[str, int]:
    return dict(json.loads(text)["points"])


@staged
async def test_an_answer_that_does_not_fit_is_told_by_place_counted_and_kept(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    part = await claim(stage, name, "ann")
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    wrong = {"questions": [{"id": "Q01", "phase": "roof"}]}

    no = await stage.refused("submit_work", ADA, **told, answer=wrong)

    assert (no.code, no.details["retries_left"]) == ("ANSWER_INVALID", 1)
    errors: Any = no.details["errors"]
    assert {one["path"] for one in errors} >= {"$.questions[0].phase"}
    await stage.call("submit_work", ADA, **told, answer={"questions": questions(3)})
    names = {row.name for row in await stage.engine.store.artifacts("home", name)}
    assert {"rejected", "answer"} <= names
    assert (await status_of(stage, name))["council"]["drafted"] == ["ann"]


@staged
async def test_what_a_scan_found_becomes_a_document_of_the_ticket(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    done = await stage.call("submit_work", ADA, **told, answer=said(part["task"]))

    digest = (await status_of(stage, name))["documents"]["relevant_files"]
    text = await stage.call("get_content", PAT, id=name, digest=digest)

    assert done.data["ticket_status"] == "COUNCIL_DELIBERATING"
    assert "shop.py" in str(text.data["content"])
