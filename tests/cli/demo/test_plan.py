"""The demo's plan shows what it promises."""

from interlock.cli.demo.plan import play


def test_a_plan_is_played_from_start_to_end() -> None:
    stage = play()
    statuses = dict(zip(stage.now.ids, (part.status for part in stage.now.parts), strict=True))

    assert stage.now.unit.status == "completed"
    assert statuses == {
        "search": "completed",
        "step-5": "completed",
        "extract": "failed",
        "compare": "completed",
        "conclude": "completed",
    }
    assert stage.close().endswith("records fold to the same unit")


def test_it_has_a_branch_a_dead_agent_a_review_and_refusals() -> None:
    stage = play()
    signals = [record.signal for record in stage.log]

    assert stage.refusals == 2
    assert "stall" in signals
    assert "resume" in signals
    assert signals.count("ask") == 2
    assert [r.ids for r in stage.log if r.change == "new" and r.event == "submit"] == [("step-5",)]
    assert stage.now.part("step-5").fields["attempt"] == 2
