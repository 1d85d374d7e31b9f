"""The demo's ticket shows what it promises."""

from interlock.cli.demo.ticket import play
from interlock.workflows.ticket.workflow import WORKFLOW


def test_a_ticket_is_played_from_a_draft_to_its_end() -> None:
    stage = play()
    beads = [part for part in stage.now.parts if part.kind == "bead"]

    assert stage.now.unit.status == "COMPLETED"
    assert [bead.status for bead in beads] == ["done"] * 3
    assert stage.close().endswith("records fold to the same unit")


def test_every_phase_but_canceled_is_visited() -> None:
    log = play().log
    seen = {record.target for record in log if record.is_unit and record.target}

    assert set(WORKFLOW.unit.names()) - seen == {"CANCELED"}


def test_it_has_gaps_a_failed_attempt_and_a_blocked_ticket_that_is_retried() -> None:
    stage = play()
    signals = [record.signal for record in stage.log if record.change == "move"]

    assert stage.refusals == 2
    assert [signals.count(name) for name in ("GAPS_FOUND", "retry", "BEAD_ERROR", "RETRY")] == [
        1
    ] * 4
    assert signals.count("BATCH_ANSWERED") == 2
    assert signals.count("APPROVE") == 3
    assert signals.count("BEAD_COMPLETE") == 3


def test_the_whole_council_drafts_and_votes_three_times() -> None:
    members = [
        r.actor.session for r in play().log if r.event == "submit_work" and r.actor.kind == "agent"
    ]

    assert set(members) == {"member-1", "member-2", "member-3"}
