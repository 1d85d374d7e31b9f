"""Every way to change a plan, and every constraint on it."""

import asyncio
from typing import cast

import pytest

from interlock.kernel.seen import Part
from interlock.service.verify import verify
from interlock.store.script import Key
from tests.stage import BOB, HOME, PAT, Stage, opened, staged

Rows = list[dict[str, object]]


async def _titles(stage: Stage, plan: str) -> list[str]:
    rows = (await stage.whole(plan)).parts
    return [str(row.part.fields["title"]) for row in rows]


def _new(*titles: str) -> list[dict[str, object]]:
    return [{"title": title, "instructions": title} for title in titles]


@staged
async def test_steps_are_added_at_the_end_or_after_another(stage: Stage) -> None:
    plan = await stage.plan(2)
    change = {"plan_id": plan, "action": "add_steps"}

    await stage.call("modify_plan", **change, steps=_new("last"))
    await stage.call("modify_plan", **change, steps=_new("a", "b"), insert_after_order=1)
    answer = await stage.call("modify_plan", **change, steps=_new("end"), insert_after_order=5)

    assert await _titles(stage, plan) == ["find out 1", "a", "b", "find out 2", "last", "end"]
    steps = cast("Rows", answer.data["steps"])
    assert [row["order"] for row in steps] == [1, 2, 3, 4, 5, 6]
    assert (await verify(stage.engine, HOME, plan)).findings == []


@staged
async def test_added_steps_may_depend_on_earlier_and_on_each_other(stage: Stage) -> None:
    plan = await stage.plan(1)
    steps = _new("a", "b")
    steps[1]["depends_on"] = [f"{plan}.1", "+1"]
    await stage.call("modify_plan", plan_id=plan, action="add_steps", steps=steps)

    whole = await stage.whole(plan)

    assert set(whole.parts[2].part.needs) == {f"{plan}.1", f"{plan}.2"}
    assert whole.parts[2].waits == 2
    for depends_on in (["+2"], ["+0"], [f"{plan}.9"], ["x"]):
        wrong = [{**_new("c")[0], "depends_on": depends_on}]
        no = await stage.refused("modify_plan", plan_id=plan, action="add_steps", steps=wrong)
        assert no.code == "INVALID_STEP_REFERENCE", depends_on


@staged
async def test_a_step_is_removed_with_what_hangs_on_it(stage: Stage) -> None:
    branch = {"after_step_order": 1, "expression": "go === true", "action": "skip_to", "target_step_order": 2}  # fmt: skip
    plan = await stage.plan(3, branching_conditions=[branch])

    answer = await stage.call(
        "modify_plan", plan_id=plan, action="remove_step", step_id=f"{plan}.2"
    )

    assert len(answer.warnings) == 1
    assert (await stage.whole(plan)).conditions == ()
    assert await _titles(stage, plan) == ["find out 1", "find out 3"]
    assert (await verify(stage.engine, HOME, plan)).findings == []


@staged
async def test_steps_are_put_in_another_order(stage: Stage) -> None:
    plan = await stage.plan(3)
    order = [f"{plan}.{number}" for number in (3, 1, 2)]

    answer = await stage.call(
        "modify_plan", plan_id=plan, action="reorder_steps", step_ids=order,
        modification_rationale="the last is urgent",
    )  # fmt: skip

    assert [row["step_id"] for row in cast("Rows", answer.data["steps"])] == order
    assert (await stage.claim(plan))[0] == order[0]
    assert (await verify(stage.engine, HOME, plan)).findings == []
    assert "the last is urgent" in [body.get("rationale") for body in await stage.audit(plan)]


@staged
async def test_an_order_must_be_whole_and_keep_dependencies(stage: Stage) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b", "depends_on": [1]}]
    plan = await stage.plan(2, steps=steps)
    one, two = f"{plan}.1", f"{plan}.2"

    for order in ([two, one], [one], [one, one], [one, two, two], [one, f"{plan}.3"], []):
        no = await stage.refused(
            "modify_plan", plan_id=plan, action="reorder_steps", step_ids=order
        )
        assert no.code == "INVALID_STEP_REFERENCE", order


@staged
async def test_instructions_change_in_any_status_of_a_step(stage: Stage) -> None:
    plan = await stage.plan(2)
    step, lease = await stage.claim(plan)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="s")
    change = {"plan_id": plan, "action": "update_step_instructions", "step_id": step}

    await stage.call("modify_plan", **change, instructions="anew", acceptance="two sources")

    fields = (await stage.whole(plan)).parts[0].part.fields
    assert (fields["instructions"], fields["acceptance"]) == ("anew", "two sources")
    assert (await stage.refused("modify_plan", **change)).code == "INVALID_INPUT"


