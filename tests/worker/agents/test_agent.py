"""What is said of a task where it is shown, and how long an agent is waited for."""

from dataclasses import replace

from interlock.worker.agents.agent import FAILED, Agent, AgentFailed, Said, Task
from tests.worker.agents.tasks import DRAFT


class Silent(Agent):
    """Has no answer."""

    async def run(self, task: Task) -> Said:
        """Fail."""
        raise AgentFailed(FAILED, "no", task.prompt)


def test_a_task_is_named_with_its_domain_if_it_has_one() -> None:
    assert DRAFT.name == "interview/draft"
    assert replace(DRAFT, domain="discovery", task="scan").name == "scan"
    assert replace(DRAFT, domain="", task="scan").name == "scan"


def test_neither_prompt_nor_schema_is_in_what_a_log_would_show() -> None:
    assert "Draft questions" not in repr(DRAFT)
    assert "properties" not in repr(DRAFT)


def test_an_agent_has_the_time_of_its_task() -> None:
    assert Silent().limit_s(DRAFT) == 5.0
    assert Silent().secrets == ()
    failed = AgentFailed(FAILED, "no", "x")
    assert (failed.failure, failed.message, failed.text, str(failed)) == (FAILED, "no", "x", "no")
