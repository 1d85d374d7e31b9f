"""Work whose end is known tells how far it is, but not at once and not on standard output."""

import io

import pytest
from rich.console import Console

from interlock.cli import bar as module
from interlock.cli.bar import bar


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What stands on standard error; all patience is over."""
    text = io.StringIO()
    monkeypatch.setattr(module, "PATIENCE_S", 0.0)
    monkeypatch.setattr(module, "LINE_EVERY_S", 0.0)
    monkeypatch.setattr(module, "err", Console(file=text, width=100))
    return text


def test_a_pipe_gets_plain_lines(shown: io.StringIO) -> None:
    with bar() as tell:
        tell("copying units", 1_000, 2_000)

    assert shown.getvalue() == "copying units: 1,000 of 2,000\n"


def test_a_terminal_gets_a_bar_that_goes_away(
    shown: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "err", Console(file=shown, width=100, force_terminal=True))
    with bar() as tell:
        tell("copying units", 1, 2)
        tell("copying parts", 2, 2)

    assert "copying parts" in shown.getvalue()
    assert "2/2" in shown.getvalue()


def test_short_work_shows_nothing(shown: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 60.0)
    with bar() as tell:
        tell("copying units", 1, 2)

    assert shown.getvalue() == ""
