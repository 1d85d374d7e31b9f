"""An agent is asked in the tree; what does not fit is mended there, within its retries."""

import asyncio
from pathlib import Path

import pytest

from interlock.worker.agents.agent import TRANSIENT, Agent, AgentFailed, Said, Task
from interlock.worker.agents.script import Turn
from interlock.worker.execution.job import CannotWork
from tests.worker.execution.ground import DONE, Ground, ground_in

GOOD = {"pears.py": "pears\n"}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


class Speaks(Agent):
    """Says one thing after the other, and remembers what it was asked."""

    def __init__(self, *says: Said | AgentFailed) -> None:
        """Say these."""
        self.says = [*says]
        self.asked: list[Task] = []

    async def run(self, task: Task) -> Said:
        """Say the next thing."""
        self.asked.append(task)
        said = self.says.pop(0)
        if isinstance(said, AgentFailed):
            raise said
        await asyncio.to_thread((task.folder or Path()).joinpath("pears.py").write_text, "pears\n")
        task.hear("a line while it works")
        return said


def asked(ground: Ground, agent: Agent, **more: object) -> dict[str, object]:
    ground.crew = lambda: {"scripted": agent}  # type: ignore[method-assign] # this one is asked
    return ground.do("code", **more)


def test_an_answer_that_does_not_fit_is_mended_with_what_is_wrong(ground: Ground) -> None:
    agent = Speaks(Said({"bead_id": "pears"}, "hm"), Said(dict(DONE), "yes", 10, 5))

    report = asked(ground, agent)

    assert report["status"] == "done"
    first, second = agent.asked
    assert (first.rejected, second.rejected) == (0, 1)
    assert "$.status" in second.prompt
    assert second.prompt.startswith(first.prompt)
    assert (first.folder, first.home) == (ground.tree.folder, ground.tree.home)
    assert (first.about, first.number) == ("pears", 1)
    assert "a line while it works" in ground.lines()


def test_only_so_many_may_be_mended(ground: Ground) -> None:
    agent = Speaks(*[Said({}, "hm")] * 4)

    report = asked(ground, agent, structured_retries=2)

    assert report["reason"] == "answer_invalid"
    assert len(agent.asked) == 3


def test_one_that_is_away_for_a_moment_is_asked_again(ground: Ground) -> None:
    away = AgentFailed(TRANSIENT, "too busy")
    agent = Speaks(away, away, Said(dict(DONE), "yes"))

    assert asked(ground, agent)["status"] == "done"
    gone = Speaks(away, away, away, away)
    assert asked(ground, gone)["reason"] == "agent_failed"
    assert len(gone.says) == 1


def test_an_agent_that_is_not_here_cannot_be_asked(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files=GOOD))

    with pytest.raises(CannotWork, match="no agent 'big'"):
        ground.do("code", member={"name": "ada", "agent": "big"})
