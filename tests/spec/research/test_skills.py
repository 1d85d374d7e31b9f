"""Skills: how an execution is linked to its plan, what it adds to the plan's end, how it ends."""

from tests.spec.door import ADA, Door, promise


@promise("command.get_next_step.plan_complete", "skill.formatting", "rule.formatting")
async def test_a_complete_plan_says_how_the_deliverable_is_to_look(door: Door) -> None:
    metadata = {"output_media_type": "text/markdown", "output_formatting_instructions": "brief"}
    started = {"skill_name": "research-scan", "status": "started", "session_id": "k1"}
    await door.ask("log_skill_execution", **started, metadata=metadata)
    plan = await door.plan(2, output_formatting_notes="as a table", session_id="k1")
    await door.submit(f"{plan}.1", output_formatting_notes="two columns")
    await door.submit(f"{plan}.2")
    told = await door.ask("get_next_step", plan_id=plan)

    data = told["data"]
    assert told["status"] == "plan_complete"
    assert data["output_media_type"] == "text/markdown"
    assert data["output_formatting_instructions"] == "brief"
    assert data["plan_formatting_notes"] == "as a table"
    assert data["step_formatting_notes"] == [{"step_id": f"{plan}.1", "note": "two columns"}]


@promise("command.log_skill_execution", "skill.linked", "audit.skill_started")
async def test_the_newest_started_skill_of_a_session_is_linked_and_runs_with_its_plan(
    door: Door,
) -> None:
    told = {"skill_name": "research-deep", "session_id": "k2"}
    await door.ask("log_skill_execution", **told, status="started")
    door.pass_ms(1)
    newest = (await door.ask("log_skill_execution", **told, status="started"))["data"]
    plan = await door.plan(1, session_id="k2")
    other = await door.plan(1, session_id="k3")
    ending = {**told, "skill_execution_id": newest["skill_execution_id"], "status": "completed"}
    no = await door.refuse("log_skill_execution", **ending)
    await door.claim(plan)
    done = await door.ask("log_skill_execution", **ending)

    assert no["code"] == "INVALID_TRANSITION"
    assert (done["status"], done["data"]["plan_id"]) == ("completed", plan)
    types = await door.types(plan)
    assert types.count("skill_started") == types.count("skill_completed") == 1
    assert "skill_started" not in await door.types(other)


@promise("command.log_skill_execution", "skill.machine")
async def test_a_skill_that_was_only_started_can_fail(door: Door) -> None:
    told = {"skill_name": "research-scan", "session_id": "k4"}
    made = (await door.ask("log_skill_execution", **told, status="started"))["data"]
    name = made["skill_execution_id"]
    ended = await door.ask("log_skill_execution", **told, status="failed", skill_execution_id=name)
    no = await door.refuse("log_skill_execution", **told, status="completed",
                           skill_execution_id=name)  # fmt: skip

    assert (ended["status"], no["code"]) == ("failed", "INVALID_TRANSITION")


@promise("skill.prompts")
async def test_the_skills_are_prompts(door: Door) -> None:
    prompts = (await door.clients[ADA].list_prompts()).prompts

    names = {prompt.name for prompt in prompts}
    assert {"research", "research-scan", "research-deep", "research-output"} <= names
