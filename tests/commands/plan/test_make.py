"""Plans are made whole or not at all."""

from tests.stage import HOME, Stage, new_plan, staged


@staged
async def test_a_plan_is_made_with_its_steps_in_order(stage: Stage) -> None:
    answer = await stage.call("create_research_plan", **new_plan(3))

    plan = str(answer.data["plan_id"])
    steps = [f"{plan}.{number}" for number in (1, 2, 3)]
    assert answer.status == "planning"
    assert (answer.data["step_ids"], answer.data["first_step"]) == (steps, steps[0])
    assert "get_next_step" in answer.next_action
    assert await stage.standing(plan) == "planning: pending pending pending"
    fields = (await stage.whole(plan)).parts[1].part.fields
    assert (fields["title"], fields["instructions"]) == ("find out 2", "find out 2")


WRONG_PLANS: list[tuple[dict[str, object], str]] = [
    ({"steps": [{"instructions": "a", "depends_on": [1]}]}, "INVALID_STEP_REFERENCE"),
    ({"steps": [{"instructions": "a", "depends_on": [2]}]}, "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 3, "expression": "result.go === true", "action": "fail"}]},
     "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 1, "expression": "result.go === true", "action": "skip_to"}]},
     "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 2, "expression": "result.go === true", "action": "skip_to",
                                "target_step_order": 1}]}, "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 2, "expression": "result.go === true", "action": "skip_to",
                                "target_step_order": 2}]}, "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 1, "expression": "result.go === true", "action": "skip_to",
                                "target_step_order": 3}]}, "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 1, "expression": "result.go === true", "action": "add_steps"}]},
     "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 1, "expression": "result.go === true", "action": "add_steps",
                                "steps": [{"instructions": "c", "depends_on": [1]}]}]},
     "INVALID_STEP_REFERENCE"),
    ({"branching_conditions": [{"after_step_order": 1, "expression": "import os", "action": "fail"}]},
     "INVALID_EXPRESSION"),
]  # fmt: skip


@staged
async def test_a_plan_that_cannot_be_walked_is_not_made(stage: Stage) -> None:
    for told, code in WRONG_PLANS:
        no = await stage.refused("create_research_plan", **{**new_plan(), **told})
        assert (no.code, no.http, bool(no.fix)) == (code, 422, True), told

    assert await stage.engine.store.units(HOME, "", None, 10) == ()


@staged
async def test_a_plan_is_linked_to_the_skill_that_its_session_has_begun(stage: Stage) -> None:
    wanted = {"output_media_type": "text/markdown", "output_formatting_instructions": "short"}
    begun = await stage.call(
        "log_skill_execution", skill_name="research-scan", status="started", session_id="s1",
        metadata=wanted,
    )  # fmt: skip
    plan = await stage.plan(1, session_id="s1")
    await stage.call("submit_step_result", step_id=f"{plan}.1", result_summary="s")

    over = await stage.call("get_next_step", plan_id=plan)

    assert {name: over.data[name] for name in wanted} == wanted
    told = [body for body in await stage.audit(plan) if body["event"] == "skill_started"]
    assert told[0]["skill_execution"] == begun.data["skill_execution_id"]
