"""The four maps, typed a second time from the specification, edge for edge."""

import pytest

from interlock.kernel.machine import Machine
from interlock.workflows.mission.machines import (
    ACTIVE_HOP,
    ASSET,
    ENDED,
    HOP,
    LIVE,
    MISSION,
    TOOL_STEP,
    UNFINISHED_STEP,
    WITH_HOP,
)

MAPS: dict[str, dict[str, set[str]]] = {
    "mission": {
        "PROPOSED": {"READY_FOR_NEXT_HOP", "FAILED", "CANCELLED"},
        "READY_FOR_NEXT_HOP": {"BUILDING_HOP", "COMPLETED", "FAILED", "CANCELLED"},
        "BUILDING_HOP": {"HOP_READY_TO_EXECUTE", "FAILED", "CANCELLED"},
        "HOP_READY_TO_EXECUTE": {"BUILDING_HOP", "EXECUTING_HOP", "FAILED", "CANCELLED"},
        "EXECUTING_HOP": {"READY_FOR_NEXT_HOP", "BUILDING_HOP", "COMPLETED", "FAILED", "CANCELLED"},
        "COMPLETED": set(),
        "FAILED": {"CANCELLED"},
        "CANCELLED": set(),
    },
    "hop": {
        "PROPOSED": {"READY_TO_RESOLVE", "FAILED", "CANCELLED"},
        "READY_TO_RESOLVE": {"PROPOSED", "READY_TO_EXECUTE", "FAILED", "CANCELLED"},
        "READY_TO_EXECUTE": {"READY_TO_RESOLVE", "EXECUTING", "FAILED", "CANCELLED"},
        "EXECUTING": {"COMPLETED", "FAILED", "CANCELLED"},
        "COMPLETED": set(),
        "FAILED": {"READY_TO_RESOLVE", "CANCELLED"},
        "CANCELLED": {"PROPOSED"},
    },
    "tool_step": {
        "PROPOSED": {"READY_TO_CONFIGURE", "CANCELLED"},
        "READY_TO_CONFIGURE": {"READY_TO_EXECUTE", "PROPOSED", "FAILED", "CANCELLED"},
        "READY_TO_EXECUTE": {"EXECUTING", "READY_TO_CONFIGURE", "CANCELLED"},
        "EXECUTING": {"COMPLETED", "FAILED", "CANCELLED"},
        "COMPLETED": set(),
        "FAILED": {"READY_TO_CONFIGURE"},
        "CANCELLED": set(),
    },
    "asset": {
        "PROPOSED": {"PENDING"},
        "PENDING": {"IN_PROGRESS", "READY", "EXPIRED"},
        "IN_PROGRESS": {"READY", "ERROR", "EXPIRED", "PENDING"},
        "READY": {"IN_PROGRESS", "EXPIRED"},
        "ERROR": {"PENDING", "IN_PROGRESS"},
        "EXPIRED": {"PENDING"},
    },
}

MACHINES = (MISSION, HOP, TOOL_STEP, ASSET)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_the_map_is_the_one_of_the_specification(machine: Machine) -> None:
    drawn = {status: set(machine.targets(status)) for status in machine.names()}

    assert drawn == MAPS[machine.name]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_everything_begins_as_a_proposal(machine: Machine) -> None:
    assert machine.initial == "PROPOSED"


@pytest.mark.parametrize(
    ("machine", "gates"),
    [
        (MISSION, ("PROPOSED", "HOP_READY_TO_EXECUTE")),
        (HOP, ("PROPOSED", "READY_TO_EXECUTE")),
        (TOOL_STEP, ()),
        (ASSET, ()),
    ],
    ids=lambda value: value.name if isinstance(value, Machine) else "",
)
def test_people_decide_at_these_gates(machine: Machine, gates: tuple[str, ...]) -> None:
    assert machine.names("gate") == gates


@pytest.mark.parametrize("machine", [MISSION, HOP, TOOL_STEP], ids=lambda machine: machine.name)
def test_three_ends_and_one_of_them_is_a_success(machine: Machine) -> None:
    assert machine.names("terminal") == ("COMPLETED", "FAILED", "CANCELLED")
    assert [s.name for s in machine.statuses if s.is_success] == ["COMPLETED"]


def test_the_lists_of_statuses_cover_what_they_say() -> None:
    assert (*LIVE, *ENDED) == MISSION.names()
    assert set(WITH_HOP) < set(LIVE)
    assert HOP.names("active", "gate") == ACTIVE_HOP
    assert TOOL_STEP.names("active") == UNFINISHED_STEP


def test_every_status_has_a_label_and_every_mission_a_column() -> None:
    assert all(status.label for machine in MACHINES for status in machine.statuses)
    assert {status.group for status in MISSION.statuses} == {"needs you", "in progress", "done"}
