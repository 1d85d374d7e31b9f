"""The rows of the plan's commands: every tool of the specification that is about plans."""

from interlock.commands.plan.rows import COMMANDS


def test_the_tools_have_the_names_that_agents_know() -> None:
    assert {row.name for row in COMMANDS} == {
        "create_research_plan", "get_next_step", "submit_step_result", "heartbeat_step",
        "release_step", "take_over_step", "request_user_review", "submit_user_decision",
        "modify_plan", "get_plan_status", "get_research_context", "get_step_context", "fail_plan",
    }  # fmt: skip
