"""The end of a ticket: merged here or elsewhere, closed, or finished by hand; once, whoever comes."""

import pytest

from interlock.ticketing.execution.judge import HeadMoved
from tests import reports
from tests.building import REVIEW, WIM, brought, report, take
from tests.commands.ticket.test_execute import filed
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import phase_of, status_of

SHA = "f" * 40


async def merged(name: str, head: str) -> dict[str, object]:
    return {"ticket_id": name, "merge_commit": SHA, "base_head": SHA, "head": head}


@staged
async def test_a_merge_elsewhere_counts_for_what_was_reviewed_and_once(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    candidate = (await status_of(stage, name))["tree"]["candidate"]
    with pytest.raises(HeadMoved):
        await stage.call("report_merge", WIM, **await merged(name, "e" * 40))
    no = await stage.refused("report_merge", ADA, **await merged(name, candidate))
    assert no.code == "NOT_ALLOWED"
    await stage.call("report_merge", WIM, **await merged(name, candidate))

    assert await phase_of(stage, name) == "CLEANING_ENV"
    assert (await filed(stage, name, "merge_report"))["by"] == "outside"
    assert (await status_of(stage, name))["pull_request"]["state"] == "merged"
    no = await stage.refused("report_merge", WIM, **await merged(name, candidate))
    assert no.code == "INVALID_TRANSITION"


@staged
async def test_a_merge_elsewhere_before_there_is_a_request_means_nothing(stage: Stage) -> None:
    name = await brought(stage, "CREATING_PULL_REQUEST")
    candidate = (await status_of(stage, name))["tree"]["candidate"]

    no = await stage.refused("report_merge", WIM, **await merged(name, candidate))

    assert no.code == "INVALID_TRANSITION"
    assert await phase_of(stage, name) == "CREATING_PULL_REQUEST"


@staged
async def test_a_merge_elsewhere_ends_the_one_under_way_whose_report_is_late(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    await stage.call("merge", PAT, ticket_id=name)
    part = await take(stage, name)
    candidate = (await status_of(stage, name))["tree"]["candidate"]
    await stage.call("report_merge", WIM, **await merged(name, candidate))
    named = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    no = await stage.refused("submit_work", WIM, **named, answer=reports.merge(part["task"]))

    assert no.code == "STALE_LEASE"
    assert await phase_of(stage, name) == "CLEANING_ENV"


@staged
async def test_who_cancels_first_is_not_overtaken_by_a_poll(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    candidate = (await status_of(stage, name))["tree"]["candidate"]
    await stage.call("cancel", PAT, id=name, reason="enough")
    no = await stage.refused("report_merge", WIM, **await merged(name, candidate))

    assert no.code == "TICKET_TERMINAL"
    assert await phase_of(stage, name) == "CANCELED"


@staged
async def test_a_request_is_closed_unmerged_and_cleaned_up_after(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    await stage.call("close_unmerged", PAT, ticket_id=name, reason="Not now.")

    assert await phase_of(stage, name) == "CLEANING_ENV"
    assert (await filed(stage, name, "merge_report"))["disposition"] == "closed_unmerged"
    await report(stage, await take(stage, name), reports.clean({}))
    assert await phase_of(stage, name) == "COMPLETED"


@staged
async def test_a_clean_up_that_hangs_is_finished_by_hand(stage: Stage) -> None:
    name = await brought(stage, "CLEANING_ENV")
    no = await stage.refused("finish", ADA, ticket_id=name)
    assert no.code == "NOT_ALLOWED"
    await stage.call("finish", PAT, ticket_id=name, reason="The disk is gone.")

    assert await phase_of(stage, name) == "COMPLETED"
    kept = await filed(stage, name, "cleanup_report")
    assert (kept["status"], kept["errors"]) == ("warning", ["The disk is gone."])
