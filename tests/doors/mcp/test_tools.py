"""Rows as tools: which toolset has which, and what is told of each."""

import pytest

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.tools import ALSO, toolset, toolsets


def names(toolset_name: str) -> list[str]:
    return [tool.name for tool in toolset(toolset_name).tools]


def test_research_comes_first_and_all_has_every_command_in_the_order_of_the_rows() -> None:
    assert toolsets()[0] == "research"
    assert toolsets()[-1] == "all"
    assert names("all") == [row.name for row in COMMANDS.values() if row.toolset != "people"]


def test_what_only_people_do_is_no_tool_of_any_toolset() -> None:
    apart = {row.name for row in COMMANDS.values() if row.toolset == "people"}

    assert {"create_token", "invite_user", "set_role", "create_login_link"} <= apart
    assert "people" not in toolsets()
    assert [name for name in toolsets() if apart & set(names(name))] == []


def test_a_toolset_has_its_own_and_what_belongs_to_every_one() -> None:
    for name in toolsets()[:-1]:
        own = [row.name for row in COMMANDS.values() if row.toolset in (name, "every")]
        assert [one for one in names(name) if one not in ALSO.get(name, ())] == own
        assert {"explain", "ping"} <= set(own)
    assert "get_next_step" not in names("work")
    assert "get_next_work" not in names("research")


def test_whoever_takes_part_in_tickets_has_the_queue_and_the_gates_with_them() -> None:
    queue = {
        "get_next_work", "submit_work", "heartbeat_work", "fail_work", "get_work_context", "list_work",
    }  # fmt: skip

    assert queue <= set(names("work"))
    assert queue | {"decide_gate", "cancel", "create_ticket", "list_projects"} <= set(
        names("ticket")
    )
    assert set().union(*ALSO.values()) <= set(COMMANDS)


def test_a_list_is_the_same_every_time() -> None:
    assert toolset("research") is toolset("research")


def test_there_is_no_other_toolset() -> None:
    with pytest.raises(KeyError):
        toolset("every")


def test_hints_are_true() -> None:
    hints = {
        tool.name: tool.annotations.model_dump(exclude_none=True)
        for tool in toolset("all").tools
        if tool.annotations is not None
    }

    assert hints["get_step_context"] == {
        "read_only_hint": True, "destructive_hint": False, "idempotent_hint": True,
        "open_world_hint": False,
    }  # fmt: skip
    assert hints["submit_step_result"] == {
        "read_only_hint": False, "destructive_hint": False, "idempotent_hint": False,
        "open_world_hint": False,
    }  # fmt: skip
    assert hints["take_over_step"]["destructive_hint"]
    # It notes a stall, and a session that is new to the plan.
    assert not hints["get_plan_status"]["read_only_hint"]
    for name in names("all"):
        row = COMMANDS[name]
        assert hints[name]["read_only_hint"] == (row.is_read and not row.marks)
        assert hints[name]["open_world_hint"] == row.reaches_out


def test_every_tool_says_what_comes_back() -> None:
    for tool in toolset("all").tools:
        assert tool.output_schema is not None
        assert tool.output_schema["required"] == ["status"]
        assert tool.description == COMMANDS[tool.name].doc


def test_missions_come_with_the_queue_and_the_gates_that_they_need() -> None:
    offered = names("mission")

    assert {"propose_mission", "get_next_work", "heartbeat_work", "decide_gate"} <= set(offered)
    assert {"submit_work", "create_research_plan"}.isdisjoint(offered)
