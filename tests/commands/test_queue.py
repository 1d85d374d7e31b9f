"""What waits, who holds what, and work that is told once more to whoever holds it."""

from typing import Any

import pytest

from tests.missions import equip, launch
from tests.missions import take as take_tool
from tests.stage import ADA, BOB, DAY_MS, PAT, Stage, staged
from tests.ticket_world import take
from tests.tickets import started

Told = dict[str, Any]


async def listed(stage: Stage, /, **filters: object) -> list[Told]:
    """List work."""
    rows: Any = (await stage.call("list_work", PAT, **filters)).data["work"]
    return list(rows)


@staged
async def test_work_of_all_workflows_is_listed_with_who_holds_it_until_when(stage: Stage) -> None:
    ticket = await started(stage)
    plan = await stage.plan(2, max_parallel_steps=1)
    step, _ = await stage.claim(plan, BOB)

    rows = {row["part_id"]: row for row in await listed(stage)}

    assert rows[f"{ticket}.2"] == {
        "part_id": f"{ticket}.2", "unit_id": ticket, "workflow": "ticket", "kind": "assignment",
        "status": "offered", "role": "implementer", "member": "ann", "state": "offered",
    }  # fmt: skip
    held = rows[step]
    assert (held["state"], held["holder"]) == ("held", "bob")
    assert held["until"] > stage.engine.store.now()
    # It is its turn as soon as there is room for one more.
    assert rows[f"{plan}.2"]["state"] == "offered"


@staged
async def test_filters_choose_and_a_list_goes_on_where_it_ended(stage: Stage) -> None:
    ticket = await started(stage)
    plan = await stage.plan(3, max_parallel_steps=3, tags=["red"])

    assert [row["unit_id"] for row in await listed(stage, member="ann")] == [ticket]
    assert await listed(stage, member="ben") == []
    assert {row["unit_id"] for row in await listed(stage, tag="red")} == {plan}
    assert len(await listed(stage, unit_id=plan, kind="step")) == 3
    first = await stage.call("list_work", PAT, workflow="plan", limit=2)
    rest = await stage.call("list_work", PAT, workflow="plan", cursor=first.data["cursor"])
    both: Any = [first.data["work"], rest.data["work"]]
    assert [row["part_id"] for rows in both for row in rows] == [f"{plan}.{n}" for n in (1, 2, 3)]
    for cursor in ("x", "1.x", "1.plan-1.x"):
        assert (await stage.refused("list_work", PAT, cursor=cursor)).code == "INVALID_INPUT"


@staged
async def test_an_assignment_is_told_once_more_as_it_was_handed_out(stage: Stage) -> None:
    await started(stage)
    handed = await take(stage, ADA, [])

    again = await stage.call("get_work_context", ADA, part_id=handed["part_id"])

    part: Any = again.data["part"]
    assert (again.status, again.next_action) == (
        "claimed",
        "Do the work, then call submit_work with the lease.",
    )
    assert {**part["lease"], "expires_at": 0} == {**handed["lease"], "expires_at": 0}
    # The clock of the database decides; the one that answers may be a little behind.
    assert 0 <= part["lease"]["expires_at"] - handed["lease"]["expires_at"] < 5_000
    assert part["fields"] == handed["fields"]
    assert part["task"]["schema"] == handed["task"]["schema"]
    assert part["task"]["prompt"]["digest"] == handed["task"]["prompt"]["digest"]
    assert "submit_work" in again.legal_moves


@staged
async def test_a_step_and_a_tool_step_are_told_again_too(stage: Stage) -> None:
    equip(stage)
    step, lease = await stage.claim(await stage.plan(1))
    told: Any = (await stage.call("get_work_context", ADA, part_id=step)).data["part"]
    assert (told["lease"]["token"], told["fields"]["instructions"]) == (lease, "find out 1")
    mission, _ = await launch(stage)
    part, lease = await take_tool(stage, mission, "tool_step")

    answer = await stage.call("get_work_context", ADA, part_id=part)

    run: Any = answer.data["part"]
    assert (run["lease"]["token"], run["call"]["tool"]) == (lease, "double")
    assert "submit_tool_result" in answer.next_action


@pytest.mark.parametrize("who", ["other", "lapsed", "free"])
@staged
async def test_who_does_not_hold_it_is_told_nothing(stage: Stage, who: str) -> None:
    plan = await stage.plan(2)
    step = f"{plan}.1"
    if who != "free":
        await stage.claim(plan)
    if who == "lapsed":
        await stage.pass_ms(DAY_MS)
        await stage.call("take_over_work", BOB, part_id=step, reason="gone")

    no = await stage.refused("get_work_context", BOB if who == "other" else ADA, part_id=step)

    assert (no.code, no.http) == ("STALE_LEASE", 409)
