"""One unit that cannot be read hides no other: not in lists, not on boards, not in the inbox."""

from typing import Any

import pytest

from tests.commands.test_gates import ask
from tests.doors.web.test_account import entered
from tests.service.tampering import unit_set
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import started, ticket

WAYS = {
    "fields": "fields = '{'", "a list for fields": "fields = '[1]'", "none": "fields = '{}'",
    "tally": "tally = '['", "a list for a tally": "tally = '[1]'", "status": "status = 'DREAMING'",
}  # fmt: skip
LISTS = (("list_units", "units", "id"), ("list_active_plans", "plans", "plan_id"))


async def told(stage: Stage, command: str, name: str, **asked: object) -> list[Any]:
    found: Any = (await stage.call(command, PAT, **asked)).data[name]
    return list(found)


@staged
@pytest.mark.parametrize("way", WAYS)
async def test_a_damaged_plan_stands_in_every_list_among_the_others(stage: Stage, way: str) -> None:
    names = [await stage.plan(1) for _ in range(3)]
    await unit_set(WAYS[way])(stage, names[1])

    for command, name, key in LISTS:
        rows = await told(stage, command, name)
        assert {one[key] for one in rows} == set(names), command
        wrong = [one[key] for one in rows if "wrong" in one]
        is_unreadable = way not in ("none", "status")
        assert wrong == ([names[1]] if is_unreadable else []), command
    board: Any = (await stage.call("get_board", PAT)).data
    assert {card["id"] for lane in board["columns"] for card in lane["units"]} == set(names)
    await stage.sql("DELETE FROM cards")  # as of units that are older than their cards
    board = (await stage.call("get_board", PAT, q=names[0])).data
    assert sum(lane["count"] for lane in board["columns"]) == 1


@staged
@pytest.mark.parametrize("way", WAYS)
async def test_a_damaged_ticket_hides_nothing_though_it_has_ended_or_was_looked_at(
    stage: Stage, way: str
) -> None:
    names = [await ticket(stage) for _ in range(3)]
    await stage.call("cancel", PAT, id=names[0], reason="enough")
    for name in names:
        await stage.call("ticket_status", PAT, ticket_id=name)
    for name in names[:2]:
        await unit_set(WAYS[way])(stage, name)

    rows = await told(stage, "list_tickets", "tickets", include_ended=True)

    assert {one["ticket_id"] for one in rows} == set(names)
    assert {one["ticket_id"] for one in await told(stage, "list_tickets", "tickets")} >= {names[2]}
    assert {one["id"] for one in await told(stage, "list_units", "units")} == set(names)


@staged
@pytest.mark.parametrize("way", ["fields", "tally", "status"])
async def test_the_work_the_inbox_and_the_pages_of_others_go_on(stage: Stage, way: str) -> None:
    plan, other, waits = await stage.plan(1), await started(stage), await stage.plan(1)
    await ask(stage, waits)
    await unit_set(WAYS[way])(stage, plan)

    gates = await told(stage, "list_gates", "gates")
    assert {one["unit_id"] for one in gates} == {waits}
    assert other in {one["unit_id"] for one in await told(stage, "list_work", "work")}
    found = await stage.call("get_next_work", ADA, workflow="ticket")
    assert found.data["unit_id"] == other
    browser = await entered(stage)
    for page in ("/", "/board", "/board/ticket", "/board/plan", "/audit"):
        answer = await browser.get(page)
        assert answer.status_code == 200, page
    assert plan in (await browser.get("/board/plan")).text
