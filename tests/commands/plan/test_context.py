"""A session that knows nothing gets everything it needs, within what it can read."""

from typing import cast

from tests.stage import BOB, Stage, staged

Rows = list[dict[str, object]]


@staged
async def test_a_new_session_finds_everything_it_needs(stage: Stage) -> None:
    branch = {"after_step_order": 2, "expression": "go === true", "action": "skip_to", "target_step_order": 3}  # fmt: skip
    plan = await stage.plan(3, branching_conditions=[branch], plan_design_rationale="in turn")
    step, lease = await stage.claim(plan, session_id="one")
    await stage.call(
        "submit_step_result", step_id=step, lease=lease, result_summary="s", result={"n": 1},
        session_id="one",
    )  # fmt: skip

    answer = await stage.call("get_research_context", BOB, plan_id=plan, session_id="two")

    data = answer.data
    steps = cast("Rows", data["steps"])
    assert (data["research_question"], data["plan_design_rationale"]) == ("What is so?", "in turn")
    assert [row["status"] for row in steps] == ["completed", "pending", "pending"]
    assert (steps[0]["result"], steps[0]["summary"]) == ({"n": 1}, "s")
    assert cast("Rows", data["conditions"])[0]["target_step_order"] == 3
    assert [row["name"] for row in cast("Rows", data["artifacts"])] == ["result"]
    events = [
        one for row in cast("Rows", data["last_events"]) for one in cast("list[str]", row["types"])
    ]
    assert events == [
        "session_resumed", "step_completed", "step_started", "plan_modified",
    ]  # fmt: skip
    assert "get_next_step" in answer.next_action


@staged
async def test_a_step_is_told_what_it_builds_upon_within_a_budget(stage: Stage) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b"}, {"instructions": "c", "depends_on": [1]}]
    plan = await stage.plan(3, steps=steps)
    for number, text in ((1, "short"), (2, "long " * 2_000)):
        await stage.call(
            "submit_step_result", step_id=f"{plan}.{number}", result_summary=f"s{number}",
            result={"text": text},
        )  # fmt: skip

    answer = await stage.call("get_step_context", step_id=f"{plan}.3", token_budget=1_000)
    whole = await stage.call("get_step_context", step_id=f"{plan}.3", token_budget=9_000)

    (needed,), (other,) = (
        cast("Rows", answer.data["depends_on"]),
        cast("Rows", answer.data["earlier"]),
    )
    assert needed["result"] == {"text": "short"}
    assert (other["summary"], "result" in other, "result_digest" in other) == ("s2", False, True)
    assert (len(answer.warnings), len(whole.warnings)) == (1, 0)
    assert "result" in cast("Rows", whole.data["earlier"])[0]
