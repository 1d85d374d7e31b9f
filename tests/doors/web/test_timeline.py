"""The timeline: entries of the audit in words, the newest first."""

import json

from interlock.doors.web.timeline import SAID_MAX, Branch, entries
from interlock.store.chain import Link
from interlock.store.port import AuditRow


def _row(sequence: int, **body: object) -> AuditRow:
    whole = {"actor": {"kind": "agent", "id": "ann"}, "event": "submit", "change": "move", **body}
    return AuditRow("", "home", "plan-1", Link(sequence, sequence * 10, json.dumps(whole), ""))


def test_an_entry_says_what_happened_to_what_by_whom_and_why() -> None:
    branch = {"expression": "n < 3", "value": True, "action": "add_steps", "applied": False}
    rows = [
        _row(1, event="begin", change="begin", target="planning"),
        _row(2, event="request_review", ids=["plan-1.2"], source="a", target="b", reason="why"),
        _row(3, event="fail_step", reason="fail_step", told={"reason": "the list is gone"}),
        _row(4, branches=[{**branch, "why_not": "full"}], told={"note": "x" * 999}),
    ]
    last, failed, asked, made = entries(rows)

    assert (made.what, made.actor["id"]) == ("made", "ann")
    assert (asked.what, asked.about, asked.said) == ("request review", ("plan-1.2",), "why")
    assert (asked.source, asked.target, asked.at) == ("a", "b", 20)
    assert failed.said == "the list is gone"
    assert last.branches == (
        Branch("n < 3", value=True, action="add steps", is_applied=False, why_not="full"),
    )
    assert len(last.said) == SAID_MAX


def test_parts_that_come_and_go_and_decisions_are_called_so() -> None:
    rows = [_row(1, change="new"), _row(2, change="drop"), _row(3, decision="approve")]

    assert [entry.what for entry in entries(rows)] == ["approve", "removed", "added"]
