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

    assert before.legal_moves[0] == "get_next_step"
    assert after.legal_moves == ()


@staged
async def test_an_agent_is_told_what_it_may_do_with_the_step_it_holds(stage: Stage) -> None:
    plan = await stage.plan(2)
    claimed = await stage.call("get_next_step", plan_id=plan)
    lease = claimed.data["step"]["lease"]["token"]  # type: ignore[index]  # a step
    done = await stage.call(
        "submit_step_result", step_id=f"{plan}.1", lease=lease, result_summary="s"
    )  # fmt: skip

    holding = {"submit_step_result", "heartbeat_step", "release_step", "request_user_review"}
    assert holding <= set(claimed.legal_moves)
    assert not holding & set(done.legal_moves)
    assert "get_next_step" in done.legal_moves


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
