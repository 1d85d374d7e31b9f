"""Failure classes: what is tried again in place, and what a person can repair."""

from typing import Final

import pytest

from tests.spec.door import ADA, BOB, Document, Door, promise
from tests.spec.mission.places import Brought, bring
from tests.spec.mission.reading import part, status, walk
from tests.spec.mission.working import claim, finish
from tests.stage import DAY_MS

pytestmark = pytest.mark.every_store

CLASSES: Final = {
    "transient": (3, True), "validation": (1, True), "configuration": (1, True),
    "user_correctable": (1, True), "resource_unavailable": (1, False), "system": (1, False),
    "unhandled": (1, False),
}  # fmt: skip
"""How often a step is tried, and whether the mission is held after that."""


def param(name: str) -> object:
    """Return a class with the row of the spec that has it."""
    rows = {
        "configuration": "validation", "unhandled": "system", "user_correctable": "user-correctable",
    }  # fmt: skip
    return pytest.param(name, marks=pytest.mark.promise(f"failure.{rows.get(name, name)}"))


async def step(door: Door, it: Brought) -> Document:
    """Return the step in question with its fields."""
    return await part(door, it, it.step)


@promise("failure.declared")
@pytest.mark.parametrize("failure", [param(name) for name in CLASSES])
async def test_a_failure_is_tried_again_and_held_by_its_class(door: Door, failure: str) -> None:
    tries, is_held = CLASSES[failure]
    it = await bring(door.stage, "running")
    for tried in range(1, tries):
        await finish(door, it, failure=failure)
        one = await step(door, it)
        assert (one["status"], one["fields"]["tries"]) == ("EXECUTING", tried)
    await finish(door, it, failure=failure)
    data = await status(door, it)

    assert (await step(door, it))["status"] == "FAILED"
    assert (data["status"], data.get("held", False)) == (
        "EXECUTING_HOP" if is_held else "FAILED", is_held,
    )  # fmt: skip


@promise("failure.transient")
async def test_a_resource_that_is_down_cannot_be_repaired(door: Door) -> None:
    it = await bring(door.stage, "running")
    for _ in range(3):
        await finish(door, it, failure="transient", resource_down=True)

    assert (await status(door, it))["status"] == "FAILED"


@promise("failure.declared")
async def test_a_class_that_nobody_knows_is_refused(door: Door) -> None:
    it = await bring(door.stage, "running")
    told = {"part_id": it.step, "lease": it.lease, "failure": "bad luck"}

    assert (await door.refuse("submit_tool_result", ADA, **told))["code"] == "INVALID_INPUT"


@promise("step.expired-lease")
async def test_a_lease_that_ran_out_is_a_transient_failure(door: Door) -> None:
    it = await bring(door.stage, "running")
    before = await door.sequence(it.mission)
    for tried in (1, 2):
        await door.stage.pass_ms(DAY_MS)
        await door.sweep()
        assert (await step(door, it))["fields"]["tries"] == tried
        told = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
        assert (await door.ask("get_next_work", BOB, **told))["status"] == "claimed"
    await door.stage.pass_ms(DAY_MS)
    await door.sweep()

    assert (await walk(door, it, before)).startswith("tool_step EXECUTING>FAILED")
    assert (await status(door, it))["held"] is True


@promise("cascade.late-result")
async def test_a_result_after_a_cancel_is_recorded_and_discarded(door: Door) -> None:
    it = await bring(door.stage, "cancelled")
    before = await door.sequence(it.mission)
    told = {"part_id": it.step, "lease": it.lease, "outputs": {"rows": [7]}}
    no = await door.refuse("submit_tool_result", ADA, **told)
    kept = (await door.ask("list_artifacts", ADA, id=it.mission))["data"]["artifacts"]

    assert no["code"] == "LATE_RESULT"
    assert await door.sequence(it.mission) == before
    assert [one["name"] for one in kept if one["mark"] == "late"] == ["result"]


@promise("step.may-start", "step.in-order")
async def test_a_step_starts_alone_and_in_its_turn(door: Door) -> None:
    it = await bring(door.stage, "running")
    told = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
    assert (await door.ask("get_next_work", BOB, **told))["status"] == "no_work"
    await finish(door, it, outputs={"rows": [2]})
    before = await door.sequence(it.mission)
    following, _ = await claim(door, it, "tool_step")

    assert following != it.step
    assert (await walk(door, it, before)).startswith("tool_step READY_TO_EXECUTE>EXECUTING")
