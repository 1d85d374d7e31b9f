"""What the engine is made of: workflows by the names of their units, their queues, principals."""

from pathlib import Path

import pytest

from interlock.kernel.seen import Actor
from interlock.service.engine import Principal, clockwork, running
from interlock.service.errors import NotFound
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.boxes import SHELVES
from tests.service.desk import Desk, at_desk


@pytest.mark.parametrize("name", ["plan-0123456789ab", "plan-0123456789ab.7", "ticket-x.1"])
def test_a_name_says_which_workflow_it_runs_on(tmp_path: Path, name: str) -> None:
    async def story(desk: Desk) -> str:
        return desk.engine.running(name).flow.name

    assert at_desk(tmp_path, story) == name.partition("-")[0]


@pytest.mark.parametrize("name", ["", "plan", "-", "nothing-1", "Plan-1", ".plan-1", "x.plan-1"])
def test_a_name_that_begins_with_no_workflow_names_nothing(tmp_path: Path, name: str) -> None:
    async def story(desk: Desk) -> None:
        with pytest.raises(NotFound):
            desk.engine.running(name)

    at_desk(tmp_path, story)


def test_each_queue_names_the_statuses_it_hands_out() -> None:
    found = {name: one.kinds for name, one in running(WORKFLOWS).items()}

    assert found == {
        "plan": (("step", ("pending", "in_progress")),),
        "mission": (
            ("hop", ("PROPOSED", "READY_TO_RESOLVE")),
            ("tool_step", ("READY_TO_EXECUTE", "EXECUTING")),
        ),
        "ticket": (
            ("bead", ("pending", "in_progress")),
            ("assignment", ("offered",)),
        ),
    }


def test_a_workflow_without_queues_can_run() -> None:
    found = running({"shelves": SHELVES})["shelves"]

    assert (found.queues, found.kinds) == ({}, ())
    assert found.digest


def test_a_principal_acts_under_its_own_name() -> None:
    agent = Principal("t", "agent", "ada", frozenset({"work"}), "s1", "pat")

    assert agent.actor() == Actor("agent", "ada", "s1", "pat")
    assert clockwork("t").actor() == Actor("system", "clock")
