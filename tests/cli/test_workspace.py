"""``interlock workspace``: what lies there, and what is removed of it."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from interlock.cli.workspace import _size
from interlock.clock import SystemClock
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.room import Site
from tests.cli.home import Home
from tests.worker.workspace.ground import done
from tests.worker.workspace.repositories import repository

FILE = """
name: Shop
repository: /srv/shop.git
members:
  - {name: ann, agent: scripted, model: m-1}
  - {name: ben, agent: scripted}
limits: {quorum: 1}
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path / "data")


def ticket(home: Home, *, is_over: bool = False) -> str:
    """Make a ticket and a working tree for it."""
    home.folder.mkdir(exist_ok=True)
    file = home.folder / "project.yaml"
    file.write_text(FILE, encoding="utf-8")
    project: Any = home.told("project", "create", str(file))["data"]
    made: Any = home.told("ticket", "create", project["project_id"], "Sell")["data"]
    name = str(made["ticket_id"])
    if is_over:
        home.told("ticket", "cancel", name, "--reason", "Enough")
    tree(home, name)
    return name


def tree(home: Home, name: str) -> None:
    there = home.folder.parent / "there"
    if not there.exists():
        repository(there)

    async def make() -> None:
        site = await Site.open(home.folder, SystemClock())
        await site.tree(name).make(Origin(str(there), "main"))

    done(make())


def aged(home: Home, name: str, days: int) -> None:
    """Have a working tree rest for some days."""
    for path in (home.folder / "workspaces" / name).rglob("*"):
        at = path.lstat().st_mtime - days * 86_400
        os.utime(path, (at, at), follow_symlinks=False)


def test_without_any_there_is_nothing_to_list_or_to_remove(home: Home) -> None:
    home.folder.mkdir()
    assert "no working tree" in home.ask("workspace", "list").out
    assert "removed 0, 0 B" in home.ask("workspace", "prune").out


def test_trees_are_listed_with_how_their_tickets_stand(home: Home) -> None:
    first, second = ticket(home), ticket(home, is_over=True)
    tree(home, "ticket-nobody")

    said = home.ask("workspace", "list").out
    assert f"{first}  DRAFT" in said
    assert f"{second}  CANCELED" in said
    assert "ticket-nobody  unknown" in said
    assert "KiB" in said
    assert "at rest for" in said
    told: Any = home.told("workspace", "list")["workspaces"]
    assert {one["ticket_id"] for one in told} == {first, second, "ticket-nobody"}


def test_only_trees_of_ended_tickets_that_have_rested_are_removed(home: Home) -> None:
    runs, over, late = ticket(home), ticket(home, is_over=True), ticket(home, is_over=True)
    tree(home, "ticket-nobody")
    for name in (runs, over, "ticket-nobody"):
        aged(home, name, 8)

    said = home.ask("workspace", "prune", "--dry-run").out
    assert f"would remove {over}" in said
    assert f"kept {runs}: its ticket has not ended (DRAFT)" in said
    assert "kept ticket-nobody: the server knows no such ticket" in said
    assert f"kept {late}: at rest for" in said
    assert (home.folder / "workspaces" / over).exists()

    told: Any = home.told("workspace", "prune")
    assert [one["ticket_id"] for one in told["removed"]] == [over]
    assert told["freed_bytes"] > 0
    assert not (home.folder / "workspaces" / over).exists()
    assert f"removed {late}" in home.ask("workspace", "prune", "--older-than", "0s").out
    left = sorted(one.name for one in (home.folder / "workspaces").iterdir())
    assert left == sorted([".locks", runs, "ticket-nobody"])
    shutil.rmtree(home.folder / "workspaces")


def test_what_is_no_stretch_of_time_is_told(home: Home) -> None:
    home.folder.mkdir()
    said = home.ask("workspace", "prune", "--older-than", "soon")
    assert said.code == 2
    assert "such as 7d" in said.err


def test_bytes_are_said_as_people_do() -> None:
    assert [_size(one) for one in (0, 1023, 1024, 5 * 1024**3)] == [
        "0 B", "1023 B", "1.0 KiB", "5.0 GiB",
    ]  # fmt: skip
