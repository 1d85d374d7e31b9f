"""What every task of execution is told: the tree, the attempt, and what is its own."""

from tests import reports
from tests.building import REVIEW, brought, take
from tests.stage import PAT, Stage, staged
from tests.tickets import status_of


@staged
async def test_every_task_is_told_the_tree_and_its_own(stage: Stage) -> None:
    name = await brought(stage, "PRE_FLIGHT_CHECK")
    task = (await take(stage, name))["task"]

    assert task["members"] == ["scripted"]
    assert (task["title"], task["site"], task["number"]) == ("Sell apples", reports.SITE, 1)
    assert task["tree"]["branch"] == "interlock/apples"
    assert "prompt" not in task


@staged
async def test_a_merge_is_told_the_request_that_was_opened(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    await stage.call("merge", PAT, ticket_id=name)
    task = (await take(stage, name))["task"]
    now = await status_of(stage, name)

    assert task["pull_request"] == now["pull_request"]
    assert task["pull_request"]["head"] == now["tree"]["candidate"] == task["tree"]["candidate"]


@staged
async def test_what_a_model_may_answer_comes_with_its_prompt(stage: Stage) -> None:
    name = await brought(stage, "PREPARING_EXECUTION_ENV")
    task = (await take(stage, name))["task"]

    assert task["prompt"]["name"] == "prepare"
    assert set(task["schema"]["properties"]) == {"summary", "commands"}
    assert "make install" in task["prompt"]["text"]
