"""Branches: what is validated when they are written, and what each does when it is asked."""

from typing import Final

import pytest

from tests.spec.door import Document, Door, promise

STEP: Final = {"instructions": "look again"}


def branch(expression: str, action: str = "continue", **more: object) -> Document:
    """Return a condition that hangs on the first step."""
    return {"after_step_order": 1, "expression": expression, "action": action, **more}


async def asked(door: Door, expression: str, result: object, **more: object) -> bool:
    """Return what an expression comes to, through a whole plan."""
    plan = await door.plan(2, branching_conditions=[branch(expression)])
    answer = await door.submit(f"{plan}.1", result=result, **more)
    (row,) = answer["data"]["branches"]
    return bool(row["value"])


@promise("branch.skip_to")
async def test_skip_to_skips_what_is_pending_between(door: Door) -> None:
    plan = await door.plan(5, branching_conditions=[branch("go === true", "skip_to", target_step_order=5)])  # fmt: skip
    await door.submit(f"{plan}.3")
    answer = await door.submit(f"{plan}.1", result={"go": True})

    assert await door.standing(plan) == "executing: completed skipped completed skipped pending"
    (row,) = answer["data"]["branches"]
    assert (row["action"], row["value"], row["applied"]) == ("skip_to", True, True)


@promise("branch.skip_to-not-applicable")
@pytest.mark.parametrize("how", ["no longer pending", "no longer later"])
async def test_a_target_that_does_not_fit_any_more_is_told(door: Door, how: str) -> None:
    conditions = [branch("go === true", "skip_to", target_step_order=3)]
    plan = await door.plan(3, branching_conditions=conditions)
    if how == "no longer pending":
        await door.submit(f"{plan}.3")
    else:
        ids = [f"{plan}.{number}" for number in (3, 1, 2)]
        await door.modify(plan, "reorder_steps", step_ids=ids)
    answer = await door.submit(f"{plan}.1", result={"go": True})

    (row,) = answer["data"]["branches"]
    assert (row["value"], row["applied"]) == (True, False)
    assert how in row["why_not"]
    assert "skipped" not in await door.standing(plan)


@promise("branch.add_steps")
async def test_add_steps_inserts_right_after_the_completed_step(door: Door) -> None:
    conditions = [branch("n > 1", "add_steps", steps=[STEP, {"instructions": "and again"}])]
    plan = await door.plan(2, branching_conditions=conditions)
    await door.submit(f"{plan}.1", result={"n": 2})

    steps = (await door.context(plan))["steps"]
    assert [step["title"] for step in steps] == [
        "find out 1", "look again", "and again", "find out 2",
    ]  # fmt: skip


@promise("branch.limit")
async def test_add_steps_that_find_no_room_are_told_and_fail_nothing(door: Door) -> None:
    conditions = [branch("n > 1", "add_steps", steps=[STEP, STEP])]
    plan = await door.plan(1, branching_conditions=conditions)
    await door.modify(plan, "add_steps", steps=[STEP] * 998)
    answer = await door.submit(f"{plan}.1", result={"n": 2})

    (row,) = answer["data"]["branches"]
    assert (row["value"], row["applied"], "no room" in row["why_not"]) == (True, False, True)
    assert (await door.status(plan))["total_steps"] == 999


@promise("branch.limit")
async def test_no_plan_begins_with_more_than_ten_thousand_steps(door: Door) -> None:
    told = {"name": "p", "research_question": "?", "steps": [{"instructions": "a"}] * 10_001}

    assert (await door.refuse("create_research_plan", **told))["code"] == "INVALID_INPUT"
    plan = await door.plan([{"instructions": "a"}] * 1_001)
    assert (await door.status(plan))["total_steps"] == 1_001


@promise("branch.fail")
async def test_fail_comes_before_the_status_is_derived(door: Door) -> None:
    plan = await door.plan(1, branching_conditions=[branch("n > 1", "fail", reason="too many")])
    answer = await door.submit(f"{plan}.1", result={"n": 2})

    assert (answer["status"], await door.standing(plan)) == ("failed", "failed: completed")
    over = await door.ask("get_next_step", plan_id=plan)
    assert (over["status"], over["data"]["failure"]) == ("plan_failed", "too many")


