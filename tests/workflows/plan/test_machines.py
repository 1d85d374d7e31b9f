"""The two maps, written down a second time from the specification: edge for edge, no more."""

import pytest

from interlock.kernel.machine import Machine
from interlock.workflows.plan.machines import PLAN, SETTLED, STEP

PLAN_MAP = {
    "planning": {"executing", "failed"},
    "executing": {"awaiting_review", "stalled", "completed", "failed"},
    "awaiting_review": {"executing", "failed"},
    "stalled": {"executing", "failed"},
    "completed": set(),
    "failed": set(),
}
STEP_MAP = {
    "pending": {"in_progress", "skipped"},
    "in_progress": {"awaiting_input", "completed", "failed"},
    "awaiting_input": {"in_progress", "completed", "skipped", "failed"},
    "completed": set(),
    "skipped": set(),
    "failed": {"pending"},
}
MAPS = {"plan": (PLAN, PLAN_MAP), "step": (STEP, STEP_MAP)}


@pytest.mark.parametrize("name", MAPS)
def test_the_map_is_the_published_one(name: str) -> None:
    machine, published = MAPS[name]

    assert {status: set(machine.targets(status)) for status in machine.names()} == published


@pytest.mark.parametrize("name", MAPS)
def test_no_two_edges_leave_a_status_on_the_same_signal(name: str) -> None:
    machine, _ = MAPS[name]
    signals = [(edge.source, edge.on) for edge in machine.edges]

    assert len(set(signals)) == len(signals)


@pytest.mark.parametrize(
    ("machine", "start", "gates", "ends", "success"),
    [
        (PLAN, "planning", ("awaiting_review",), ("completed", "failed"), "completed"),
        (STEP, "pending", ("awaiting_input",), ("completed", "skipped", "failed"), "completed"),
    ],
    ids=["plan", "step"],
)
def test_start_gates_and_ends(
    machine: Machine, start: str, gates: tuple[str, ...], ends: tuple[str, ...], success: str
) -> None:
    assert machine.initial == start
    assert machine.names("gate") == gates
    assert machine.names("terminal") == ends
    assert [status.name for status in machine.statuses if status.is_success] == [success]


def test_what_settles_a_step_is_what_ends_it() -> None:
    assert set(SETTLED) == set(STEP.names("terminal"))


@pytest.mark.parametrize("name", MAPS)
def test_every_status_has_a_label_for_pages(name: str) -> None:
    machine, _ = MAPS[name]

    assert [s.label for s in machine.statuses] == [
        s.name.replace("_", " ").capitalize() for s in machine.statuses
    ]
