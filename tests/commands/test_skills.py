"""What clients tell beside the work: which skill they execute, what a plan was worth."""

from dataclasses import replace

from interlock.service.create import NewPart, NewUnit, create
from interlock.service.skills import newest_started
from tests.stage import ADA, EVE, HOME, PAT, Stage, staged

SCAN = {"skill_name": "research-scan", "session_id": "s1"}


async def begun(stage: Stage, **more: object) -> str:
    answer = await stage.call("log_skill_execution", **SCAN, status="started", **more)
    return str(answer.data["skill_execution_id"])


async def linked(stage: Stage) -> str:
    """Make a plan for the execution that its session began last; return the plan's id."""
    skill = await newest_started(stage.engine, HOME, "s1")
    new = NewUnit("plan", {}, (NewPart("step", {"title": "t", "instructions": "i"}),), skill=skill)
    me = replace(ADA, session="s1")
    answer = await create(stage.engine, me, new, lambda made: {"unit": made.unit.id})
    return str(answer.reply["unit"])


@staged
async def test_a_skill_is_started_and_says_how_to_go_on(stage: Stage) -> None:
    answer = await stage.call("log_skill_execution", **SCAN, status="started")

    name = str(answer.data["skill_execution_id"])
    assert name.startswith("skill-")
    assert (answer.status, answer.data["skill_name"]) == ("started", "research-scan")
    assert "create_research_plan" in answer.next_action
    row = await stage.engine.store.skill(HOME, name)
    assert row is not None
    assert (row.session, row.principal, row.metadata) == ("s1", "ada", "{}")


@staged
async def test_an_execution_whose_plan_has_begun_is_completed_with_a_receipt(stage: Stage) -> None:
    name = await begun(stage, metadata={"output_media_type": "text/markdown"})
    plan = await linked(stage)
    await stage.claim(plan)
    done = {**SCAN, "status": "completed", "skill_execution_id": name}
    answer = await stage.call("log_skill_execution", **done)

    assert (answer.status, answer.data["plan_id"]) == ("completed", plan)
    assert answer.receipt is not None
    assert answer.receipt.unit == plan


@staged
async def test_what_has_not_begun_cannot_be_completed(stage: Stage) -> None:
    name = await begun(stage)
    await linked(stage)
    done = {**SCAN, "status": "completed", "skill_execution_id": name}
    no = await stage.refused("log_skill_execution", **done)

    assert (no.code, no.http) == ("INVALID_TRANSITION", 409)
    assert no.message == "A skill execution cannot go from started to completed."
    assert no.fix == "Legal from started: executing, failed."
    answer = await stage.call("log_skill_execution", **{**done, "status": "failed"})
    assert answer.status == "failed"


@staged
async def test_an_end_says_of_what(stage: Stage) -> None:
    await begun(stage)
    no = await stage.refused("log_skill_execution", **SCAN, status="failed")

    assert (no.code, no.message) == (
        "INVALID_INPUT", "It is not said which execution has failed.",
    )  # fmt: skip


@staged
async def test_a_session_must_be_named_and_unknown_words_are_refused(stage: Stage) -> None:
    told = {"skill_name": "research-scan", "status": "started"}
    assert (await stage.refused("log_skill_execution", **told)).code == "INVALID_INPUT"
    wrong = {**SCAN, **told, "metadata": {"colour": "red"}}
    assert (await stage.refused("log_skill_execution", **wrong)).code == "INVALID_INPUT"


@staged
async def test_feedback_is_kept_and_changes_nothing(stage: Stage) -> None:
    plan = await stage.plan(1)
    before = await stage.mark(plan)
    answer = await stage.call("submit_feedback", PAT, plan_id=plan, rating=2, text="meh")

    assert (answer.status, answer.data) == ("ok", {"plan_id": plan, "rating": 2})
    assert await stage.mark(plan) == before
    (row,) = await stage.engine.store.feedback(HOME, plan)
    assert (row.rating, row.text, row.principal) == (2, "meh", "pat")


@staged
async def test_a_rating_is_from_one_to_five_and_of_a_plan_of_yours(stage: Stage) -> None:
    plan = await stage.plan(1)
    for rating in (0, 6, 2.5, "5", True, None):
        no = await stage.refused("submit_feedback", plan_id=plan, rating=rating)
        assert no.code == "INVALID_INPUT", rating
    ticket = await stage.ticket()
    for name in (ticket, f"{plan}.1"):
        assert (await stage.refused("submit_feedback", plan_id=name, rating=3)).code == "NOT_FOUND"
    assert (await stage.refused("submit_feedback", EVE, plan_id=plan, rating=3)).http == 404
    assert await stage.engine.store.feedback(HOME, plan) == ()
