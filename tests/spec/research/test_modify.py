"""modify_plan: every action, and every constraint on it."""

from typing import Final

import pytest

from tests.spec.door import BOB, Document, Door, promise

STEP: Final = {"instructions": "more"}
ACTIONS: Final[dict[str, Document]] = {
    "add_steps": {"steps": [STEP]},
    "remove_step": {"step_id": "{plan}.2"},
    "reorder_steps": {"step_ids": ["{plan}.2", "{plan}.1"]},
    "update_step_instructions": {"step_id": "{plan}.1", "instructions": "else"},
    "fail_step": {"step_id": "{plan}.2", "reason": "no source"},
    "retry_step": {"step_id": "{plan}.1"},
    "add_condition": {"condition": {"after_step_order": 1, "expression": "n > 1", "action": "continue"}},
    "remove_condition": {"step_id": "{plan}.1", "condition_number": 1},
    "update_plan": {"name": "A better name"},
}  # fmt: skip
HANGING: Final = {"after_step_order": 1, "expression": "n > 0", "action": "continue"}


def told(plan: str, action: str) -> Document:
    """Return what an action is sent with, about the steps of a plan."""

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(one) for one in value]
        return value.replace("{plan}", plan) if isinstance(value, str) else value

    more = {name: named(value) for name, value in ACTIONS[action].items()}
    return {"plan_id": plan, "action": action, **more}


async def standing_at(door: Door, status: str) -> str:
    """Return a plan of three steps with a condition: the first has failed, the last is at work."""
    plan = await door.plan(3, branching_conditions=[HANGING])
    await door.fail(f"{plan}.1")
    await door.modify(plan, "reorder_steps", step_ids=[f"{plan}.{n}" for n in (1, 3, 2)])
    if status == "awaiting_review":
        await door.review(plan)
    if status == "stalled":
        await door.claim(plan)
        await door.stall(plan)
    return plan


@promise("modify.plan-status", "refusal.INVALID_TRANSITION", "refusal.REVIEW_OPEN")
@pytest.mark.parametrize("status", ["executing", "stalled", "awaiting_review"])
@pytest.mark.parametrize("action", ACTIONS)
async def test_a_plan_is_changed_while_it_executes_and_retried_or_failed_when_stalled(
    door: Door, action: str, status: str
) -> None:
    plan = await standing_at(door, status)
    call = told(plan, action)
    if action == "reorder_steps":
        call["step_ids"] = [f"{plan}.{number}" for number in (3, 2, 1)]
    if status == "executing" or (status == "stalled" and action in ("fail_step", "retry_step")):
        answer = await door.ask("modify_plan", **call)
        assert answer["data"]["steps"]
        assert answer["status"] == "executing"
        return
    before = await door.sequence(plan)
    no = await door.refuse("modify_plan", **call)

    assert no["code"] in ("INVALID_TRANSITION", "REVIEW_OPEN")
    assert await door.sequence(plan) == before


@promise("modify.plan-status", "audit.plan_modified", "command.modify_plan")
@pytest.mark.parametrize("action", [one for one in ACTIONS if one != "retry_step"])
async def test_every_action_is_written_with_its_rationale(door: Door, action: str) -> None:
    plan = await door.plan(2, branching_conditions=[HANGING])
    before = await door.sequence(plan)
    await door.ask("modify_plan", **told(plan, action), modification_rationale="it is better")

    events = [one for one in (await door.context(plan))["last_events"]
              if one["sequence"] > before and "plan_modified" in one["types"]]  # fmt: skip
    assert [one["action"] for one in events if "rationale" in one] == [action]
    assert [one["rationale"] for one in events if "rationale" in one] == ["it is better"]
    assert ("step_failed" in await door.types(plan, before)) == (action == "fail_step")


@promise("audit.plan_modified", "audit.step_retried", "modify.retry_step")
async def test_a_retry_is_written_with_its_rationale(door: Door) -> None:
    step = await door.at("failed")
    plan = step.partition(".")[0]
    before = await door.sequence(plan)
    await door.modify(plan, "retry_step", step_id=step, modification_rationale="a new source")

    assert await door.types(plan, before) == ["plan_modified", "step_retried"]


@promise("modify.add_steps")
async def test_steps_are_inserted_and_later_orders_shift(door: Door) -> None:
    plan = await door.plan(2)
    await door.modify(plan, "add_steps", steps=[STEP, {"instructions": "and"}],
                      insert_after_order=1)  # fmt: skip
    answer = await door.modify(plan, "add_steps", steps=[{"instructions": "last"}])

    rows = answer["data"]["steps"]
    assert [row["title"] for row in rows] == ["find out 1", "more", "and", "find out 2", "last"]
    assert [row["order"] for row in rows] == [1, 2, 3, 4, 5]


