"""What an entry of an audit tells somebody outside, for every workflow."""

from interlock.kernel.rules import AGENT, SYSTEM, USER
from interlock.service.engine import running
from interlock.service.happened import happened
from interlock.store.chain import Link
from interlock.store.gates import GateRow
from interlock.store.port import AuditRow
from interlock.store.rows import dump
from interlock.workflows.built_in import WORKFLOWS

FLOWS = running(WORKFLOWS)
GATE = GateRow(
    "plan-1.1:4", "plan-1", 1, "plan", "step", "awaiting_input", "d", "human", "First", 5, AGENT,
    "ada", "", 4, "approve", "approve", 9, USER, "pat", "", "web", 6,
)  # fmt: skip


def told(workflow: str, sequence: int = 1, /, **body: object) -> list[tuple[str, str]]:
    """Return the events and what each is about."""
    text = dump({"actor": {"kind": SYSTEM, "id": "clock"}, "event": "x", "at": 1, **body})
    row = AuditRow("1", "home", f"{workflow}-1", Link(sequence, 1, text, ""))
    gates = (GATE,) if workflow == "plan" else ()
    return [(one.event, one.about) for one in happened(FLOWS[workflow], row, gates, "http://a")]


def test_gates_are_told_by_the_entries_that_open_and_close_them() -> None:
    assert told("plan", 4, change="move") == [("gate_opened", "plan-1.1:4")]
    assert told("plan", 6, change="move") == [("gate_decided", "plan-1.1:4")]
    assert told("plan", 5, change="move") == []


def test_a_lease_that_ran_out_is_a_stall() -> None:
    said = {"change": "write", "ids": ["plan-1.1"], "set": {"lapsed": True}}

    assert told("plan", **said) == [("stalled", "plan-1:1")]
    assert told("plan", **{**said, "set": {"lapsed": False}}) == []


def test_an_end_and_a_block_are_those_of_the_unit() -> None:
    move = {"change": "move", "unit": True}

    assert told("plan", **move, target="completed") == [("finished", "plan-1:1")]
    assert told("plan", **move, target="executing") == []
    assert told("plan", change="move", ids=["plan-1.1"], target="completed") == []
    assert told("ticket", **move, target="BLOCKED_ERROR") == [("blocked", "ticket-1:1")]
    assert told("mission", **move, target="CANCELLED") == [("finished", "mission-1:1")]
