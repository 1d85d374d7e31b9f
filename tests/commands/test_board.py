"""The command that reads the board: its shape, its pages, and what it refuses."""

from typing import Any

from tests.commands.test_gates import ask
from tests.stage import ADA, Stage, staged


@staged
async def test_a_board_has_four_columns_and_says_everything_of_a_tile(stage: Stage) -> None:
    plan = await stage.plan(2, name="A plan", tags=["red"])
    await ask(stage, plan)
    answer = await stage.call("get_board")
    columns: Any = answer.data["columns"]
    whole = await stage.whole(plan)

    assert [(one["column"], one["count"]) for one in columns] == [
        ("todo", 0), ("doing", 0), ("needs_you", 1), ("done", 0),
    ]  # fmt: skip
    assert columns[2]["units"] == [
        {
            "id": plan, "workflow": "plan", "status": "awaiting_review", "name": "A plan",
            "changed_at": whole.row.changed_at, "tally": whole.row.tally, "tags": ("red",),
            "gates": 1, "gate_since": whole.row.changed_at, "kind": "gate",
        }
    ]  # fmt: skip
    assert answer.data["workflows"] == [
        {"name": "plan", "open": 1, "all": 1},
        {"name": "mission", "open": 0, "all": 0},
        {"name": "ticket", "open": 0, "all": 0},
    ]


@staged
async def test_a_column_goes_on_where_its_cursor_says(stage: Stage) -> None:
    plans = {await stage.plan(1) for _ in range(3)}
    seen: list[str] = []
    asked: dict[str, object] = {"column": "todo", "limit": 2}
    while True:
        answer = await stage.call("get_board", **asked)
        columns: Any = answer.data["columns"]
        (column,) = columns
        seen += [one["id"] for one in column["units"]]
        assert column["count"] == 3
        if "cursor" not in column:
            break
        asked["cursor"] = column["cursor"]

    assert len(seen) == 3
    assert set(seen) == plans


@staged
async def test_a_cursor_needs_its_column(stage: Stage) -> None:
    lone = await stage.refused("get_board", ADA, cursor="1.plan-1")
    bad = await stage.refused("get_board", ADA, cursor="x", column="todo")

    assert (lone.code, bad.code) == ("INVALID_INPUT", "INVALID_INPUT")
    assert "column" in lone.fix
