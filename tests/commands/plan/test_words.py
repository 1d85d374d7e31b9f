"""How answers are worded, and which names could be a plan's or a step's."""

from interlock.commands.plan.words import envelope
from interlock.wire.envelope import Envelope
from tests.stage import Stage, staged


def test_every_answer_has_the_one_form() -> None:
    told = Envelope.model_validate(envelope("ok", "go", [], {"a": 1}, ["careful"]))

    assert (told.status, told.next_action, told.data, told.warnings) == (
        "ok", "go", {"a": 1}, ("careful",),
    )  # fmt: skip


@staged
async def test_a_step_may_be_asked_for_while_there_may_be_one(stage: Stage) -> None:
    plan = await stage.plan(1)
    before = await stage.call("get_plan_status", plan_id=plan)
    await stage.call("submit_step_result", step_id=f"{plan}.1", result_summary="s")
    after = await stage.call("get_plan_status", plan_id=plan)

    assert before.legal_moves[0].command == "get_next_step"
    assert after.legal_moves == ()


@staged
async def test_a_step_is_told_its_order_whatever_was_removed_before(stage: Stage) -> None:
    plan = await stage.plan(2)
    first = await stage.call("get_next_step", plan_id=plan)
    change = {"plan_id": plan, "action": "remove_step", "step_id": f"{plan}.2"}
    await stage.call("modify_plan", **change)
    added = {"action": "add_steps", "steps": [{"instructions": "x"}]}
    await stage.call("modify_plan", plan_id=plan, **added)
    second = await stage.call("get_next_step", plan_id=plan)

    assert first.data["step"]["order"] == 1  # type: ignore[index]  # a step
    assert second.data["step"]["order"] == 2  # type: ignore[index]  # a step
