"""The rows of the mission's commands: every tool of the specification, by its name."""

from interlock.commands.all import COMMANDS as ALL
from interlock.commands.mission.rows import COMMANDS
from interlock.workflows.mission.workflow import WORKFLOW

SPECIFIED = {
    "propose_mission", "edit_mission", "accept_mission", "propose_hop", "create_hop", "revise_hop",
    "withdraw_hop", "accept_hop", "reject_hop", "request_changes", "submit_resolution",
    "fail_resolution", "approve_design", "execute_hop", "submit_tool_result", "mark_hop_complete",
    "complete_early", "fix_hop", "abandon_recovery", "cancel", "reset_hop", "delete_hop",
    "archive_hop", "reset_mission", "set_asset", "mission_status", "list_missions",
    "mission_context",
}  # fmt: skip


def test_the_tools_have_the_names_of_the_specification() -> None:
    assert {row.name for row in COMMANDS} == SPECIFIED


def test_whatever_the_rules_call_a_command_is_one() -> None:
    named = {rule.command for rule in WORKFLOW.rules if rule.command}

    assert named <= ALL.keys()


def test_every_event_that_is_sent_has_a_rule() -> None:
    events = {row.event for row in COMMANDS if row.event and row.event != "begin"}

    assert [event for event in events if WORKFLOW.rule(event) is None] == []
