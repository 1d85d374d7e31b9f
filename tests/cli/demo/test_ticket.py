"""The demo's ticket shows what it promises."""

from interlock.cli.demo.ticket import play
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.cli.demo.conftest import Theatre


def test_a_ticket_is_played_from_a_draft_to_its_end(theatre: Theatre) -> None:
    stage = theatre.play(play)
    last = {r.ids[0]: r.target for r in stage.log() if r.change == "move" and r.kind == "bead"}

    assert stage.status == "COMPLETED"
    assert list(last.values()) == ["done"] * 3
    assert stage.close().endswith("audit entries fold to the same unit")


def test_every_phase_but_canceled_is_visited(theatre: Theatre) -> None:
    log = theatre.play(play).log()
    seen = {record.target for record in log if record.is_unit and record.target}

    assert set(WORKFLOW.unit.names()) - seen == {"CANCELED"}


def test_it_has_gaps_a_failed_attempt_and_a_blocked_ticket_that_is_retried(
    theatre: Theatre,
) -> None:
    stage = theatre.play(play)
    signals = [record.signal for record in stage.log() if record.change == "move"]

    assert stage.refusals == 2
    assert [signals.count(name) for name in ("GAPS_FOUND", "retry", "BEAD_ERROR", "RETRY")] == [
        1
    ] * 4
    assert signals.count("BATCH_ANSWERED") == 2
    assert signals.count("APPROVE") == 3
    assert signals.count("BEAD_COMPLETE") == 3


def test_the_whole_council_drafts_and_votes_three_times(theatre: Theatre) -> None:
    log = theatre.play(play).log()
    members = [r.actor.session for r in log if r.event == "submit_work" and r.actor.kind == "agent"]

    assert set(members) == {"member-1", "member-2", "member-3"}
