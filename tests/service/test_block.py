"""What is written about a corrupt unit follows from what of it can be believed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from interlock.kernel.seen import Actor
from interlock.kernel.snapshot import Snapshot, begin
from interlock.service.block import Found, blocked, rebuilt
from interlock.store.chain import Link
from interlock.store.port import AuditRow
from interlock.store.rows import BareRow, dump
from interlock.store.script import Change
from tests.ready import ready_flows

RUNNING = ready_flows()["ticket"]
CLOCK = Actor("system", "clock")
NAME = "ticket-a"


def standing(status: str, **fields: object) -> Snapshot:
    found = begin(RUNNING.flow, unit=fields)
    found.unit.status = status
    return found


def bare(status: str, snapshot: Snapshot | None = None) -> BareRow:
    fields = "{" if snapshot is None else dump(snapshot.unit.fields)
    return BareRow(NAME, "ticket", "d", status, 5, "h", 0, "", "{}", fields, 1, 2, None)


def entry(sequence: int, body: str) -> AuditRow:
    return AuditRow("", "home", NAME, Link(sequence, 1, body, f"h{sequence}"))


def block(
    row: BareRow, *, folded: Snapshot | None = None, rows: Snapshot | None = None,
    entries: Sequence[AuditRow] = (), fields: dict[str, object] | None = None,
) -> Change:  # fmt: skip
    found = Found(row, fields or {}, ("it is odd",), tuple(entries), None, folded, rows)
    return blocked(RUNNING, "home", found, (), CLOCK, 9)


def told(change: Change) -> tuple[object, ...]:
    fields = change.unit.unit.fields
    return change.unit.unit.status, fields["previous"], fields["is_lost"]


SEEN = "WAITING_PRD_APPROVAL"
MOVED = dump({
    "event": "approve", "actor": {"kind": "user", "id": "pat"}, "at": 1, "change": "move",
    "kind": "ticket", "unit": True, "signal": "APPROVE", "source": "WAITING_INTERVIEW_APPROVAL",
    "target": "REFINING_PRD", "sequence": 3,
})  # fmt: skip


@pytest.mark.parametrize(
    ("row", "folded", "rows", "previous"),
    [
        # The row says where it was, unless that is no phase, or one it cannot be blocked in.
        (SEEN, standing(SEEN), None, SEEN),
        (SEEN, None, None, SEEN),
        ("DREAMING", standing(SEEN), None, SEEN),
        ("COMPLETED", standing(SEEN), None, SEEN),
        ("BLOCKED_ERROR", standing(SEEN), None, SEEN),
        ("WAITING_BEADS_APPROVAL", standing(SEEN), None, "WAITING_BEADS_APPROVAL"),
        # A blocked one keeps where it came from.
        ("BLOCKED_ERROR", standing("BLOCKED_ERROR", previous=SEEN), None, SEEN),
        ("DREAMING", standing("BLOCKED_ERROR", previous=SEEN), None, SEEN),
        # Without an audit that holds the rows are believed, then what can be read of the audit.
        (SEEN, None, standing(SEEN), SEEN),
        ("DREAMING", None, None, "REFINING_PRD"),
    ],
)
def test_where_it_was(
    row: str, folded: Snapshot | None, rows: Snapshot | None, previous: str
) -> None:
    entries = () if folded or rows else (entry(2, "{"), entry(3, MOVED), entry(4, "[]"))

    assert told(block(bare(row), folded=folded, rows=rows, entries=entries)) == (
        "BLOCKED_ERROR", previous, False,
    )  # fmt: skip


def test_where_nobody_knows_it_is_lost() -> None:
    change = block(bare("DREAMING"), entries=(entry(1, "{"),))

    assert told(change) == ("BLOCKED_ERROR", None, True)


def test_of_a_broken_audit_a_blocked_ticket_keeps_what_its_row_says() -> None:
    change = block(bare("BLOCKED_ERROR"), fields={"previous": "CODING", "occurrence": 3})

    assert told(change) == ("BLOCKED_ERROR", "CODING", False)
    assert change.unit.unit.fields["occurrence"] == 4


def test_the_entry_is_appended_behind_whatever_is_further() -> None:
    (first,) = block(bare(SEEN)).entries
    (after,) = block(bare(SEEN), entries=(entry(8, "{"),)).entries

    assert (first.sequence, after.sequence) == (6, 9)
    assert '"wrong":["it is odd"]' in first.body
    assert '"signal":"ERROR"' in first.body


def test_fields_are_rebuilt_where_it_stands() -> None:
    folded = standing(SEEN, members=3)
    found = Found(bare("CODING"), {}, ("gone",), (), None, folded, None)

    change = rebuilt(RUNNING, "home", found, CLOCK, 9)

    assert found.is_fieldless
    assert not replace(found, fields={"members": 3}).is_fieldless
    assert change.unit.unit.status == "CODING"
    assert cast("int", change.unit.unit.fields["members"]) == 3
    assert change.body == dump(folded.unit.fields)
    (note,) = change.entries
    assert '"change":"note"' in note.body
