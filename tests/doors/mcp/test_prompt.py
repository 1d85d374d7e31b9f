"""The prompts: their files, their arguments, and that they name only tools there are or will be."""

import re
from pathlib import Path
from typing import Final

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.prompt import ARGUMENTS, FOLDER, get_prompt, list_prompts
from interlock.wire.mission import ChainStep
from interlock.workflows.mission.workflow import WORKFLOW as MISSION

SPEC: Final = frozenset({
    "request_user_review", "get_research_context", "store_research_output", "list_active_plans",
})  # fmt: skip
"""Tools of the spec that a prompt names, and what it does where one is not offered."""

ERRORS: Final = Path("docs/errors.md")
SPELLED: Final = frozenset({"HTTP", "JSON", "NAME", "VALUE"})
"""Words in capitals that are neither a status nor a code."""

MISSIONS: Final = ("mission", "mission-hop", "mission-resolve")


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
    steps = {"depends_on", "skip_to", "add_steps", "plan_complete", *ChainStep.model_fields}
    told = {"last_events"}

    assert called - set(COMMANDS) - fields - steps - told - set(ARGUMENTS) <= SPEC


@pytest.mark.parametrize("name", ARGUMENTS)
def test_statuses_and_codes_are_those_that_there_are(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    words = {word for word in re.findall(r"\b[A-Z][A-Z_]{3,}\b", text) if word not in SPELLED}
    kinds = (MISSION.unit, *(kind.machine for kind in MISSION.parts))
    statuses = {status for machine in kinds for status in machine.names()}
    codes = set(re.findall(r"^## `([A-Z_]+)`", ERRORS.read_text(encoding="utf-8"), re.MULTILINE))

    assert words <= statuses | codes


def test_the_prompts_of_missions_lead_from_a_goal_to_a_design() -> None:
    said = {name: (FOLDER / f"{name}.md").read_text("utf-8") for name in MISSIONS}
    onward = {name: set(re.findall(r"prompt `([a-z-]+)`", text)) for name, text in said.items()}
    ends = ("propose_mission", "propose_hop", "submit_resolution")

    assert onward == {"mission": {"mission-hop"}, "mission-hop": {"mission-resolve"},
                      "mission-resolve": set()}  # fmt: skip
    assert all(f"`{command}`" in said[name] for name, command in zip(MISSIONS, ends, strict=True))
    assert all("Only a person" in text for text in said.values())


def test_the_prompts_of_tickets_leave_decisions_to_people_and_lead_through_the_queue() -> None:
    new, work = ((FOLDER / f"{name}.md").read_text("utf-8") for name in ("ticket", "ticket-work"))
    queue = ("get_next_work", "heartbeat_work", "submit_work", "fail_work", "release_work",
             "list_work", "get_work_context")  # fmt: skip

    assert "`create_ticket`" in new
    assert "Never approve on your own" in new
    assert "prompt `ticket-work`" in new
    assert [name for name in queue if f"`{name}`" not in work] == []
    assert "ANSWER_INVALID" in work


def test_what_is_missing_or_unknown_is_told() -> None:
    with pytest.raises(MCPError, match="needs question"):
        get_prompt("research", {"question": "  "})
    with pytest.raises(MCPError, match="There is no prompt 'nope'"):
        get_prompt("nope", {})
    assert "(not given)" in str(get_prompt("resume", {}).messages)
