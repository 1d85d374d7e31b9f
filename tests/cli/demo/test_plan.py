"""The demo's plan shows what it promises."""

from interlock.cli.demo.plan import play
from tests.cli.demo.conftest import Theatre


def test_a_plan_is_played_from_start_to_end(theatre: Theatre) -> None:
    stage = theatre.play(play)
    last = {r.ids[0]: r.target for r in stage.log() if r.change == "move" and r.ids}

    assert stage.status == "completed"
    assert last == {
        "search": "completed",
        "#5": "completed",
        "extract": "failed",
        "compare": "completed",
        "conclude": "completed",
    }
    assert stage.close().endswith("audit entries fold to the same unit")


def test_it_has_a_branch_a_dead_agent_a_review_and_refusals(theatre: Theatre) -> None:
    stage = theatre.play(play)
    log = stage.log()
    signals = [record.signal for record in log]

    assert stage.refusals == 2
    assert "stall" in signals
    assert "resume" in signals
    assert signals.count("ask") == 2
    assert [r.ids for r in log if r.change == "new" and r.event == "submit"] == [("#5",)]
    assert [r.value for r in log if r.field == "attempt"] == [2]
