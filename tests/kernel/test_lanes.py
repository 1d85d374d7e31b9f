"""Which lane of a board a unit stands in: one table over the statuses of every workflow."""

import pytest

from interlock.kernel.lanes import LANES, WORDS, lane, standings, tone
from interlock.kernel.machine import Machine, Status
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.tiny import CASES

# fmt: off
TABLE = (
    # workflow  status                    calm         asked        tone
    ("plan",    "planning",               "todo",      "todo",      "active"),
    ("plan",    "executing",              "doing",     "needs_you", "active"),
    ("plan",    "awaiting_review",        "needs_you", "needs_you", "gate"),
    ("plan",    "stalled",                "needs_you", "needs_you", "trouble"),
    ("plan",    "completed",              "done",      "done",      "success"),
    ("plan",    "failed",                 "done",      "done",      "terminal"),
    ("mission", "PROPOSED",               "needs_you", "needs_you", "gate"),
    ("mission", "READY_FOR_NEXT_HOP",     "doing",     "needs_you", "active"),
    ("mission", "BUILDING_HOP",           "doing",     "needs_you", "active"),
    ("mission", "HOP_READY_TO_EXECUTE",   "needs_you", "needs_you", "gate"),
    ("mission", "EXECUTING_HOP",          "doing",     "needs_you", "active"),
    ("mission", "COMPLETED",              "done",      "done",      "success"),
    ("mission", "FAILED",                 "done",      "done",      "terminal"),
    ("mission", "CANCELLED",              "done",      "done",      "terminal"),
    ("ticket",  "DRAFT",                  "todo",      "todo",      "gate"),
    ("ticket",  "SCANNING_RELEVANT_FILES", "doing",    "needs_you", "active"),
    ("ticket",  "WAITING_PRD_APPROVAL",   "needs_you", "needs_you", "gate"),
    ("ticket",  "CODING",                 "doing",     "needs_you", "active"),
    ("ticket",  "BLOCKED_ERROR",          "needs_you", "needs_you", "trouble"),
    ("ticket",  "COMPLETED",              "done",      "done",      "success"),
    ("ticket",  "CANCELED",               "done",      "done",      "terminal"),
)
# fmt: on


@pytest.mark.parametrize(("workflow", "status", "calm", "asked", "shown"), TABLE)
def test_a_status_says_its_lane(
    workflow: str, status: str, calm: str, asked: str, shown: str
) -> None:
    assert standings(WORKFLOWS[workflow])[status] == (calm, asked, shown)


def test_every_status_of_every_workflow_has_a_lane_and_only_the_ended_are_done() -> None:
    for flow in WORKFLOWS.values():
        found = standings(flow)
        assert list(found) == list(flow.unit.names())
        for status in flow.unit.statuses:
            standing = found[status.name]
            assert {standing.calm, standing.asked} <= set(LANES)
            assert (standing.calm == "done") == (status.kind == "terminal")
            assert (standing.asked == "done") == (status.kind == "terminal")


def test_a_workflow_that_names_no_lanes_has_them_all_the_same() -> None:
    new, busy, ask = Status("new"), Status("busy"), Status("ask", "gate")
    repair, end = Status("repair", "active", is_trouble=True), Status("end", "terminal")
    machine = Machine("box", "new", (new, busy, ask, repair, end), ())

    def at(status: Status, *, is_asked: bool = False) -> str:
        return lane(machine, status, is_asked=is_asked)

    assert [at(one) for one in machine.statuses] == [
        "todo", "doing", "needs_you", "needs_you", "done",
    ]  # fmt: skip
    assert at(new, is_asked=True) == at(busy, is_asked=True) == "needs_you"
    assert tone(repair) == "trouble"
    assert standings(CASES)["open"] == ("todo", "needs_you", "active")


def test_a_first_status_that_is_in_progress_says_so() -> None:
    begun = Status("begun", group="in progress")

    assert lane(Machine("box", "begun", (begun,), ()), begun, is_asked=False) == "doing"
    assert set(WORDS.values()) == set(LANES)
