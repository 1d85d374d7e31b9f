"""Drawings on pages: no style of their own, where it stands, what may be done, in words, too."""

import re
from xml.etree import ElementTree as ET

import pytest

from interlock.doors.web.drawing import KEPT_MAX, drawing
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS

DOOR = Machine(
    "door", "open", (Status("open"), Status("shut"), Status("gone", "terminal")),
    edges(("open", "close", "shut"), ("shut", "open", "open"), ("open shut", "burn", "gone")),
)  # fmt: skip


def _classes(drawn: str, mark: str) -> set[str]:
    found = re.findall(r'<g class="([^"]*)"><title>([^<]*)</title>', drawn)
    return {name for classes, name in found if mark in classes.split()}


def test_where_it_stands_and_what_may_be_done_there_is_marked() -> None:
    drawn = drawing(DOOR, "open", ("close", "open"), label="Door machine")

    assert _classes(drawn, "here") == {"open"}
    assert _classes(drawn, "legal") == {"open → shut: close"}
    assert 'aria-label="Door machine. Now: open. Legal: close, open."' in drawn
    plain = drawing(DOOR, label="Door machine")
    assert (_classes(plain, "here"), _classes(plain, "legal")) == (set(), set())
    assert 'aria-label="Door machine."' in plain
    assert 'aria-label="x. Now: gone."' in drawing(DOOR, "gone", label="x")


@pytest.mark.parametrize("name", WORKFLOWS)
def test_nothing_in_it_is_against_the_policy_of_a_page(name: str) -> None:
    flow = WORKFLOWS[name]
    subjects: tuple[Machine | Workflow, ...] = (flow, *flow.machines())
    for subject in subjects:
        drawn = drawing(subject, label='A "picture" <of it>')

        root = ET.fromstring(drawn)  # noqa: S314  our own text
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == 'A "picture" <of it>.'
        for node in root.iter():
            assert node.tag not in ("style", "script", "a", "image")
            assert not {"style", "id", "fill-opacity"} & set(node.attrib)


def test_in_a_workflow_a_status_is_named_with_its_kind() -> None:
    flow = WORKFLOWS["plan"]

    assert _classes(drawing(flow, "step.pending", label="x"), "here") == {"pending"}
    assert _classes(drawing(flow, "executing", label="x"), "here") == {"executing"}


def test_a_signal_that_is_told_in_a_note_is_marked_there() -> None:
    ticket = WORKFLOWS["ticket"].unit
    source = next(edge.source for edge in ticket.edges if edge.on == "CANCEL")
    drawn = drawing(ticket, source, ("CANCEL",), label="x")

    assert _classes(drawn, "legal") == {"CANCEL CANCELED"}


def test_a_walk_is_numbered_and_few_subjects_are_remembered() -> None:
    assert "visit 1, 3" in drawing(DOOR, label="x", trace=("open", "shut", "open"))
    first = drawing(DOOR, label="x")
    for number in range(KEPT_MAX + 2):
        other = Machine("door", "open", (Status("open"), Status(f"shut{number}")), ())
        assert f"shut{number}" in drawing(other, label="x")

    assert drawing(DOOR, label="x") == first
