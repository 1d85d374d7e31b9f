"""The prompts: their files, their arguments, and that they name only tools there are or will be."""

import re
from pathlib import Path
from typing import Final

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.prompt import ARGUMENTS, FOLDER, get_prompt, list_prompts

SPEC: Final = frozenset({
    "request_user_review", "get_research_context", "store_research_output", "list_active_plans",
})  # fmt: skip
"""Tools of the spec that a prompt names, and what it does where one is not offered."""


def test_every_file_is_a_prompt_and_every_prompt_has_a_file() -> None:
    assert {Path(file).stem for file in FOLDER.iterdir()} == set(ARGUMENTS)
    assert [prompt.name for prompt in list_prompts().prompts] == list(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_are_filled_in_and_nothing_is_left_open(name: str) -> None:
    given = {one: f"the {one}" for one, _, _ in ARGUMENTS[name]}
    (said,) = get_prompt(name, given).messages
    assert isinstance(said.content, TextContent)

    assert all(value in said.content.text for value in given.values())
    assert "{{" not in said.content.text


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_prompt_names_only_tools_and_prompts_that_exist(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    called = {word for word in re.findall(r"`([a-z_-]+)`", text) if "_" in word or "-" in word}
    fields = {field for row in COMMANDS.values() for field in row.takes.model_fields}
    steps = {"depends_on", "skip_to", "add_steps", "plan_complete"}

    assert called - set(COMMANDS) - fields - steps - set(ARGUMENTS) <= SPEC


def test_what_is_missing_or_unknown_is_told() -> None:
    with pytest.raises(MCPError, match="needs question"):
        get_prompt("research", {"question": "  "})
    with pytest.raises(MCPError, match="There is no prompt 'nope'"):
        get_prompt("nope", {})
    assert "(not given)" in str(get_prompt("resume", {}).messages)
