"""Colours of code: classes only, every character still there, nothing of it markup of its own."""

import re
from html import unescape

import pytest

from interlock.doors.web.ticket import coloured as module
from interlock.doors.web.ticket.coloured import LANGUAGES, coloured, language_of
from interlock.doors.web.ticket.hunks import Line, Patch, patches
from tests.doors.web.ticket.built import DIFF


def _lines(path: str, *texts: str) -> list[str]:
    (shown,) = coloured([Patch(path, [Line("ins", text) for text in texts])])
    return [str(line) for line in shown]


def test_words_have_classes_by_what_they_are() -> None:
    shop, _ = coloured(patches(DIFF))

    assert shop[2] == (
        '<span class="tok-word">def</span> <span class="tok-name">sell</span>(fruit):'
    )
    assert '<span class="tok-comment"># 1 apple</span>' in shop[5]
    assert "style=" not in "".join(shop)


def test_what_went_and_what_came_are_read_apart() -> None:
    lines = [Line("del", '"""'), Line("same", "a = 1"), Line("ins", "b = 2")]
    (shown,) = coloured([Patch("a.py", lines)])

    # As it was a text began there; as it is nothing does.
    assert "tok-number" in shown[1]
    assert "tok-number" in shown[2]


@pytest.mark.parametrize("path", [f"a{end}" for end in LANGUAGES])
def test_every_language_keeps_every_character(path: str) -> None:
    texts = ("", "  <b>\"x\"</b> & 'y' # {{7*7}}", "\tif (a < b) { /* c */ }", "", "end;", "")
    shown = [unescape(re.sub(r"<[^>]*>", "", line)) for line in _lines(path, *texts)]

    assert shown == list(texts)
    assert "<b>" not in "".join(_lines(path, *texts))


def test_what_cannot_be_seen_is_shown_by_its_number() -> None:
    (line,) = _lines("a.py", "x = '\u202eabc'")

    assert "⟨U+202E⟩" in line
    assert "\u202e" not in line


def test_what_is_long_odd_or_unknown_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert language_of("notes.txt") == ""
    assert language_of('"odd\\nname.py"') == "python"
    assert "tok-" not in _lines("notes.txt", "def x(): pass")[0]
    assert "tok-" not in _lines("a.py", "def x(): pass " + "y" * 400)[0]
    monkeypatch.setattr(module, "PAGE_MAX", 10)
    assert "tok-" not in _lines("a.py", "def other(): pass")[0]
