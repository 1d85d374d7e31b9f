"""The interlock of missions: every story, every pair, and what tells steps and assets apart."""

from interlock.kernel.validate import mistakes
from interlock.workflows.mission.workflow import WORKFLOW
from tests.workflows.mission.oracle import Standing, is_legal, misjudged, standings
from tests.workflows.mission.stories import broken, stories

COMMANDS = {
    "edit_mission", "accept_mission", "propose_hop", "create_hop", "revise_hop", "withdraw_hop",
    "accept_hop", "reject_hop", "request_changes", "submit_resolution", "fail_resolution",
    "approve_design", "execute_hop", "submit_tool_result", "mark_hop_complete", "complete_early",
    "fix_hop", "abandon_recovery", "cancel", "reset_hop", "delete_hop", "archive_hop",
    "reset_mission", "set_asset", "get_next_work", "heartbeat_work", "release_work",
}  # fmt: skip
"""The commands of the specification that change something; proposing a mission makes the unit."""

RELAYED = {
    "accept_mission", "accept_hop", "reject_hop", "request_changes", "approve_design",
    "execute_hop", "fix_hop", "cancel_mission", "cancel_hop", "reset_hop", "reset_mission",
}  # fmt: skip
"""The decisions an agent may relay where the policy allows it."""


def test_nothing_is_broken() -> None:
    assert broken(WORKFLOW) == []


def test_the_rows_fit_together() -> None:
    assert mistakes(WORKFLOW) == ()


def test_no_two_stories_have_one_name() -> None:
    names = [story.name for story in stories()]

    assert len(names) == len(set(names))


def test_every_command_of_the_specification_has_its_rule() -> None:
    assert {rule.command for rule in WORKFLOW.rules if rule.command} == COMMANDS


def test_decisions_are_relayed_and_never_made_by_the_system() -> None:
    relayed = {r.event for r in WORKFLOW.rules if any(g.code == "HUMAN_REQUIRED" for g in r.guards)}
    actors = {actor for r in WORKFLOW.rules if r.event in RELAYED for actor in r.actors}

    assert relayed == RELAYED
    assert actors == {"user", "agent"}


def test_the_oracle_knows_both_answers() -> None:
    verdicts = {is_legal(standing) for standing in standings()}

    assert verdicts == {True, False}
    assert is_legal(Standing("BUILDING_HOP", ("FAILED",), 0, is_held=True))
    assert not is_legal(Standing("BUILDING_HOP", ("FAILED",), 0, is_held=False))


def test_the_oracle_and_the_pairs_agree() -> None:
    assert misjudged(WORKFLOW) == []
