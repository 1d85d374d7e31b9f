"""A workflow on a terminal: every status, edge, event and interlock row, one line each."""

import pytest
from rich.text import Text

from interlock.cli.show import listed, shown
from interlock.workflows.built_in import WORKFLOWS
from tests.cli.terminal import names

WIDTH = 80


def _lines(name: str) -> list[str]:
    return [Text.from_markup(line).plain for line in shown(WORKFLOWS[name])]


def test_a_workflow_is_introduced_in_two_lines() -> None:
    first, second = (Text.from_markup(line).plain for line in listed(WORKFLOWS["plan"]))

    assert first == "plan: plan > step  (6 statuses, 20 events)"
    assert second.strip() == WORKFLOWS["plan"].doc


@pytest.mark.parametrize("name", names())
def test_every_status_and_every_edge_has_its_line(name: str) -> None:
    lines = _lines(name)
    machines = WORKFLOWS[name].machines()
    statuses = sum(len(machine.statuses) for machine in machines)
    edges = sum(len(machine.edges) for machine in machines)

    assert sum(line[:1] in "○◇■" and "gate: a" not in line for line in lines if line) == statuses
    assert sum(" -> " in line or line.endswith("  stays") for line in lines) == edges


@pytest.mark.parametrize("name", names())
def test_every_event_and_row_of_the_interlock_is_named(name: str) -> None:
    flow, lines = WORKFLOWS[name], _lines(name)
    rows = {row.name for table in (flow.lifts, flow.cascades, flow.pairs) for row in table}

    assert {name for name in rows if f"  {name}" not in lines} == set()
    assert [
        rule.event
        for rule in flow.rules
        if not any(line.startswith(f"  {rule.event}") and "  by " in line for line in lines)
    ] == []


def test_gates_ends_and_the_start_are_told_by_words() -> None:
    lines = _lines("plan")

    assert "○ planning  active, start" in lines
    assert "◇ awaiting_review  gate" in lines
    assert "■ completed  terminal, success" in lines
    assert "    stall        -> stalled" in lines


def test_an_edge_that_stays_or_is_read_from_a_field_says_so() -> None:
    lines = [" ".join(line.split()) for line in _lines("ticket")]

    assert "BEAD_COMPLETE stays" in lines
    assert "RETRY -> wherever its field previous says" in lines
    assert "◇ BLOCKED_ERROR gate, trouble" in lines


@pytest.mark.parametrize("name", names())
def test_edges_fit_into_eighty_columns(name: str) -> None:
    assert [line for line in _lines(name) if " -> " in line and len(line) > WIDTH] == []
