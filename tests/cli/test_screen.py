"""Where the command line writes: results here, all else there; long work shows how far it is."""

import json

import pytest
from rich.console import Console

from interlock.cli import screen
from interlock.cli.screen import print_error, print_json, print_lines, print_text, progress
from interlock.errors import InterlockError

Captured = pytest.CaptureFixture[str]


class Full(InterlockError):
    """An error with a code of its own."""

    code = "FULL"


def _on_a_terminal(monkeypatch: pytest.MonkeyPatch, *, width: int) -> None:
    for name, is_error in (("out", False), ("err", True)):
        console = Console(
            stderr=is_error, force_terminal=True, color_system=None, width=width, soft_wrap=True
        )
        monkeypatch.setattr(screen, name, console)


def test_json_is_one_document_in_readable_utf8(capsys: Captured) -> None:
    print_json({"about": "a × b", "none": None})
    printed = capsys.readouterr()

    assert json.loads(printed.out) == {"about": "a × b", "none": None}
    assert "×" in printed.out
    assert printed.err == ""


def test_an_error_says_what_is_wrong_and_what_would_be_right(capsys: Captured) -> None:
    print_error(Full("The [shelf] is full.", fix="Take something out."))

    assert tuple(capsys.readouterr()) == ("", "FULL The [shelf] is full.\nTake something out.\n")


def test_an_error_without_advice_is_one_line(capsys: Captured) -> None:
    print_error(Full("Full."))

    assert capsys.readouterr().err == "FULL Full.\n"


def test_a_pipe_gets_long_lines_whole(capsys: Captured) -> None:
    print_text("  [x] " + "word " * 60)

    assert capsys.readouterr().out == "  [x] " + "word " * 60 + "\n"


def test_a_terminal_gets_long_lines_wrapped_under_their_indent(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    _on_a_terminal(monkeypatch, width=20)
    print_lines(["    [bold]one[/bold] two three four five"])
    lines = capsys.readouterr().out.splitlines()

    assert [line.rstrip() for line in lines] == ["    one two three", "    four five"]


def test_short_work_shows_no_progress(capsys: Captured) -> None:
    with progress("checking") as tell:
        tell(5_000, 10)

    assert tuple(capsys.readouterr()) == ("", "")


def test_long_work_tells_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(screen, "PATIENCE_S", 0.0)
    monkeypatch.setattr(screen, "LINE_EVERY_S", 0.0)
    with progress("checking plan") as tell:
        tell(5_000, 1_234)

    assert tuple(capsys.readouterr()) == (
        "",
        "checking plan: 5,000 states explored, 1,234 more to visit\n",
    )


def test_lines_come_only_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(screen, "PATIENCE_S", 0.0)
    with progress("checking plan") as tell:
        tell(1, 1)
        tell(2, 1)

    assert capsys.readouterr().err == ""


def test_long_work_on_a_terminal_shows_a_display_and_takes_it_away(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(screen, "PATIENCE_S", 0.0)
    _on_a_terminal(monkeypatch, width=80)
    with progress("checking plan") as tell:
        tell(5_000, 1_234)
        tell(10_000, 234)
    printed = capsys.readouterr()

    assert "checking plan: 10,000 states explored, 234 more to visit" in printed.err
    assert printed.err.endswith("\x1b[2K")
    assert printed.out == ""
