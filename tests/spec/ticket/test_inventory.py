"""The inventory of phases is shown as it is, wherever phases are shown."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.doors.rest.calling import on
from tests.spec.door import PAT, Door, promise
from tests.spec.ticket.places import WAYS, bring, system
from tests.workflows.ticket.test_phases import COLUMNS, SEED, SEED_GROUPS

Told = dict[str, Any]
PAGE: Final = Path(__file__).parents[3] / "docs" / "machines" / "ticket.md"
ROWS: Final = [[cell.strip() for cell in line.split("|")] for line in SEED.strip().splitlines()]
GROUPS: Final = dict(
    [cell.strip() for cell in line.split("|")] for line in SEED_GROUPS.strip().splitlines()
)
SHOWN: Final = ("view", "review_artifact", "editable", "multi_model_logs", "progress_kind")
LANES: Final = {"to do": "todo", "in progress": "doing", "needs you": "needs_you", "done": "done"}


def column(phase: str) -> str:
    return next((name for name, phases in COLUMNS.items() if phase in phases), "in progress")


@promise("inventory.rows")
async def test_the_workflow_tells_the_inventory(door: Door) -> None:
    async with on(door.stage) as client:
        answer = await client.get("/v1/workflows/ticket")
    machine = answer.json()["data"]["machine"]

    assert machine["groups"] == GROUPS
    assert [
        [one["name"], one["label"], one["group"], *(one["shown"][name] for name in SHOWN)]
        for one in machine["unit"]["statuses"]
    ] == ROWS


@pytest.mark.promise("inventory.rows")
def test_the_page_of_the_machine_has_every_row() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("### Phases of ticket\n")[2]
    lines = text.partition("\n###")[0].strip().splitlines()[2:]
    found = [
        [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
        for line in lines
    ]

    assert len(found) == len(ROWS) == 30
    assert [
        [name.strip("`"), label, group, *shown]
        for name, label, _, group, *shown, _column, _actor in found
    ] == [[name, label, GROUPS[group], *rest] for name, label, group, *rest in ROWS]
    assert [row[-2] for row in found] == [column(row[0]) for row in ROWS]


@promise("inventory.rows")
async def test_the_board_shows_each_phase_in_its_column(door: Door) -> None:
    stands = {phase: await bring(door.stage, phase) for phase in (*WAYS, "COMPLETED")}
    stands["BLOCKED_ERROR"] = await bring(door.stage, "DRAFT")
    await system(door.stage, stands["BLOCKED_ERROR"], "error", code="BUDGET_REACHED")
    stands["CANCELED"] = await bring(door.stage, "DRAFT")
    await door.ask("cancel", PAT, id=stands["CANCELED"], reason="enough")
    board: Told = (await door.ask("get_board", PAT, workflow="ticket", limit=100))["data"]

    shown = {
        one["id"]: (lane["column"], one["status"])
        for lane in board["columns"]
        for one in lane["units"]
    }
    assert len(stands) == 30
    assert {phase: shown[ticket] for phase, ticket in stands.items()} == {
        phase: (LANES[column(phase)], phase) for phase in stands
    }
