"""What work costs is counted, whoever says it; a limit that is reached stops the ticket."""

import pytest

from interlock.commands.row import Call
from interlock.commands.ticket.spending import stop_if_spent
from interlock.service.order import Asked, Filled, Order
from interlock.service.run import advance
from tests import reports
from tests.building import WIM, brought, report, take
from tests.stage import HOME, PAT, Stage, staged
from tests.tickets import phase_of, started, status_of, work

USAGE = {"tokens_in": 400, "tokens_out": 100, "cost_micros": 7, "seconds": 2.5}


async def spend(stage: Stage, name: str, attempts: int) -> None:
    """Write down what a ticket has spent, and nothing else."""
    also = (Filled(name, {"spent": {"attempts": attempts}}),)
    sent = Asked("raise_budget", also=also)
    await advance(stage.engine, Order(HOME, PAT.actor(), name, (sent,), lambda _: {}))


@staged
async def test_what_every_answer_and_failure_costs_adds_up(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    before = (await status_of(stage, name))["spent"]
    part = await take(stage, name)
    await report(stage, part, reports.code(part["task"], runs=[]), usage=USAGE)
    part = await take(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("fail_work", WIM, **told, reason="timed_out: no answer", usage=USAGE)

    after = (await status_of(stage, name))["spent"]
    assert {word: after[word] - before[word] for word in after} == {
        "tokens": 1_000, "cost_micros": 14, "seconds": 5, "attempts": 2,
    }  # fmt: skip


@staged
async def test_a_limit_that_is_reached_blocks_and_a_raised_one_lets_go_on(stage: Stage) -> None:
    name = await brought(stage, "CODING", limits={"budget": {"tokens": 500}})
    part = await take(stage, name)
    await report(stage, part, reports.code(part["task"]), usage=USAGE)

    now = await status_of(stage, name)
    assert now["beads"][0]["status"] == "done"
    assert now["error"]["code"] == "BUDGET_REACHED"
    assert "tokens 500 of 500" in now["error"]["message"]
    await stage.call("raise_budget", PAT, ticket_id=name, tokens=501)
    await stage.call("retry", PAT, ticket_id=name)
    await report(stage, await take(stage, name), {"restored": True})
    assert await phase_of(stage, name) == "CODING"
    assert (await take(stage, name))["task"]["bead"]["id"] == "count-apples"


@staged
async def test_a_ticket_that_was_not_stopped_in_time_is_stopped_when_it_is_handed_out(
    stage: Stage,
) -> None:
    name = await brought(stage, "CODING", limits={"budget": {"attempts": 100}})
    # As if the server had died between the commit and the stop: the limit is reached by then.
    await spend(stage, name, 100)

    found = await stage.call("get_next_work", WIM, workflow="ticket", site=reports.SITE)

    assert found.status == "blocked"
    assert (await status_of(stage, name))["error"]["code"] == "BUDGET_REACHED"
    again = await stage.call("get_next_work", WIM, workflow="ticket", site=reports.SITE)
    assert again.status == "no_work"


@staged
async def test_planning_counts_too_and_nothing_stops_without_a_limit(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    call = Call(stage.engine, PAT)

    assert "spent" not in await status_of(stage, name)
    assert await stop_if_spent(call, name) is False


@pytest.mark.parametrize("phase", ["WAITING_PR_REVIEW"])
@staged
async def test_what_is_delivered_is_not_stopped(stage: Stage, phase: str) -> None:
    name = await brought(stage, phase, limits={"budget": {"attempts": 100}})
    await spend(stage, name, 100)

    assert await stop_if_spent(Call(stage.engine, PAT), name) is False