@promise("branch.continue")
async def test_continue_is_recorded_and_does_nothing(door: Door) -> None:
    plan = await door.plan(2, branching_conditions=[branch("n > 1")])
    before = await door.sequence(plan)
    answer = await door.submit(f"{plan}.1", result={"n": 2})

    (row,) = answer["data"]["branches"]
    assert (row["action"], row["value"], row["applied"]) == ("continue", True, True)
    assert await door.standing(plan) == "executing: completed pending"
    assert "branch_evaluated" in await door.types(plan, before)


@promise("branch.first-true", "audit.branch_evaluated", "command.submit_step_result")
async def test_the_first_true_condition_acts_and_all_are_recorded(door: Door) -> None:
    conditions = [branch("n > 5"), branch("n > 1"), branch("n > 0", "fail", reason="no")]
    plan = await door.plan(2, branching_conditions=conditions)
    answer = await door.submit(f"{plan}.1", result={"n": 2})

    told = [(row["value"], row["applied"], row["why_not"]) for row in answer["data"]["branches"]]
    assert told == [
        (False, False, "false"), (True, True, ""), (False, False, "an earlier condition fired"),
    ]  # fmt: skip
    (entry,) = [body for body in await door.audit(plan) if "branches" in body]
    assert [row["expression"] for row in entry["branches"]] == [
        "result.n > 5", "result.n > 1", "result.n > 0",
    ]  # fmt: skip


@promise("branch.strict")
@pytest.mark.parametrize(
    ("expression", "result", "value"),
    [
        ("n === 1", {"n": 1}, True), ("n === 1", {"n": "1"}, False), ("n === 1", {"n": True}, False),
        ('n === "1"', {"n": 1}, False), ("n === null", {"n": None}, True),
        ("n === null", {"n": 0}, False), ("n === false", {"n": 0}, False),
        ("n !== 1", {"n": "1"}, True), ("n > 1", {"n": 2}, True), ("n > 1", {"n": "2"}, False),
        ("n < 1", {"n": None}, False), ("n >= 1", {"n": True}, False), ("n <= 2.5", {"n": 2}, True),
        ('n < "b"', {"n": "a"}, False),
    ],
)  # fmt: skip
async def test_nothing_is_coerced(
    door: Door, expression: str, result: object, value: object
) -> None:
    assert await asked(door, expression, result) is value


@promise("branch.missing")
@pytest.mark.parametrize(
    ("expression", "value"),
    [("x === 1", False), ("x === null", False), ("x > 1", False), ("x in [1]", False),
     ("x !== 1", True), ("exists(x)", False), ("result.n.deep === 1", False), ("n[0] === 1", False)],
)  # fmt: skip
async def test_a_missing_path_makes_every_comparison_false_but_one(
    door: Door, expression: str, value: object
) -> None:
    assert await asked(door, expression, {"n": 1}) is value


@promise("branch.grammar", "branch.roots")
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("n === 1 && m === 2", True), ("n === 9 || m === 2", True), ("!(n === 1)", False),
        ("(n === 9 || n === 1) && !(m === 3)", True), ("n in [1, 2]", True), ('s in ["b"]', False),
        ("exists(list[1].x)", True), ("list[1].x === 5", True), ("result.n === 1", True),
        ("confidence >= 0.8", True), ('result_summary === "found"', True),
        ('step.status === "completed"', True), ("step.attempt === 1", True),
        ('plan.status === "executing"', True), ("exists(decision)", False), ("yes === true", True),
    ],
)  # fmt: skip
async def test_the_language_of_conditions(door: Door, expression: str, value: object) -> None:
    result = {"n": 1, "m": 2, "s": "a", "list": [{}, {"x": 5}], "yes": True}

    assert await asked(door, expression, result, confidence=0.9) is value


@promise("branch.roots", "branch.after-approval")
async def test_a_condition_may_look_at_the_decision(door: Door) -> None:
    conditions = [branch('decision === "approve"', "skip_to", target_step_order=3)]
    plan = await door.plan(3, branching_conditions=conditions)
    await door.decide(await door.review(plan), "approve")

    assert await door.standing(plan) == "executing: completed skipped pending"


