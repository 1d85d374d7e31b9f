"""Drawings become SVG: readable by everyone, in light and dark, with nothing from outside."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import pytest

from interlock import picture
from interlock.kernel.draw.dot import dot
from interlock.picture import InvalidDrawing, drawn_from, origin, svg
from interlock.workflows.built_in import WORKFLOWS

DRAWING = 'digraph "Two things" { a [label="a"]; b [label="b"]; a -> b [label="go"]; }'
SVG = "{http://www.w3.org/2000/svg}"


def words_in(drawn: str) -> set[str]:
    root = ET.fromstring(drawn)  # noqa: S314  our own text
    return {text.text or "" for text in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_workflow_and_every_machine_of_it_can_be_drawn(name: str) -> None:
    flow = WORKFLOWS[name]

    whole = words_in(svg(dot(flow)))
    assert [s for machine in flow.machines() for s in machine.names() if s not in whole] == []
    for machine in flow.machines():
        alone = words_in(svg(dot(machine)))
        assert [s for s in machine.names() if s not in alone] == []


def test_a_picture_has_a_title_for_those_who_cannot_see_it() -> None:
    root = ET.fromstring(svg(DRAWING))  # noqa: S314

    assert root.get("role") == "img"
    assert (root[0].tag, root[0].text) == (f"{SVG}title", "Two things")


def test_a_picture_refers_to_nothing_outside_of_itself() -> None:
    drawn = svg(dot(WORKFLOWS["plan"]))

    assert re.findall(r"\w+://[^\s\"<]+", drawn) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<!DOCTYPE|<image|<script|xlink|@import|url\(", drawn)


def test_the_ink_is_that_of_the_page_around_it() -> None:
    drawn = svg(dot(WORKFLOWS["plan"]))

    assert 'stroke="currentColor"' in drawn
    assert '"black"' not in drawn
    assert '"white"' not in drawn


def test_standing_alone_it_follows_light_and_dark_mode() -> None:
    assert "@media (prefers-color-scheme:dark){svg:root{" in svg(DRAWING)


def test_two_pictures_on_one_page_have_no_ids_that_could_clash() -> None:
    assert " id=" not in svg(dot(WORKFLOWS["plan"]))


def test_the_same_text_is_drawn_once() -> None:
    assert svg(DRAWING) is svg(DRAWING)


def test_a_picture_says_which_drawing_it_was_made_from() -> None:
    assert drawn_from(svg(DRAWING)) == origin(DRAWING)
    assert origin(DRAWING) != origin(DRAWING + " ")
    assert drawn_from("<svg/>") == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('digraph "x" { a -> }', "syntax error in line 1 near '}'"),
        ("digraph { a [label=<<b>x>] }", "mismatched tag"),
        ("", "no graph in it"),
    ],
)
def test_text_that_is_no_drawing_is_refused_with_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(InvalidDrawing, match=re.escape(said)) as caught:
        svg(text)

    assert caught.value.fix


def test_many_threads_may_ask_at_once() -> None:
    drawings = [f'digraph "{n}" {{ a [label="{n}"]; a -> b; b [label="b"]; }}' for n in range(40)]

    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(svg, drawings))

    assert [drawn_from(one) for one in drawn] == [origin(text) for text in drawings]


def test_drawing_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    svg(f'digraph "quiet" {{ a [label="{os.getpid()}"]; }}')

    assert capfd.readouterr() == ("", "")


def test_only_the_grumbling_of_the_font_library_is_dropped(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with picture._overheard() as heard:
        os.write(2, b"Fontconfig warning: so new\nError: so wrong\nsomebody else's line\n")

    assert heard == ["Error: so wrong"]
    assert capfd.readouterr().err == "somebody else's line\n"


def test_drawing_works_without_a_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "dup", closed)

    assert drawn_from(svg('digraph "service" { a [label="a"]; }'))
