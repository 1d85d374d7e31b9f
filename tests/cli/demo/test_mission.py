"""The demo's mission shows what it promises."""

from interlock.cli.demo.mission import ASSETS, play
from interlock.workflows.mission.workflow import WORKFLOW
from tests.cli.demo.conftest import Theatre


def test_a_mission_is_played_from_start_to_end(theatre: Theatre) -> None:
    stage = theatre.play(play)
    moves = [r for r in stage.log() if r.change == "move"]
    last = {(r.kind, name): r.target for r in moves for name in r.ids}

    assert stage.status == "COMPLETED"
    assert [to for (kind, _), to in last.items() if kind == "hop"] == ["COMPLETED"] * 3
    assert {last["asset", name] for name in ASSETS} == {"READY"}
    assert stage.close().endswith("audit entries fold to the same unit")


def test_it_has_a_redesign_a_retry_in_place_and_a_repair(theatre: Theatre) -> None:
    log = theatre.play(play).log()
    hop_moves = [r.signal for r in log if r.change == "move" and r.kind == "hop"]
    held = [r.value for r in log if r.is_unit and r.field == "held"]

    assert {"request_changes", "step_failed", "fix_hop"} <= set(hop_moves)
    assert held == [True, False]
    assert [r.value for r in log if r.field == "tries"] == [1]


def test_every_status_of_a_mission_but_the_sad_ends_is_seen(theatre: Theatre) -> None:
    log = theatre.play(play).log()
    seen = {record.target for record in log if record.is_unit and record.target}

    assert set(WORKFLOW.unit.names()) - seen == {"FAILED", "CANCELLED"}
