"""``interlock logs``: lines of a unit, of one member, and followed until it has ended."""

from pathlib import Path

import pytest

from tests.cli.brought import brought, claimed
from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_lines_are_shown_as_they_were_told(home: Home) -> None:
    ticket = brought(home, "start")["ticket_id"]
    assert "nothing was told yet" in home.ask("logs", ticket).out
    home.ask("ticket", "start", ticket)
    part = claimed(home)["part_id"]

    said = home.ask("logs", ticket).out

    assert f"08:00:00  {part}  cloning" in said
    assert "no [red]room" in said
    assert "cloning" not in home.ask("logs", ticket, "--after", "1").out
    assert "cloning" in home.ask("logs", ticket, "--part", part).out
    assert "nothing" in home.ask("logs", ticket, "--member", "ann").out


def test_following_ends_with_the_unit(home: Home) -> None:
    ticket = brought(home, "start")["ticket_id"]
    home.ask("ticket", "start", ticket)
    claimed(home)
    home.ask("ticket", "cancel", ticket, "-m", "enough")

    said = home.ask("logs", ticket, "--follow")

    assert said.code == 0
    assert said.out.count("cloning") == 1