@promise("branch.fault")
@pytest.mark.parametrize(
    "expression", ["n.deep.er > 1", "n[3] === 1", "n.x in [1]", "!(n.y === 1)"]
)
async def test_no_expression_fails_the_submit_it_rides_on(door: Door, expression: str) -> None:
    for result in ({"n": None}, {"n": "text"}, {"n": [1]}, {}, {"n": 10**300}):
        plan = await door.plan(2, branching_conditions=[branch(expression)])
        answer = await door.submit(f"{plan}.1", result=result)
        assert answer["data"]["step"]["status"] == "completed"
        assert answer["data"]["branches"][0]["value"] is expression.startswith("!")


@promise("branch.validated", "refusal.INVALID_EXPRESSION")
@pytest.mark.parametrize(
    ("expression", "position"),
    [("n >", 3), ("n == 1", 2), ("1 === n", 0), ("f(n) === 1", 1), ("n === 1 &&", 10),
     ("n === 'a", 6), ("__import__('os')", 10)],
)  # fmt: skip
async def test_an_expression_is_read_when_it_is_written(
    door: Door, expression: str, position: int
) -> None:
    told = {"name": "p", "research_question": "?", "steps": [STEP]}
    told["branching_conditions"] = [branch(expression)]
    no = await door.refuse("create_research_plan", **told)

    assert no["code"] == "INVALID_EXPRESSION"
    assert f"position {position}" in no["message"]


@promise("branch.limits", "refusal.INVALID_EXPRESSION")
async def test_how_long_deep_and_many_conditions_may_be(door: Door) -> None:
    told = {"name": "p", "research_question": "?", "steps": [STEP]}
    deep = "!(" * 32 + "n === 1" + ")" * 32
    assert await asked(door, "(" * 31 + "n === 1" + ")" * 31, {"n": 1})
    long = "n === '" + "x" * 2_000 + "'"
    for conditions in ([branch(deep)], [branch(long)], [branch("n > 1")] * 101):
        no = await door.refuse("create_research_plan", **told, branching_conditions=conditions)
        assert no["code"] in ("INVALID_EXPRESSION", "INVALID_INPUT")
    plan = await door.plan(1, branching_conditions=[branch("n > 1")] * 100)
    no = await door.refuse(
        "modify_plan", plan_id=plan, action="add_condition", condition=branch("n > 1")
    )
    assert no["code"] == "INVALID_INPUT"


@promise("branch.validated", "refusal.INVALID_STEP_REFERENCE")
@pytest.mark.parametrize(
    "wrong",
    [
        {"after_step_order": 3}, {"action": "skip_to", "target_step_order": 1},
        {"action": "skip_to", "target_step_order": 3}, {"action": "skip_to"},
        {"action": "add_steps", "steps": []},
        {"action": "add_steps", "steps": [{**STEP, "depends_on": [1]}]},
    ],
)  # fmt: skip
async def test_targets_are_checked_when_they_are_written(door: Door, wrong: Document) -> None:
    told = {"name": "p", "research_question": "?", "steps": [STEP, STEP]}
    told["branching_conditions"] = [{**branch("n > 1"), **wrong}]

    assert (await door.refuse("create_research_plan", **told))["code"] == "INVALID_STEP_REFERENCE"


@promise("branch.target-kept")
async def test_a_target_stays_the_same_step_when_orders_change(door: Door) -> None:
    conditions = [branch("go === true", "skip_to", target_step_order=3)]
    plan = await door.plan(3, branching_conditions=conditions)
    await door.modify(plan, "add_steps", steps=[STEP], insert_after_order=1)
    await door.submit(f"{plan}.1", result={"go": True})

    assert await door.standing(plan) == "executing: completed skipped skipped pending"
    (row,) = (await door.context(plan))["conditions"]
    assert row["target_step_order"] == 4


@promise("branch.every-completion")
async def test_conditions_are_asked_after_a_submit_of_a_pending_step_too(door: Door) -> None:
    assert await asked(door, "n === 1", {"n": 1})
