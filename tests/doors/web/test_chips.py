"""How statuses look: by their row in the machine, for every machine there is."""

from interlock.doors.web.chips import Chip, chip, shortened
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.plan.machines import PLAN, STEP


def test_a_status_looks_like_what_it_is() -> None:
    assert [chip(PLAN, name).look for name in PLAN.names()] == [
        "idle", "active", "gate", "bad", "done", "bad",
    ]  # fmt: skip
    assert chip(STEP, "skipped") == Chip("idle", "Skipped")
    assert chip(STEP, "no_such") == Chip("idle", "no_such")


def test_every_status_of_every_workflow_has_a_word() -> None:
    for flow in WORKFLOWS.values():
        for machine in flow.machines():
            for name in machine.names():
                assert chip(machine, name).label.strip()


def test_what_only_a_unit_can_fill_in_is_left_out_of_its_label() -> None:
    assert shortened("Error (reason)") == "Error"
    assert shortened("Implementing (Bead ?/?)") == "Implementing"
    assert shortened("Coverage Check (PRD)") == "Coverage Check (PRD)"
    assert shortened("Error (NO_DISK)") == "Error (NO_DISK)"


def test_a_label_with_room_for_a_count_is_filled() -> None:
    ticket = WORKFLOWS["ticket"].unit

    assert chip(ticket, "CODING", (2, 5)).label == "Implementing (Bead 2/5)"
    assert chip(ticket, "CODING").label == "Implementing"
    assert chip(ticket, "DRAFT", (2, 5)).label == "Backlog"
