"""What only a mission's page shows: hops as a path, tool steps, assets with roles, a repair."""

from interlock.doors.web.mission import mission
from interlock.doors.web.parts import lines
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.workflows.built_in import WORKFLOWS
from tests.doors.web.test_account import entered
from tests.stage import Stage, staged

FLOW = WORKFLOWS["mission"]


def _snapshot(**unit: object) -> Snapshot:
    parts = (
        Part("asset", "READY", {"name": "brief", "content": "0" * 64}),
        Part("asset", "PENDING", {"name": "report"}),
        Part("asset", "PENDING", {"name": "rows"}, parent="m.5"),
        Part("hop", "COMPLETED", {"name": "first", "sequence": 1, "inputs": ("m.1",)}),
        Part("hop", "FAILED", {"name": "last", "sequence": 2, "is_final": True, "output": "m.2",
                               "goal": "Write it", "error": {"message": "no luck"}}),
        Part("tool_step", "FAILED", {"tool": "template", "tries": 2, "makes": ("m.2",),
                                     "error": "a name is missing"}, parent="m.5", needs=("m.1",)),
    )  # fmt: skip
    fields = {"outputs": ("m.2",), "current": "m.5", **unit}
    return Snapshot(Unit("EXECUTING_HOP", fields), parts, tuple(f"m.{n}" for n in range(1, 7)))


def test_hops_stand_in_their_order_with_what_they_take_and_make() -> None:
    snapshot = _snapshot(held=True, deadline=77)
    told = mission(FLOW, snapshot, lines(FLOW, snapshot))
    first, last = told.hops

    assert (first.sequence, first.inputs, first.is_current) == (1, ("brief",), False)
    assert (last.output, last.is_final, last.is_current) == ("report", True, True)
    assert [piece.name for piece in last.said] == ["Goal"]
    (step,) = last.steps
    assert (step.tool, step.tries, step.inputs, step.makes) == (
        "template", 2, ("brief",), ("report",),
    )  # fmt: skip
    assert (last.error, step.error) == ("no luck", "a name is missing")
    assert (told.held, told.deadline) == (last, 77)


def test_assets_have_the_role_that_they_play() -> None:
    snapshot = _snapshot(reset_of="mission-1")
    told = mission(FLOW, snapshot, lines(FLOW, snapshot))

    assert [(one.name, one.role) for one in told.assets] == [
        ("brief", "input"), ("report", "output"), ("rows", "scratch"),
    ]  # fmt: skip
    assert told.assets[0].digest == "0" * 64
    assert (told.held, told.reset_of) == (None, "mission-1")


@staged
async def test_a_mission_is_shown_by_its_own_panels(stage: Stage) -> None:
    plan = await stage.plan(1)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}")

    assert 'id="hops"' not in browser.text
    assert 'id="parts"' in browser.text
