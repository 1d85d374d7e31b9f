"""An assignment with its ticket: whose it is, which audit it is, in which order drafts are shown."""

import pytest

from interlock.commands.row import Call
from interlock.commands.ticket.desk import desk_of
from interlock.service.errors import NotFound
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring, take
from tests.tickets import NAMES, claim, started, work


@staged
async def test_a_member_s_work_knows_its_place_and_its_member(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    part = await claim(stage, name, "cleo")

    desk = await desk_of(Call(stage.engine, ADA), part["part_id"])

    assert (desk.phase, desk.place, desk.task.task) == ("COUNCIL_DELIBERATING", 2, "draft")
    assert desk.member == {"name": "cleo", "agent": "scripted", "model": "cleo-1"}
    assert desk.drafted == ()


@staged
async def test_every_voter_sees_all_drafts_in_an_order_that_its_seed_gives(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    await work(stage, name, members=NAMES)
    desks = [
        await desk_of(Call(stage.engine, ADA), (await claim(stage, name, who))["part_id"])
        for who in NAMES
    ]

    assert [sorted(desk.order) for desk in desks] == [[0, 1, 2]] * 3
    assert len({desk.seed for desk in desks}) == 3
    assert desks[0].seed.endswith("/COUNCIL_VOTING_INTERVIEW/0")


@staged
async def test_work_of_the_worker_s_own_hands_has_no_member(stage: Stage) -> None:
    given = await bring(stage, PAT, ADA, "start", ["a"])
    await stage.call("start", PAT, ticket_id=given["ticket_id"])
    part = await take(stage, ADA, ["a"])

    desk = await desk_of(Call(stage.engine, ADA), part["part_id"])

    assert (desk.member, desk.task.task, desk.audits_max) == ({}, "init", 0)


@staged
async def test_what_is_no_assignment_has_no_desk(stage: Stage) -> None:
    plan = await stage.plan(1)
    with pytest.raises(NotFound):
        await desk_of(Call(stage.engine, ADA), f"{plan}.1")