@promise("modify.add_steps", "refusal.INVALID_STEP_REFERENCE")
async def test_steps_are_inserted_after_one_that_is_there(door: Door) -> None:
    plan = await door.plan(2)
    call = {"plan_id": plan, "action": "add_steps"}
    where = await door.refuse("modify_plan", **call, steps=[STEP], insert_after_order=3)
    needs = await door.refuse(
        "modify_plan", **call, steps=[{**STEP, "depends_on": [f"{plan}.2"]}], insert_after_order=1
    )
    none = await door.refuse("modify_plan", **call)

    assert (where["code"], needs["code"]) == (("INVALID_STEP_REFERENCE",) * 2)
    assert none["code"] == "INVALID_INPUT"


@promise("modify.add_steps", "branch.limit", "refusal.LIMIT_REACHED")
async def test_a_plan_grows_to_a_thousand_steps_and_no_further(door: Door) -> None:
    plan = await door.plan(1)
    await door.modify(plan, "add_steps", steps=[STEP] * 999)
    no = await door.refuse("modify_plan", plan_id=plan, action="add_steps", steps=[STEP])

    assert no["code"] == "LIMIT_REACHED"
    assert (await door.status(plan))["total_steps"] == 1_000


@promise("order.always", "command.get_next_step.in_progress")
async def test_the_order_is_told_whatever_has_changed(door: Door) -> None:
    plan = await door.plan(3)
    await door.modify(plan, "add_steps", steps=[STEP], insert_after_order=1)
    await door.modify(plan, "remove_step", step_id=f"{plan}.1")
    await door.modify(plan, "reorder_steps", step_ids=[f"{plan}.{n}" for n in (3, 4, 2)])
    first = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]
    done = await door.submit(first["step_id"], claim_next=True)

    assert (first["step_id"], first["order"]) == (f"{plan}.3", 1)
    assert done["data"]["step"]["order"] == 1
    following = done["data"]["next_step"]
    assert (following["step_id"], following["order"]) == (f"{plan}.4", 2)
    beat = await door.ask("heartbeat_step", step_id=f"{plan}.4")
    assert beat["data"]["step"]["order"] == 2


@promise("order.always", "branch.add_steps", "command.submit_step_result.claim_next")
async def test_the_order_is_told_of_what_the_same_call_has_added(door: Door) -> None:
    branch = {"after_step_order": 1, "expression": "n > 0", "action": "add_steps", "steps": [STEP]}
    plan = await door.plan(2, branching_conditions=[branch])
    done = await door.submit(f"{plan}.1", result={"n": 1}, claim_next=True)

    assert (done["data"]["next_step"]["title"], done["data"]["next_step"]["order"]) == ("more", 2)


@promise("modify.remove_step")
async def test_removing_a_step_closes_the_gap_and_takes_its_conditions_along(door: Door) -> None:
    branches = [
        {"after_step_order": 2, "expression": "a === 1", "action": "continue"},
        {"after_step_order": 1, "expression": "b === 1", "action": "skip_to", "target_step_order": 2},
        {"after_step_order": 1, "expression": "c === 1", "action": "skip_to", "target_step_order": 3},
    ]  # fmt: skip
    plan = await door.plan(3, branching_conditions=branches)
    answer = await door.modify(plan, "remove_step", step_id=f"{plan}.2")

    assert [row["order"] for row in answer["data"]["steps"]] == [1, 2]
    assert len(answer["warnings"]) == 2
    assert ["a === 1" in answer["warnings"][0] or "b === 1" in answer["warnings"][0]] == [True]
    (left,) = (await door.context(plan))["conditions"]
    assert (left["expression"], left["target_step_order"]) == ("c === 1", 2)


@promise("modify.reorder_steps", "refusal.INVALID_STEP_REFERENCE")
@pytest.mark.parametrize("numbers", [(1, 2), (1, 2, 2), (1, 2, 9), (2, 1, 3, 4), ()])
async def test_a_new_order_names_every_step_once(door: Door, numbers: tuple[int, ...]) -> None:
    plan = await door.plan(3)
    ids = [f"{plan}.{number}" for number in numbers]
    no = await door.refuse("modify_plan", plan_id=plan, action="reorder_steps", step_ids=ids)

    assert no["code"] == "INVALID_STEP_REFERENCE"


