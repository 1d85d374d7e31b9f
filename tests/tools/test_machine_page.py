"""The page of a workflow has every row of its tables."""

import re

import pytest

from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import PARCEL
from tools.machine_page import machine_page, table, version


def section(page: str, title: str) -> list[str]:
    """Return the rows of the first table under a heading."""
    text = page.split(f"\n### {title}\n")[1].split("\n#", maxsplit=1)[0]
    return [row for row in text.splitlines() if row.startswith("| ")][1:]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_status_transition_event_lift_cascade_and_pair_has_its_row(name: str) -> None:
    flow = WORKFLOWS[name]
    page = machine_page(flow)

    for machine in flow.machines():
        word = "Phases" if machine.name == "ticket" else "Statuses"
        names = [row.split("`")[1] for row in section(page, f"{word} of {machine.name}")]
        assert names == list(machine.names())
        moves = {(edge.on, edge.target) for edge in machine.edges}
        assert len(section(page, f"Transitions of {machine.name}")) == len(moves)
    assert len(section(page, "Lifts")) == len(flow.lifts)
    assert len(section(page, "Cascades")) == len(flow.cascades)
    assert len(section(page, "Legal pairs")) == len(flow.pairs)
    events = page.split("\n## Events\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", events, re.MULTILINE) == [rule.event for rule in flow.rules]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_somebody_or_something_may_fire_every_transition(name: str) -> None:
    flow = WORKFLOWS[name]
    page = machine_page(flow)

    for machine in flow.machines():
        rows = section(page, f"Transitions of {machine.name}")
        assert [row for row in rows if row.endswith("|  |")] == []
        assert rows


def test_a_status_row_has_label_kind_group_and_what_is_shown() -> None:
    page = machine_page(PARCEL)

    assert "| name | label | kind | group | view |" in page
    assert "| `mending` | Mending | gate (for repairs) | In the yard | bench |" in page
    assert "| `packing` | Packing | active (start) | In the yard |  |" in page


def test_a_transition_lists_its_sources_and_who_may_fire_it() -> None:
    page = machine_page(PARCEL)

    assert (
        "| `packing`<br>`looked_at`<br>`mending` | `drop_out` | `lost` | settling |"
        " lift: it fell apart |"
    ) in page
    assert (
        "| `mending` | `mended` | the field `before` | user | unit.before is packing: `NOWHERE` |"
    ) in page


def test_an_event_tells_its_guards_with_their_codes_and_its_walk() -> None:
    assert (
        "| `send` |  | parcel | user |  | do weigh, when the unit is looked_at | Send it away. |"
    ) in machine_page(PARCEL)
    assert "the unit is packing: `CLOSED`<br>" in machine_page(PARCEL)


def test_the_page_shows_the_picture_and_has_the_drawings_as_text() -> None:
    page = machine_page(PARCEL)

    assert "](parcel.svg)" in page
    assert page.count("```mermaid\nflowchart TB\n") == 4


def test_the_version_follows_the_rows() -> None:
    assert version(PARCEL) in machine_page(PARCEL)


def test_a_table_without_rows_says_so_and_bars_do_not_break_cells() -> None:
    assert list(table(("a",), [])) == ["None.", ""]
    assert list(table(("a", "b"), [("x|y", "1\n2")]))[2] == "| x\\|y | 1<br>2 |"