@staged
async def test_a_step_fails_with_a_reason_and_is_retried(stage: Stage) -> None:
    plan = await stage.plan(2)
    change = {"plan_id": plan, "step_id": f"{plan}.1"}

    assert (
        await stage.refused("modify_plan", **change, action="fail_step")
    ).code == "REASON_REQUIRED"
    await stage.call("modify_plan", **change, action="fail_step", reason="gone")
    assert await stage.standing(plan) == "executing: failed pending"
    await stage.call("modify_plan", **change, action="retry_step")
    fields = (await stage.whole(plan)).parts[0].part.fields
    assert (await stage.standing(plan), fields["attempt"]) == ("executing: pending pending", 2)
    again = await stage.refused("modify_plan", **change, action="retry_step")
    assert again.code == "INVALID_TRANSITION"


@staged
async def test_conditions_are_added_and_removed(stage: Stage) -> None:
    plan = await stage.plan(3)
    change = {"plan_id": plan, "action": "add_condition"}
    skip = {"after_step_order": 1, "expression": "go === true", "action": "skip_to", "target_step_order": 3}  # fmt: skip
    fail = {"after_step_order": 1, "expression": "bad === true", "action": "fail", "reason": "no"}
    await stage.call("modify_plan", **change, condition=fail)
    await stage.call("modify_plan", **change, condition=skip)
    gone = {"plan_id": plan, "action": "remove_condition", "step_id": f"{plan}.1"}
    no = await stage.refused("modify_plan", **gone, condition_number=3)
    await stage.call("modify_plan", **gone, condition_number=1)

    step, lease = await stage.claim(plan)
    await stage.call(
        "submit_step_result", step_id=step, lease=lease, result_summary="s",
        result={"go": True, "bad": True},
    )  # fmt: skip

    assert no.code == "INVALID_STEP_REFERENCE"
    assert await stage.standing(plan) == "executing: completed skipped pending"


@staged
async def test_conditions_that_are_added_at_once_are_all_kept(stage: Stage) -> None:
    plan = await stage.plan(2)
    told = {"after_step_order": 1, "action": "fail", "reason": "no"}
    change = {"plan_id": plan, "action": "add_condition"}
    texts = [f"n === {number}" for number in range(4)]

    await asyncio.gather(
        *(stage.call("modify_plan", **change, condition={**told, "expression": t}) for t in texts)
    )

    kept = [row.expression for _, row in (await stage.whole(plan)).conditions]
    assert sorted(kept) == texts


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ({"after_step_order": 3, "action": "fail"}, "INVALID_STEP_REFERENCE"),
        ({"after_step_order": 1, "action": "skip_to"}, "INVALID_STEP_REFERENCE"),
        ({"after_step_order": 2, "action": "skip_to", "target_step_order": 1}, "INVALID_STEP_REFERENCE"),
        ({"after_step_order": 1, "action": "add_steps"}, "INVALID_STEP_REFERENCE"),
        ({"after_step_order": 1, "action": "fail", "expression": "a ="}, "INVALID_EXPRESSION"),
    ],
)  # fmt: skip
@staged
async def test_a_condition_that_makes_no_sense_is_refused(
    stage: Stage, condition: dict[str, object], code: str
) -> None:
    plan = await stage.plan(2)
    told = {"expression": "a === 1", **condition}
    no = await stage.refused("modify_plan", plan_id=plan, action="add_condition", condition=told)

    assert no.code == code


@staged
async def test_settings_change(stage: Stage) -> None:
    plan = await stage.plan(2)
    await stage.call(
        "modify_plan", plan_id=plan, action="update_plan", name="B", max_parallel_steps=1,
        stall_after=60, review_policy="human", output_formatting_notes="short",
    )  # fmt: skip
    fields = (await stage.whole(plan)).row.unit.fields

    assert (fields["name"], fields["max_parallel"], fields["lease_ms"]) == ("B", 1, 60_000)
    assert (fields["review_policy"], fields["formatting_notes"]) == ("human", "short")
    await stage.claim(plan)
    assert (await stage.call("get_next_step", BOB, plan_id=plan)).status == "no_pending_steps"
    nothing = await stage.refused("modify_plan", plan_id=plan, action="update_plan")
    assert nothing.code == "INVALID_INPUT"


