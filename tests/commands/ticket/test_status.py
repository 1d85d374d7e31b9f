"""How a ticket stands: the row of its phase, who works, the council, what waits; lists of them."""

from typing import Any

from interlock.commands.ticket.status import OUTCOMES, phase_told
from interlock.kernel.seen import Unit
from interlock.store.rows import UnitRow
from interlock.workflows.ticket.assignment import ASSIGNMENT
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring, take
from tests.tickets import NAMES, answer, claim, said, started, status_of, ticket, work


def test_every_standing_of_an_assignment_has_a_word_or_says_why_it_failed() -> None:
    assert set(ASSIGNMENT.names()) - set(OUTCOMES) == {"failed"}


@staged
async def test_who_works_is_told_with_until_when_and_what_came_of_it(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    part = await claim(stage, name, "ann")
    await stage.call(
        "fail_work",
        ADA,
        part_id=part["part_id"],
        lease=part["lease"]["token"],
        reason="timed_out: slow",
    )
    held = await claim(stage, name, "ben")

    told = await status_of(stage, name)

    by = {one["member"]: one for one in told["work"]}
    assert {who: one["outcome"] for who, one in by.items()} == {
        "ann": "timed_out", "ben": "working", "cleo": "waiting",
    }  # fmt: skip
    assert (by["ben"]["holder"], by["ben"]["part_id"]) == ("ada", held["part_id"])
    assert by["ben"]["until"] > 0
    assert told["phase"]["label"] == "Council Drafting Questions"
    assert told["council"] == {"members": list(NAMES), "quorum": 2, "drafted": []}


@staged
async def test_while_they_vote_nobody_is_told_the_points_so_far(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    await work(stage, name, members=NAMES)
    part = await claim(stage, name, "ann")
    await answer(stage, part, said(part["task"]))

    during = (await status_of(stage, name))["council"]
    await work(stage, name, members=NAMES[1:])
    after = (await status_of(stage, name))["council"]

    assert {"totals", "winner"}.isdisjoint(during)
    assert set(after["totals"]) == set(NAMES)
    assert after["winner"] == "ann"


def test_the_label_tells_how_many_beads_are_done() -> None:
    tally = {"bead": {"done": 1, "in_progress": 1, "pending": 1}}
    row = UnitRow("ticket-1", "ticket", "d", Unit("CODING", {}), tally, 1, "h", 0, "", 1, 1)

    assert phase_told(row)["label"] == "Implementing (Bead 1/3)"


def test_a_phase_that_is_none_is_told_as_far_as_it_can_be() -> None:
    row = UnitRow("ticket-1", "ticket", "d", Unit("DREAMING", {}), {}, 1, "h", 0, "", 1, 1)

    told = phase_told(row)

    assert (told["name"], told["editable"], told["group"]) == ("DREAMING", False, "")


@staged
async def test_a_blocked_ticket_tells_its_error_and_where_it_was(stage: Stage) -> None:
    name = (await bring(stage, PAT, ADA, "retry", []))["ticket_id"]

    told = await status_of(stage, name)

    assert (told["error"]["occurrence"], told["error"]["previous_status"]) == (1, "DRAFT")
    assert told["error"]["code"] in told["phase"]["label"]


@staged
async def test_lists_choose_by_phase_tag_and_project(stage: Stage) -> None:
    first, second = await ticket(stage), await ticket(stage)
    await stage.call("start", PAT, ticket_id=second)
    part = await take(stage, ADA, [])
    await answer(stage, part, {})
    project = (await status_of(stage, first))["project_id"]

    async def names(**filters: object) -> set[str]:
        rows: Any = (await stage.call("list_tickets", ADA, **filters)).data["tickets"]
        return {row["ticket_id"] for row in rows}

    assert await names() == {first, second}
    assert await names(status="SCANNING_RELEVANT_FILES") == {second}
    assert await names(project_id=project) == {first}
    assert await names(tag="red") == set()
    await stage.call("cancel", PAT, id=first, reason="enough")
    assert await names() == {second}
    assert await names(include_ended=True) == {first, second}
    assert (await stage.refused("list_tickets", ADA, project_id="project-000000000000")).http == 404