@promise("modify.reorder_steps", "refusal.INVALID_STEP_REFERENCE")
async def test_no_step_comes_before_one_it_depends_on(door: Door) -> None:
    plan = await door.plan([{"instructions": "a"}, {"instructions": "b", "depends_on": [1]}, STEP])
    call = {"plan_id": plan, "action": "reorder_steps"}
    no = await door.refuse("modify_plan", **call, step_ids=[f"{plan}.{n}" for n in (2, 1, 3)])
    answer = await door.ask("modify_plan", **call, step_ids=[f"{plan}.{n}" for n in (3, 1, 2)])

    assert no["code"] == "INVALID_STEP_REFERENCE"
    assert [row["step_id"] for row in answer["data"]["steps"]] == [f"{plan}.{n}" for n in (3, 1, 2)]


@promise("modify.update_step_instructions")
@pytest.mark.parametrize("status", ["pending", "in_progress", "completed", "skipped", "failed"])
async def test_instructions_are_written_in_any_status(door: Door, status: str) -> None:
    step = await door.at(status)
    plan = step.partition(".")[0]
    before = (await door.standing(plan)).partition(":")[2]
    call = {"step_id": step, "instructions": "else", "title": "Other", "acceptance": "when done"}
    await door.modify(plan, "update_step_instructions", **call)

    line = (await door.context(plan))["steps"][0]
    assert (line["instructions"], line["title"]) == ("else", "Other")
    assert (await door.standing(plan)).partition(":")[2] == before


@promise("modify.fail_step")
async def test_giving_a_step_up_needs_a_reason(door: Door) -> None:
    plan = await door.plan(2)
    no = await door.refuse("modify_plan", plan_id=plan, action="fail_step", step_id=f"{plan}.1")
    await door.claim(plan)
    await door.fail(f"{plan}.1")

    assert no["code"] == "REASON_REQUIRED"
    (failed,) = (await door.status(plan))["failed_steps"]
    assert failed["failure"] == "no source has it"


@promise("modify.conditions")
async def test_a_condition_is_added_later_and_removed_again(door: Door) -> None:
    plan = await door.plan(3)
    added = {"after_step_order": 1, "expression": "go === true", "action": "skip_to",
             "target_step_order": 3}  # fmt: skip
    await door.modify(plan, "add_condition", condition=HANGING)
    await door.modify(plan, "add_condition", condition=added)
    await door.modify(plan, "remove_condition", step_id=f"{plan}.1", condition_number=1)
    answer = await door.submit(f"{plan}.1", result={"go": True})

    (row,) = answer["data"]["branches"]
    assert (row["expression"], row["applied"]) == ("result.go === true", True)
    assert await door.standing(plan) == "executing: completed skipped pending"


@promise("modify.conditions", "refusal.INVALID_STEP_REFERENCE", "refusal.INVALID_EXPRESSION")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"after_step_order": 9}, "INVALID_STEP_REFERENCE"),
        ({"action": "skip_to", "target_step_order": 1}, "INVALID_STEP_REFERENCE"),
        ({"action": "skip_to"}, "INVALID_STEP_REFERENCE"),
        ({"expression": "n >"}, "INVALID_EXPRESSION"),
        ({"action": "explode"}, "INVALID_INPUT"),
    ],
)
async def test_a_condition_that_makes_no_sense_is_not_added(
    door: Door, change: Document, code: str
) -> None:
    plan = await door.plan(2)
    call = {"plan_id": plan, "action": "add_condition", "condition": {**HANGING, **change}}

    assert (await door.refuse("modify_plan", **call))["code"] == code


@promise("modify.conditions", "refusal.INVALID_STEP_REFERENCE")
async def test_a_condition_that_is_not_there_cannot_be_removed(door: Door) -> None:
    plan = await door.plan(2, branching_conditions=[HANGING])
    call = {"plan_id": plan, "action": "remove_condition", "step_id": f"{plan}.1"}

    for number in (2, None):
        no = await door.refuse("modify_plan", **call, condition_number=number)
        assert no["code"] == "INVALID_STEP_REFERENCE"


@promise("modify.update_plan")
async def test_the_settings_of_a_plan_are_changed(door: Door) -> None:
    plan = await door.plan(3)
    settings = {"name": "Better", "output_formatting_notes": "as a table", "stall_after": 9,
                "review_policy": "human", "max_parallel_steps": 1}  # fmt: skip
    await door.modify(plan, "update_plan", **settings)
    told = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]

    assert told["lease"]["expires_at"] == door.stage.clock.now() + 9_000
    none = await door.ask("get_next_step", BOB, plan_id=plan)
    assert none["status"] == "no_pending_steps"
    status = await door.context(plan)
    assert (status["name"], status["review_policy"]) == ("Better", "human")
    assert status["plan_formatting_notes"] == "as a table"
    no = await door.refuse("modify_plan", plan_id=plan, action="update_plan")
    assert no["code"] == "INVALID_INPUT"