@staged
async def test_what_an_action_needs_is_said(stage: Stage) -> None:
    plan = await stage.plan(2)
    change = {"plan_id": plan}
    for action in ("remove_step", "fail_step", "retry_step", "update_step_instructions", "add_steps", "add_condition"):  # fmt: skip
        no = await stage.refused("modify_plan", **change, action=action)
        assert (no.code, bool(no.fix)) == ("INVALID_INPUT", True), action
    far = {"action": "add_steps", "steps": _new("x"), "insert_after_order": 9}
    assert (await stage.refused("modify_plan", **change, **far)).code == "INVALID_STEP_REFERENCE"
    one = await stage.plan(1)
    last = await stage.refused("modify_plan", plan_id=one, action="remove_step", step_id=f"{one}.1")
    assert last.code == "LAST_STEP"
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    ended = await stage.refused("modify_plan", **change, action="update_plan", name="x")
    assert ended.code == "PLAN_TERMINAL"


DRY = (
    {"action": "add_steps", "steps": _new("a", "b"), "insert_after_order": 1},
    {"action": "remove_step", "step_id": 2},
    {"action": "reorder_steps", "step_ids": (1, 3, 2)},
    {"action": "update_step_instructions", "step_id": 3, "title": "Other"},
    {"action": "update_plan", "name": "Another name"},
    {"action": "fail_step", "step_id": 1, "reason": "enough"},
    {
        "action": "add_condition",
        "condition": {"after_step_order": 1, "expression": "go === true", "action": "fail"},
    },
)
"""Changes of a plan with three steps, of which the first is held; steps by their numbers."""


async def _everything(stage: Stage, plan: str) -> object:
    whole = await stage.whole(plan)
    unit = (whole.row.version, whole.row.head, whole.row.changed_at, whole.row.unit.fields)
    parts = [_standing(row.part) for row in whole.parts]
    count = len(await stage.audit(plan))
    return unit, parts, whole.conditions, dict(whole.due), count


def _standing(part: Part) -> object:
    return part.kind, part.status, part.fields, part.parent, part.needs


@pytest.mark.parametrize("change", DRY, ids=[str(one["action"]) for one in DRY])
@staged
async def test_a_preview_tells_what_would_be_and_changes_nothing(
    stage: Stage, change: dict[str, object]
) -> None:
    plan = await stage.plan(3)
    await stage.claim(plan)
    told = {**change, "plan_id": plan}
    for word in ("step_id", "step_ids"):
        if word in told:
            numbers = told[word] if isinstance(told[word], tuple) else (told[word],)
            names = [f"{plan}.{number}" for number in cast("tuple[int, ...]", numbers)]
            told[word] = names if word == "step_ids" else names[0]
    before = await _everything(stage, plan)
    shown = await stage.call("modify_plan", PAT, **told, dry_run=True, request_id="r1")
    again = await stage.call("modify_plan", PAT, **told, dry_run=True, request_id="r1")

    assert await _everything(stage, plan) == before
    assert await stage.engine.store.reply(HOME, Key("pat", "r1", "")) is None
    assert shown.receipt is None
    assert shown.data.pop("is_preview") is True
    assert again.data.pop("is_preview") is True
    assert again == shown
    # What is then done in earnest is what was shown, with the very request id of the preview.
    real = await stage.call("modify_plan", PAT, **told, request_id="r1")
    assert real.receipt is not None
    assert (real.data, real.status, real.legal_moves) == (
        shown.data, shown.status, shown.legal_moves,
    )  # fmt: skip
    assert await _everything(stage, plan) != before


@staged
async def test_a_preview_is_refused_as_the_change_would_be(stage: Stage) -> None:
    plan = await stage.plan(2)
    step, _ = await stage.claim(plan)
    before = await _everything(stage, plan)
    wrong = (
        {"action": "remove_step", "step_id": step},
        {"action": "retry_step", "step_id": step},
        {"action": "add_steps"},
    )
    for change in wrong:
        dry = await stage.refused("modify_plan", PAT, plan_id=plan, **change, dry_run=True)
        real = await stage.refused("modify_plan", PAT, plan_id=plan, **change)
        assert (dry.code, dry.message, dry.fix) == (real.code, real.message, real.fix)

    assert await _everything(stage, plan) == before


@staged
async def test_a_preview_is_decided_on_what_really_stands(stage: Stage) -> None:
    plan = await stage.plan(2)
    async with opened(stage.where) as other:
        await other.call("modify_plan", PAT, plan_id=plan, action="add_steps", steps=_new("c"))
    told = {"plan_id": plan, "action": "update_plan", "name": "Another"}
    shown = await stage.call("modify_plan", PAT, **told, dry_run=True)

    assert len(cast("Rows", shown.data["steps"])) == 3
