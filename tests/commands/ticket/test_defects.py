"""What went wrong elsewhere while tickets were built, and cannot go wrong here: a test each.

Other ones have a home where they belong: a marker that names another bead (``test_execute``), a
merge that is believed before it is verified and a poll that overtakes a cancel (``test_deliver``).
"""

import pytest

from interlock.errors import InterlockError
from interlock.ticketing.execution.judge import HeadMoved
from tests import reports
from tests.building import ALONE, WIM, brought, report, take, to
from tests.reports import BASE, SITE, commit
from tests.stage import PAT, Stage, staged
from tests.tickets import Told, expansion, phase_of, said, status_of, ticket


def apart(task: Told) -> Told:
    """Expand a blueprint into beads that neither need nor touch each other."""
    told = said(task)
    if task["domain"] != "beads":
        return told
    rows = expansion("sell-apples", "count-apples")
    for number, row in enumerate(rows):
        row |= {"blocked_by": [], "target_files": [f"part{number}.py"]}
    return told | {"expansion": rows}


async def at_once(stage: Stage) -> str:
    """Return a ticket whose two beads may be built at once."""
    name = await ticket(stage, ALONE, limits={"parallel_beads": 2})
    await stage.call("start", PAT, ticket_id=name)
    await to(stage, name, "CODING", {"audit": apart})
    return name


@staged
async def test_every_claim_ends_by_itself(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)

    assert part["lease"]["lasts_ms"] == 10 * 60 * 1000


@staged
async def test_a_report_that_is_sent_twice_is_taken_once(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)
    told = reports.code(part["task"])
    first = await report(stage, part, told, request_id="r1")
    again = await report(stage, part, told, request_id="r1")

    assert first == again
    now = await status_of(stage, name)
    assert now["tree"]["head"] == commit(BASE, "sell-apples")
    assert now["spent"]["attempts"] == 2  # the setup, and the bead once
    with pytest.raises(InterlockError):
        await report(stage, part, told, request_id="r2")


@staged
async def test_of_two_beads_at_once_the_second_is_put_on_the_head_of_the_first(
    stage: Stage,
) -> None:
    name = await at_once(stage)
    one, other = await take(stage, name), await take(stage, name)
    assert [part["task"]["bead"]["id"] for part in (one, other)] == ["sell-apples", "count-apples"]
    await report(stage, other, reports.code(other["task"]))
    late = reports.code(one["task"])
    with pytest.raises(HeadMoved) as no:
        await report(stage, one, late)
    assert await phase_of(stage, name) == "CODING"
    head = str(no.value.details["head"])
    await report(stage, one, late | {"parent": head, "commit": commit(head, "sell-apples")})

    assert await phase_of(stage, name) == "RUNNING_FINAL_TEST"
    assert (await status_of(stage, name))["tree"]["head"] == commit(head, "sell-apples")


@staged
async def test_beads_that_touch_the_same_are_built_one_after_the_other(stage: Stage) -> None:
    def chained(task: Told) -> Told:
        told = apart(task)
        for row in told.get("expansion", ()):
            row["target_files"] = ["shop.py"]
        return told

    name = await ticket(stage, ALONE, limits={"parallel_beads": 2})
    await stage.call("start", PAT, ticket_id=name)
    await to(stage, name, "CODING", {"audit": chained})
    await take(stage, name)

    found = await stage.call("get_next_work", WIM, workflow="ticket", site=SITE)
    assert found.status == "no_work"


@staged
async def test_progress_is_never_more_than_the_whole(stage: Stage) -> None:
    name = await brought(stage, "RUNNING_FINAL_TEST")
    now = await status_of(stage, name)

    assert [one["status"] for one in now["beads"]] == ["done", "done"]
    assert "2/2" not in now["phase"]["label"]  # only CODING tells it


@staged
async def test_a_ticket_that_is_cancelled_while_it_is_built_takes_no_report(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)
    await stage.call("cancel", PAT, id=name, reason="enough")
    with pytest.raises(InterlockError) as no:
        await report(stage, part, reports.code(part["task"]))

    assert no.value.code == "TICKET_TERMINAL"
    now = await status_of(stage, name)
    assert (now["tree"]["head"], now["beads"][0]["status"]) == (BASE, "pending")
