"""``interlock mission`` from a file to a running hop, and what it says when something is wrong."""

import json
from pathlib import Path
from typing import cast

import pytest

from interlock.cli.mission import _standing
from interlock.clock import SystemClock
from tests.cli.home import Document, Home

MISSION = """
name: Add up
goal: Know the sum.
inputs:
  - name: numbers
    content: [1, 2, 3]
outputs:
  - name: sum
    ttl_s: 7260
"""
HOP = {"name": "Add", "goal": "Add them.", "inputs": ["numbers"], "output": "sum"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def proposed(home: Home) -> str:
    """Propose a mission from a file; return its id."""
    file = home.folder / "mission.yaml"
    file.write_text(MISSION, encoding="utf-8")
    made = cast("Document", home.told("mission", "propose", str(file))["data"])
    return str(made["mission_id"])


def status(home: Home, mission: str) -> Document:
    """Read how a mission stands."""
    return cast("Document", home.told("mission", "status", mission)["data"])


def digest(home: Home, mission: str) -> str:
    """Return what is shown at the last gate."""
    return str(cast("list[Document]", status(home, mission)["gates"])[-1]["content_digest"])


def accepted(home: Home) -> str:
    """Propose a mission and accept it; return its id."""
    mission = proposed(home)
    home.told("mission", "accept", mission, "--digest", digest(home, mission))
    return mission


def pending(home: Home, mission: str) -> str:
    """Propose a hop from a file; return its id."""
    file = home.folder / "hop.json"
    file.write_text(json.dumps(HOP), encoding="utf-8")
    home.told("mission", "hop", mission, str(file))
    return str(cast("list[Document]", status(home, mission)["hops"])[-1]["hop_id"])


def test_a_mission_comes_from_a_file_and_is_accepted_as_it_was_shown(home: Home) -> None:
    mission = proposed(home)
    assert home.ask("mission", "accept", mission).code == 2
    said = home.ask("mission", "edit", mission, "--goal", "Know it exactly.")
    lines = said.out.splitlines()
    assert lines[0] == f"✓ {mission} is shown anew"
    shown = lines[2].split()[1]
    said = home.ask("mission", "accept", mission, "--digest", shown)

    assert said.out.splitlines()[0] == f"✓ {mission} is READY_FOR_NEXT_HOP"
    lines = home.ask("mission", "status", mission).out.splitlines()
    assert lines[:2] == ["Add up  READY_FOR_NEXT_HOP", "  Know it exactly."]
    assert f"  input        numbers  READY  {mission}.1" in lines
    assert mission in home.ask("mission", "list").out


def test_hops_are_proposed_accepted_sent_back_and_rejected(home: Home) -> None:
    mission = accepted(home)
    hop = pending(home, mission)
    words = ("--digest", digest(home, mission))
    said = home.ask("mission", "reject-hop", hop, "-m", "another one", *words)
    assert said.out.splitlines()[0] == f"✓ {hop} reject_hop; the mission is READY_FOR_NEXT_HOP"
    hop = pending(home, mission)
    words = ("--digest", digest(home, mission))
    assert "BUILDING_HOP" in home.ask("mission", "accept-hop", hop, "--final", *words).out
    assert cast("list[Document]", status(home, mission)["hops"])[0]["is_final"] is True
    assert "PROPOSED" not in home.ask("mission", "status", mission).out
    home.told("mission", "changes", hop, "--reason", "slower")
    assert f"waits  interlock decide {hop}:" in home.ask("mission", "status", mission).out
    for word in ("execute", "approve"):
        said = home.ask("mission", word, hop)
        assert (said.code, "PROPOSED" in said.err) == (2, True)


def test_it_is_said_when_an_asset_expires_and_when_a_repair_is_too_late(home: Home) -> None:
    mission = accepted(home)
    assert "UTC, in 2 h" in home.ask("mission", "status", mission).out
    told = {"name": "x", "status": "EXECUTING_HOP", "goal": "y", "hops": [], "tool_steps": []}
    until = SystemClock().now() + 7_260_000
    lines = list(_standing(told | {"assets": [], "recovery": {"until": until}}))

    assert lines[-1].startswith("  It fails unless it is repaired until ")
    assert lines[-1].endswith("UTC, in 2 h.")


def test_assets_are_supplied(home: Home) -> None:
    mission = accepted(home)
    words = ("mission", "supply", f"{mission}.2")
    assert home.ask(*words).code == home.ask(*words, "-c", "{").code == 2
    assert home.ask(*words, "-c", "6").out.splitlines()[0] == f"✓ {mission}.2 READY"
    file = home.folder / "numbers.yaml"
    file.write_text("[4, 5]", encoding="utf-8")
    home.told(*words, "--file", str(file))

    context = cast("Document", home.told("mission", "context", mission)["data"])
    assets = {one["name"]: one for one in cast("list[Document]", context["assets"])}
    assert assets["sum"]["content"] == [4, 5]
    told = home.ask("mission", "context", mission).out
    assert "set_asset" in told
    assert "\nsum\n  [4, 5]\n" in told


def test_a_list_can_be_narrowed_down_and_may_be_empty(home: Home) -> None:
    assert home.ask("mission", "list").out.startswith("No mission is under way.")
    mission = proposed(home)
    home.told("mission", "cancel", mission, "-m", "enough")
    assert mission not in home.ask("mission", "list").out
    assert mission in home.ask("mission", "list", "--all").out
    assert mission in home.ask("mission", "list", "--status", "CANCELLED").out
