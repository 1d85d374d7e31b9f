"""The demo's mission shows what it promises."""

from interlock.cli.demo.mission import ASSETS, play
from interlock.workflows.mission.workflow import WORKFLOW


def test_a_mission_is_played_from_start_to_end() -> None:
    stage = play()
    hops = [part for part in stage.now.parts if part.kind == "hop"]
    steps = [part for part in stage.now.parts if part.kind == "tool_step"]

    assert stage.now.unit.status == "COMPLETED"
    assert [hop.status for hop in hops] == ["COMPLETED"] * 3
    assert [hop.fields["is_final"] for hop in hops] == [False, False, True]
    assert {step.status for step in steps} == {"COMPLETED"}
    assert {stage.now.part(name).status for name in ASSETS} == {"READY"}
    assert stage.close().endswith("records fold to the same unit")


def test_it_has_a_redesign_a_retry_in_place_and_a_repair() -> None:
    log = play().log
    hop_moves = [(r.signal, r.ids[0]) for r in log if r.change == "move" and r.kind == "hop"]
    held = [r.value for r in log if r.is_unit and r.field == "held"]

    assert ("request_changes", "hop-2") in hop_moves
    assert ("step_failed", "hop-2") in hop_moves
    assert ("fix_hop", "hop-2") in hop_moves
    assert held == [True, False]
    assert [r.value for r in log if r.field == "tries"] == [1]


def test_every_status_of_a_mission_but_the_sad_ends_is_seen() -> None:
    log = play().log
    seen = {record.target for record in log if record.is_unit and record.target}

    assert set(WORKFLOW.unit.names()) - seen == {"FAILED", "CANCELLED"}
