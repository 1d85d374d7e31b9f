"""Parts as lines: the same for the present and the past."""

from interlock.doors.web.parts import Around, lines
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.store.gates import GateRow
from interlock.workflows.built_in import WORKFLOWS

FLOW = WORKFLOWS["plan"]


def _step(status: str, **fields: object) -> Part:
    row = {"title": "", "attempt": 1, "holder": None, "lapsed": False, "step_type": "search"}
    return Part("step", status, {**row, **fields})


def _gate(part: int, decided_at: int | None = None) -> GateRow:
    return GateRow(
        f"plan-1.{part}:9", "plan-1", part, "plan", "step", "awaiting_input", "", "", "", 1, "",
        "", "", 9, None if decided_at is None else "approve", "", decided_at, "", "", "", "", None,
    )  # fmt: skip


def test_a_line_says_where_a_part_stands_and_what_it_came_to() -> None:
    parts = (
        _step("completed", title="Look", summary="found it", confidence=0.6199999),
        _step("in_progress", title="Read", holder="ann", attempt=2),
        _step("awaiting_input", title="Ask"),
        _step("failed", failure="no luck"),
    )
    ids = tuple(f"plan-1.{number}" for number in range(1, 5))
    told = lines(
        FLOW,
        Snapshot(Unit("executing", {}), parts, ids),
        Around({"plan-1.2": 77}, (_gate(3), _gate(4, 5))),
    )

    assert [line.chip.look for line in told] == ["done", "active", "gate", "bad"]
    assert [line.come_to for line in told] == ["found it", "", "", "no luck"]
    assert (told[0].confidence, told[1].attempt, told[1].until) == (0.62, 2, 77)
    assert [line.gate for line in told] == ["", "", "plan-1.3:9", ""]
    assert told[3].title == "step 4"


def test_parts_stand_below_what_they_belong_to_and_name_what_they_wait_for() -> None:
    flow = WORKFLOWS["mission"]
    names = ("m.1", "m.2", "m.3", "m.4")
    hop, tool = flow.kind("hop").machine.initial, flow.kind("tool_step").machine.initial
    parts = (
        Part("hop", hop, {"name": "a"}),
        Part("hop", hop, {"name": "b"}),
        Part("tool_step", tool, {"name": "a1"}, parent="m.1"),
        Part("tool_step", tool, {"name": "a2"}, parent="m.1", needs=("m.3",)),
    )
    told = lines(flow, Snapshot(Unit(flow.unit.initial, {}), parts, names))

    assert [(line.title, line.depth) for line in told] == [("a", 0), ("a1", 1), ("a2", 1), ("b", 0)]
    assert (told[2].needs, told[2].waits) == ((3,), (3,))


def test_what_is_done_is_not_waited_for() -> None:
    parts = (_step("completed"), _step("pending"), _step("pending"))
    last = Part("step", "pending", parts[0].fields, needs=("p.1", "p.2"))
    told = lines(FLOW, Snapshot(Unit("executing", {}), (*parts[:2], last), ("p.1", "p.2", "p.3")))

    assert (told[2].needs, told[2].waits) == ((1, 2), (2,))


def test_an_assignment_is_called_by_its_task_and_member() -> None:
    parts = (
        Part("assignment", "offered", {"task": "vote", "member": "ann"}),
        Part("assignment", "offered", {"task": "init", "member": ""}),
    )
    snapshot = Snapshot(Unit("DRAFT", {}), parts, ("ticket-1.1", "ticket-1.2"))

    assert [line.title for line in lines(WORKFLOWS["ticket"], snapshot)] == ["vote, ann", "init"]
