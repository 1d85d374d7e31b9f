"""The same request id brings the same answer and one effect, for every command that has any."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from interlock.commands.all import COMMANDS
from tests.stage import ADA, BOB, EVE, HOME, PAT, Stage, new_plan, staged

Arguments = dict[str, object]
CHANGING = {name for name, row in COMMANDS.items() if not row.is_read}


async def nothing(_: Stage) -> Arguments:
    return {}


async def some_plan(stage: Stage) -> Arguments:
    await stage.plan(3)
    return {}


async def a_plan(stage: Stage) -> Arguments:
    return {"plan_id": await stage.plan(3)}


async def a_step(stage: Stage) -> Arguments:
    step, lease = await stage.claim(await stage.plan(3))
    return {"step_id": step, "lease": lease}


async def a_review(stage: Stage) -> Arguments:
    step, _ = await stage.claim(await stage.plan(3))
    await stage.call("request_user_review", step_id=step, summary="s", result={"n": 1})
    return {"step_id": step}


async def a_gate(stage: Stage) -> Arguments:
    step, _ = await stage.claim(await stage.plan(3))
    asked = await stage.call("request_user_review", step_id=step, summary="s", result={"n": 1})
    gate = asked.data["gate"]
    return {"gate_id": gate["gate_id"] if isinstance(gate, dict) else ""}


async def a_removal(stage: Stage) -> Arguments:
    plan = await stage.plan(3)
    return {"plan_id": plan, "step_id": f"{plan}.2"}


async def a_part(stage: Stage) -> Arguments:
    step, lease = await stage.claim(await stage.plan(3))
    return {"part_id": step, "lease": lease}


async def an_old_step(stage: Stage) -> Arguments:
    step, _ = await stage.claim(await stage.plan(3), BOB)
    return {"step_id": step}


async def an_old_part(stage: Stage) -> Arguments:
    step, _ = await stage.claim(await stage.plan(3), BOB)
    return {"part_id": step}


async def a_skill(stage: Stage) -> Arguments:
    begun = {"skill_name": "scan", "status": "started", "session_id": "s1"}
    made = await stage.call("log_skill_execution", **begun)
    return {"skill_execution_id": made.data["skill_execution_id"]}


NOTES: Arguments = {"title": "Notes", "content": "x"}
# It changes no unit; what holds for it is in tests/service/test_extract.py.
APART = {"extract_data"}
# What answers a request id is kept, and no secret may be: these take none. Done twice they do
# nothing more, or make another link or token.
APART |= {row.name for row in COMMANDS.values() if row.toolset == "people" and not row.is_read}
# What holds for tickets is in tests/commands/ticket/test_again.py; projects take no request id.
APART |= {row.name for row in COMMANDS.values() if row.toolset == "ticket" and not row.is_read}
# It changes no unit: the same lines once more are kept once, see tests/service/test_logs.py.
APART |= {"append_log"}
# What holds for missions is in tests/commands/mission/test_again.py.
APART |= {row.name for row in COMMANDS.values() if row.toolset == "mission" and not row.is_read}

# The command; what it is about; the rest of its arguments; the same but different.
CASES: dict[str, tuple[Callable[[Stage], Awaitable[Arguments]], Arguments, Arguments]] = {
    "create_research_plan": (nothing, new_plan(), {"name": "Another"}),
    "get_next_step": (a_plan, {}, {"wait_s": 0.5}),
    "submit_step_result": (a_step, {"result_summary": "s", "claim_next": True}, {"confidence": 1}),
    "heartbeat_step": (a_step, {}, {"note": "n"}),
    "release_step": (a_step, {}, {"note": "n"}),
    "take_over_step": (an_old_step, {"reason": "r"}, {"reason": "s"}),
    "request_user_review": (a_step, {"summary": "s"}, {"summary": "t"}),
    "decide_gate": (a_gate, {"decision": "approve"}, {"decision": "skip"}),
    "submit_user_decision": (a_review, {"decision": "approve"}, {"decision": "skip"}),
    "modify_plan": (a_removal, {"action": "remove_step"}, {"action": "fail_step"}),
    "fail_plan": (a_plan, {"reason": "r"}, {"reason": "s"}),
    "log_skill_execution": (
        a_skill,
        {"skill_name": "scan", "status": "failed", "session_id": "s1"},
        {"metadata": {"output_media_type": "text/plain"}},
    ),
    "submit_feedback": (a_plan, {"rating": 4}, {"rating": 5}),
    "store_research": (a_plan, {**NOTES, "artifact_type": "notes"}, {"content": "y"}),
    "store_research_output": (a_plan, NOTES, {"content": "y"}),
    "get_next_work": (some_plan, {}, {"workflow": "plan"}),
    "submit_work": (a_part, {"answer": {"n": 1}}, {"answer": {"n": 2}}),
    "heartbeat_work": (a_part, {}, {"note": "n"}),
    "release_work": (a_part, {}, {"note": "n"}),
    "fail_work": (a_part, {"reason": "r"}, {"reason": "s"}),
    "take_over_work": (an_old_part, {"reason": "r"}, {"reason": "s"}),
}


def test_every_command_that_changes_something_has_a_case() -> None:
    assert set(CASES) | APART == CHANGING


async def marks(stage: Stage) -> dict[str, object]:
    """Return what stands, of every unit and beside it."""
    store = stage.engine.store
    names = [one.row.id for one in await store.units(HOME, "", None, 100)]
    skill = await store.newest_skill(HOME, "s1")
    return {
        name: (await stage.mark(name), await store.feedback(HOME, name), skill) for name in names
    }


@staged
async def test_the_same_request_has_one_effect_and_one_answer(stage: Stage) -> None:
    for name, (about, rest, _) in CASES.items():
        asked = {**await about(stage), **rest, "request_id": f"r-{name}"}
        before = await marks(stage)
        first = await stage.call(name, PAT, **asked)
        after = await marks(stage)
        assert after != before, name

        again = await stage.call(name, PAT, **asked)
        copies = await asyncio.gather(*(stage.call(name, PAT, **asked) for _ in range(5)))

        assert [one for one in (again, *copies) if one != first] == [], name
        assert await marks(stage) == after, name


@staged
async def test_a_request_id_is_good_for_one_question(stage: Stage) -> None:
    for name, (about, rest, other) in CASES.items():
        asked = {**await about(stage), **rest, "request_id": f"r-{name}"}
        await stage.call(name, PAT, **asked)
        before = await marks(stage)

        no = await stage.refused(name, PAT, **{**asked, **other})

        assert (no.code, no.http, no.retryable) == ("IDEMPOTENCY_MISMATCH", 409, False), name
        assert await marks(stage) == before, name


@staged
async def test_copies_that_come_at_once_have_one_effect(stage: Stage) -> None:
    copies = [stage.call("create_research_plan", **new_plan(), request_id="r") for _ in range(100)]
    answers = await asyncio.gather(*copies)
    plan = str(answers[0].data["plan_id"])
    assert [one for one in answers if one != answers[0]] == []
    assert len(await marks(stage)) == 1

    claims = [stage.call("get_next_step", plan_id=plan, request_id="c") for _ in range(100)]
    answers = await asyncio.gather(*claims)

    assert [one for one in answers if one != answers[0]] == []
    assert await stage.standing(plan) == "executing: in_progress pending"


@staged
async def test_a_request_id_belongs_to_one_principal_of_one_tenant(stage: Stage) -> None:
    namesake = replace(EVE, id=ADA.id)
    made = [
        (await stage.call("create_research_plan", by, **new_plan(), request_id="r")).data["plan_id"]
        for by in (ADA, BOB, EVE, namesake)
    ]

    assert len(set(made)) == 4


@staged
async def test_a_refused_request_may_be_sent_again_with_the_same_id(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, _ = await stage.claim(plan, BOB)
    taking: Arguments = {"step_id": step, "reason": "r", "request_id": "r"}
    assert (await stage.refused("take_over_step", **taking)).code == "STEP_HELD"
    await stage.pass_ms(24 * 3600 * 1000)

    assert (await stage.call("take_over_step", **taking)).status == "in_progress"
