"""``interlock project``: made from a file or from options, changed, listed, shown, put away."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.home import Home

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
    return Home(tmp_path)


def made(home: Home) -> str:
    """Make a project from a file; return its id."""
    file = home.folder / "project.yaml"
    file.write_text(FILE, encoding="utf-8")
    data: Any = home.told("project", "create", str(file))["data"]
    return str(data["project_id"])


def test_a_project_is_made_from_a_file_and_shown(home: Home) -> None:
    name = made(home)

    said = home.ask("project", "show", name)

    assert "Shop" in said.out
    assert "/srv/shop.git  from main" in said.out
    assert "ann  scripted (m-1)  main implementer" in said.out
    assert "quorum 1" in said.out
    assert f"{name}  Shop" in home.ask("project", "list").out


def test_the_prompts_are_listed_and_one_is_shown(home: Home) -> None:
    name = made(home)

    listed = home.ask("project", "prompts", name)
    shown = home.ask("project", "prompts", name, "scan")
    no = home.ask("project", "prompts", name, "scam")

    assert "prd_vote  version" in listed.out
    assert "{{context}}" in shown.out
    assert (no.code, "There is no prompt 'scam'" in no.err) == (2, True)


def test_options_make_one_without_a_file_and_come_after_it(home: Home) -> None:
    words = (
        "--name",
        "Bank",
        "-r",
        "/srv/bank.git",
        "-b",
        "trunk",
        "--member",
        "eve=openai:big:7b",
    )
    data: Any = home.told("project", "create", *words)["data"]
    assert data["members"] == [{"name": "eve", "agent": "openai", "model": "big:7b"}]

    said = home.ask("project", "edit", data["project_id"], "--name", "Bank of all")

    assert "Bank of all" in said.out
    assert "from trunk" in said.out


def test_what_is_archived_is_listed_only_where_all_are_wanted(home: Home) -> None:
    name = made(home)

    assert "archived" in home.ask("project", "archive", name).out
    assert "no project yet" in home.ask("project", "list").out
    assert "archived" in home.ask("project", "list", "--all").out


def test_what_is_no_member_is_told(home: Home) -> None:
    said = home.ask("project", "create", "--name", "n", "-r", "/r", "--member", "ann")

    assert said.code == 2
    assert "NAME=AGENT" in said.err
