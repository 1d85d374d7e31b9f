"""The plugin: every skill is its prompt, and the manifests fit together."""

import json
from pathlib import Path

import pytest
import yaml

from interlock import __version__
from interlock.doors.mcp.prompt import FOLDER, text
from tools.plugin_pages import MARKET, PLUGIN, SKILLS, plugin_pages, skill

PAGES = plugin_pages()


def test_every_prompt_of_research_is_a_skill() -> None:
    others = ("mission", "ticket")
    prompts = {path.stem for path in FOLDER.glob("*.md") if not path.stem.startswith(others)}
    assert prompts == {*SKILLS, "resume"}
    assert {path.parent.name for path in PAGES if path.name == "SKILL.md"} == {*SKILLS}


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_says_what_its_prompt_says_with_what_the_person_typed(name: str) -> None:
    _, head, body = skill(name).split("---\n", 2)

    assert yaml.safe_load(head)["name"] == name
    assert yaml.safe_load(head)["description"] == text(name).description
    assert "$ARGUMENTS" in body
    assert "{{" not in body
    assert "prompt `" not in body
    same = {*text(name).body.splitlines()} & {*body.splitlines()}
    assert len(same) >= len({*text(name).body.splitlines()}) - 4


def test_a_skill_sends_on_to_skills_that_exist() -> None:
    assert "the skill `interlock:research-output`" in skill("research-scan")


def test_the_manifests_name_each_other_and_the_version() -> None:
    manifest = json.loads(PAGES[PLUGIN / ".claude-plugin" / "plugin.json"])
    [offered] = json.loads(PAGES[MARKET])["plugins"]

    assert (manifest["name"], manifest["version"]) == ("interlock", __version__)
    assert (offered["name"], Path(offered["source"])) == ("interlock", PLUGIN)
    servers = json.loads(PAGES[PLUGIN / ".mcp.json"])["mcpServers"]
    assert servers == {"interlock": {"command": "interlock", "args": ["mcp"]}}
