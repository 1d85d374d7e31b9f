"""Drawings as DOT."""

import re

import pytest

from interlock.kernel.draw.dot import dot
from interlock.kernel.machine import Machine, Status, edges
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import NUMBERED, PARCEL, PARCEL_MACHINE


def line(text: str, start: str) -> str:
    return next(row for row in text.splitlines() if row.strip().startswith(start))


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_status_and_every_signal_of_a_workflow_is_in_its_drawing(name: str) -> None:
    text = dot(WORKFLOWS[name])

    for machine in WORKFLOWS[name].machines():
        for status in machine.names():
            assert f'"{machine.name}.{status}" [' in text
        for edge in machine.edges:
            assert re.search(rf"[ <>]{re.escape(edge.on)}[ <\\]", text)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_lift_and_cascade_with_two_named_ends_is_in_the_drawing(name: str) -> None:
    flow = WORKFLOWS[name]
    words = re.sub(r"<br/>", " ", dot(flow))

    assert flow.lifts
    for cascade in flow.cascades:
        assert not cascade.to or cascade.name in words


def test_kinds_of_status_are_told_by_shape_border_and_words() -> None:
    text = dot(PARCEL_MACHINE)

    assert "shape=hexagon" in line(text, '"parcel.looked_at" [')
    assert ">gate<" in line(text, '"parcel.looked_at" [')
    assert "peripheries=2" in line(text, '"parcel.lost" [')
    assert ">end<" in line(text, '"parcel.lost" [')
    assert "shape=circle" in line(text, '"parcel.(start)" [')
    assert "hexagon" not in line(text, '"parcel.packing" [')


def test_lifts_are_dashed_and_cascades_dotted() -> None:
    text = dot(PARCEL)

    assert 'style="dashed"' in line(text, '"item.packed" -> "(lift everything is packed)"')
    assert 'style="dotted"' in line(text, '"parcel.lost" -> "(cascades parcel item)"')


def test_a_line_to_a_whole_machine_ends_at_its_frame() -> None:
    assert 'lhead="cluster item"' in line(dot(PARCEL), '"(cascades parcel item)" -> "item.')


def test_machines_hang_side_by_side_in_order() -> None:
    text = dot(PARCEL)
    order = re.findall(
        r'^    "\(above (.*?)\)" -> "\(above (.*?)\)" \[style=invis\];$', text, re.MULTILINE
    )

    assert order == [
        ("parcel", "(links item)"),
        ("(links item)", "item"),
        ("item", "(links label)"),
        ("(links label)", "label"),
    ]


def test_signals_on_one_arrow_are_listed_below_one_another() -> None:
    assert r'label=" ship \n send "' in line(
        dot(PARCEL_MACHINE), '"parcel.looked_at" -> "parcel.shipped"'
    )


def test_a_large_machine_has_its_groups_in_frames_with_their_titles() -> None:
    text = dot(NUMBERED, groups={"low": "The low ones"})

    assert 'subgraph "cluster numbered.[low]"' in text
    assert "<b>The low ones</b>" in text


def test_where_it_stands_and_how_it_came_there_are_drawn_heavier() -> None:
    text = dot(PARCEL_MACHINE, at="looked_at", trace=["packing", "looked_at"])

    assert "penwidth=3.5" in line(text, '"parcel.looked_at" [')
    assert "penwidth=2.5" in line(text, '"parcel.packing" [')
    assert "penwidth=2.5" in line(text, '"parcel.packing" -> "parcel.looked_at"')


def test_names_that_mean_something_to_graphviz_are_only_names() -> None:
    odd = Machine(
        'a"b', "x", (Status("x", label='<b>&"'), Status("y\\")), edges(("x", 'go"', "y\\"))
    )
    text = dot(odd)

    assert '"a\\"b.x" [label=<x<br/><font point-size="9">&lt;b&gt;&amp;&quot;</font>>' in text
    assert '"a\\"b.x" -> "a\\"b.y\\\\" [class="edge", label=" go\\" ", weight=8];' in text


def test_the_title_says_what_is_drawn() -> None:
    assert dot(PARCEL).startswith('digraph "Workflow parcel" {')
    assert dot(PARCEL_MACHINE).startswith('digraph "Machine parcel" {')
