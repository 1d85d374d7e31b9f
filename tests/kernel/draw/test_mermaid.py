"""Drawings as Mermaid."""

import re

import pytest

from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.machine import Edge, Machine, Status
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import NUMBERED, PARCEL, PARCEL_MACHINE

ARROW = re.compile(r"^  \S+ (?:-->|-\.->|==>)")


def rows(text: str) -> list[str]:
    return [row.strip() for row in text.splitlines()]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_status_and_every_signal_of_a_workflow_is_in_its_drawing(name: str) -> None:
    text = mermaid(WORKFLOWS[name])

    for machine in WORKFLOWS[name].machines():
        for status in machine.names():
            assert re.search(rf"^ +{machine.name}_{status}\W", text, re.MULTILINE)
        for edge in machine.edges:
            assert re.search(rf'[">]{re.escape(edge.on)}["<]', text)


def test_kinds_of_status_are_told_by_shape_and_words() -> None:
    found = rows(mermaid(PARCEL_MACHINE))

    assert 'parcel_packing("packing")' in found
    assert 'parcel_looked_at{{"looked_at<br/>Somebody looks<br/>gate"}}' in found
    assert 'parcel_lost[["lost<br/>end"]]' in found
    assert 'parcel_start((" "))' in found


def test_machines_are_frames_and_links_stand_between_them() -> None:
    text = mermaid(PARCEL)

    assert '\n  subgraph box_item["item"]\n    direction TB\n' in text
    assert '\n  lift_everything_is_packed["everything is packed<br/>lift: fires full"]\n' in text
    assert "\n  cascades_parcel_item -.-> box_item\n" in text


def test_signals_on_one_arrow_are_listed() -> None:
    assert 'parcel_looked_at -->|"ship<br/>send"| parcel_shipped' in rows(mermaid(PARCEL_MACHINE))


def test_lifts_are_dashed_and_cascades_dotted_by_the_number_of_their_lines() -> None:
    text = mermaid(PARCEL)
    lines = [row for row in text.splitlines() if ARROW.match(row)]
    styled = dict(re.findall(r"linkStyle (\S+) stroke:(#\w+)", text))
    by_colour = {
        colour: [lines[int(n)] for n in numbers.split(",")] for numbers, colour in styled.items()
    }

    assert all("lift" in row for row in by_colour["#3b82d0"])
    assert all("cascades" in row for row in by_colour["#a05fc8"])
    assert sum(map(len, by_colour.values())) == text.count("-.->")


def test_a_signal_from_nearly_everywhere_is_a_note() -> None:
    found = rows(mermaid(NUMBERED))

    assert 'numbered_go_away>"go<br/>from 13 statuses"]' in found
    assert "numbered_go_away --> numbered_away" in found
    assert not [row for row in found if row.startswith("numbered_n3 ") and row.endswith("_away")]


def test_where_it_stands_and_how_it_came_there_are_drawn_heavier() -> None:
    found = rows(mermaid(PARCEL_MACHINE, at="looked_at", trace=["packing", "looked_at"]))

    assert "class parcel_looked_at here" in found
    assert "class parcel_packing,parcel_looked_at passed" in found
    assert "linkStyle 1 stroke-width:4px" in found


def test_names_that_mean_something_to_mermaid_are_only_names() -> None:
    statuses = (Status("x y", label='"<#>`'), Status("x-y"), Status("()"))
    odd = Machine("end", "x y", statuses, (Edge("x y", "a|b", "x-y"),))
    found = rows(mermaid(odd))

    assert 'subgraph box_end["end"]' in found
    assert 'end_x_y("x y<br/>#quot;#lt;#35;#gt;#96;")' in found
    assert 'end_2("()")' in found
    assert 'end_x_y -->|"a#124;b"| end_x_y_2' in found


def test_the_title_is_there_for_screen_readers() -> None:
    assert rows(mermaid(PARCEL))[:2] == ["flowchart TB", "accTitle: Workflow parcel"]
