"""How a ticket is told at a terminal: errors with each member's outcome, councils, warnings."""

from pathlib import Path
from typing import Any

from interlock.cli.standing import standing
from tests.cli.brought import built
from tests.cli.home import Home
from tests.doors.web.ticket.built import reviewing

PHASE = {"name": "CODING", "label": "Implementing", "group": "Implementation", "view": "coding"}
DATA: dict[str, Any] = {
    "ticket_id": "ticket-1", "title": "Sell [red]apples", "project_id": "project-1",
    "phase": PHASE, "documents": {"prd": "d" * 64},
}  # fmt: skip


def told(**more: object) -> list[str]:
    """Return the lines about a ticket."""
    return list(standing({**DATA, **more}))


def test_what_others_wrote_is_no_markup() -> None:
    assert "Sell \\[red]apples" in told()[0]


def test_an_error_is_told_with_what_each_member_came_to() -> None:
    error = {
        "code": "QUORUM_NOT_MET", "message": "one answer", "occurrence": 2,
        "previous_status": "DRAFTING_PRD", "members": {"ann": "completed", "ben": "timed_out"},
    }  # fmt: skip
    lines = "\n".join(told(error=error))

    assert "QUORUM_NOT_MET[/red]: one answer" in lines
    assert "occurrence 2, in DRAFTING_PRD" in lines
    assert "ben  timed_out" in lines
    assert "interlock ticket retry ticket-1" in lines


def test_work_and_council_are_told_with_points_and_warnings() -> None:
    work = [
        {"part_id": "ticket-1.4", "outcome": "completed", "member": "ann", "task": "vote"},
        {
            "part_id": "ticket-1.5", "outcome": "failed", "member": "ben", "task": "vote",
            "failure": {"class": "failed", "message": "no model"},
        },
    ]  # fmt: skip
    council = {"members": ["ann", "ben"], "quorum": 1, "totals": {"ann": 90}, "winner": "ann"}
    lines = "\n".join(
        told(work=work, council=council, warnings={"prd": ["A gap is left."], "interview": []})
    )

    assert "[green]✓[/green] ann  vote  completed" in lines
    assert "ben  vote  failed  [red]no model[/red]" in lines
    assert "ann 90, ben; ann won" in lines
    assert "prd: A gap is left." in lines
    assert "interview:" not in lines


def test_a_pull_request_that_waits_says_how_it_is_merged(tmp_path: Path) -> None:
    home = Home(tmp_path)
    ticket = built(home, reviewing)
    shown = home.ask("ticket", "status", ticket).out

    assert f"waits  interlock ticket merge {ticket}" in shown
    assert f"interlock ticket close-unmerged {ticket}" in shown
    assert "tokens             90,000 of 100,000" in shown
    home.ask("ticket", "merge", ticket)
    assert "ticket merge" not in home.ask("ticket", "status", ticket).out
