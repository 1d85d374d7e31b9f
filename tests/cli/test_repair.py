"""What is over is cancelled and begun anew; what is held is fixed or given up."""

from pathlib import Path
from typing import cast

from tests.cli.home import Document, Home
from tests.cli.test_mission import accepted, pending, status


def test_a_mission_is_cancelled_and_begins_anew(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mission = accepted(home)
    hop = pending(home, mission)
    said = home.ask("mission", "cancel", hop, "-m", "not yet")
    assert said.out.splitlines()[0] == f"✓ {hop}: the mission is READY_FOR_NEXT_HOP"
    assert home.ask("mission", "reset", mission, "-m", "again").code == 2
    home.told("mission", "cancel", mission, "-m", "enough")
    made = cast("Document", home.told("mission", "reset", mission, "-m", "again")["data"])

    new = str(made["new_mission_id"])
    assert (status(home, mission)["superseded_by"], status(home, new)["reset_of"]) == (new, mission)
    said = home.ask("mission", "reset", mission, "-m", "again")
    assert (said.code, "ALREADY_RESET" in said.err or "reset already" in said.err) == (2, True)


def test_what_is_not_held_is_neither_fixed_nor_given_up(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mission = accepted(home)
    hop = pending(home, mission)
    for words in (("fix", hop), ("abandon", mission), ("complete", mission)):
        said = home.ask("mission", *words, "-m", "so")
        assert (said.code, said.out) == (2, ""), words
    assert status(home, mission)["status"] == "READY_FOR_NEXT_HOP"
