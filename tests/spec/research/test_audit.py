"""The audit: when each type of event is written, what an entry says; sessions, request ids, calls."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.service.calls import CallLog
from interlock.store.sqlite.store import SqliteStore
from tests.doors.mcp.clients import on
from tests.spec.door import ADA, BOB, LEASE_MS, PAT, Document, Door, handed_in, promise

LOGGED = "SELECT tool, channel, failed, request FROM calls"


async def events(door: Door, plan: str, kind: str, after: int = 0) -> list[Document]:
    """Return the last events of a type, the oldest first."""
    found = reversed((await door.context(plan))["last_events"])
    return [one for one in found if one["sequence"] > after and kind in one["types"]]


@promise("audit.step_started")
@pytest.mark.parametrize(
    "how", ["get_next_step", "claim_next", "take_over_step", "submit", "fail_step"]
)
async def test_step_started(door: Door, how: str) -> None:
    plan = await door.plan(3)
    step, lease = await door.claim(plan)
    before = await door.sequence(plan)
    if how == "get_next_step":
        await door.claim(plan)
    elif how == "claim_next":
        await door.submit(step, lease=lease, claim_next=True)
    elif how == "take_over_step":
        await door.ask(how, PAT, step_id=step, reason="mine")
    elif how == "submit":
        await door.submit(f"{plan}.3")
    else:
        await door.fail(f"{plan}.3")

    assert len(await events(door, plan, "step_started", before)) == 1


@promise("audit.step_completed")
@pytest.mark.parametrize("how", ["submit", "approve"])
async def test_step_completed(door: Door, how: str) -> None:
    plan = await door.plan(2)
    if how == "submit":
        await door.submit(f"{plan}.1")
    else:
        await door.decide(await door.review(plan), "approve")

    (event,) = await events(door, plan, "step_completed")
    assert (event["step_ids"], event["to"]) == ([f"{plan}.1"], "completed")


@promise("audit.step_failed")
@pytest.mark.parametrize(
    "how", ["fail_step", "reject", "lease_expired", "taken_over", "released", "fail_plan"]
)
async def test_step_failed(door: Door, how: str) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    if how == "reject":
        await door.ask("request_user_review", step_id=step, lease=lease, summary="look")
        await door.decide(step, "reject")
    elif how == "fail_step":
        await door.fail(step)
    elif how == "lease_expired":
        door.pass_ms(LEASE_MS + 1)
        await door.claim(plan, BOB)
    elif how == "taken_over":
        await door.ask("take_over_step", PAT, step_id=step, reason="mine")
    elif how == "released":
        await door.ask("release_step", step_id=step, lease=lease)
    elif how == "fail_plan":
        await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")

    (event,) = await events(door, plan, "step_failed")
    assert event["step_ids"] == [f"{plan}.1"]
    if how in ("fail_step", "lease_expired", "taken_over", "released"):
        assert event["reason"] == how


@promise("audit.plan_modified", "audit.user_reviewed")
async def test_what_was_made_asked_and_decided_is_told_by_its_action(door: Door) -> None:
    plan = await door.plan(2)
    step = await door.review(plan)
    await door.decide(step, "modify", PAT)

    (made,) = await events(door, plan, "plan_modified")
    assert (made["action"], made["command"]) == ("created", "create_research_plan")
    asked, decided = await events(door, plan, "user_reviewed")
    assert (asked["action"], asked["command"]) == ("review_requested", "request_user_review")
    assert (decided["action"], decided["feedback"]) == ("modify", "because")
    assert (asked["actor"]["id"], decided["actor"]["id"]) == ("ada", "pat")


@promise("audit.step_skipped", "audit.plan_completed", "audit.plan_failed")
async def test_what_the_original_had_no_event_for(door: Door) -> None:
    plan = await door.plan(1)
    await door.decide(await door.review(plan), "skip")
    assert (await door.types(plan))[-3:] == ["user_reviewed", "step_skipped", "plan_completed"]

    plan = await door.plan(1)
    await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")
    assert (await door.types(plan))[-2:] == ["plan_failed", "step_skipped"]


@promise("audit.entry")
async def test_an_entry_says_who_when_what_and_why(door: Door) -> None:
    plan = await door.plan(1, session_id="s1")
    await door.fail(f"{plan}.1")
    bodies = await door.audit(plan)

    assert [body["sequence"] for body in bodies] == list(range(1, len(bodies) + 1))
    assert {body["at"] for body in bodies} == {door.stage.clock.now()}
    assert bodies[0]["actor"] == {"kind": "agent", "id": "ada", "session": "s1", "channel": "mcp"}
    (failed,) = await events(door, plan, "step_failed")
    assert (failed["from"], failed["to"], failed["reason"]) == (
        "in_progress", "failed", "fail_step",
    )  # fmt: skip
    assert (failed["command"], failed["actor"]["channel"]) == ("modify_plan fail_step", "mcp")


@promise("audit.walked-edges", "walk.plan-fails")
async def test_each_edge_has_an_entry_and_a_bulk_move_has_one(door: Door) -> None:
    plan = await door.plan(3)
    before = await door.sequence(plan)
    await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")

    assert await door.walk(plan, before) == ["plan planning>failed", "1,2,3 pending>skipped"]


@promise("audit.resource")
async def test_the_audit_is_a_resource_and_its_entries_are_chained(door: Door) -> None:
    plan = await door.plan(1)
    answer = await door.submit(f"{plan}.1")
    entries = (await door.read(f"unit/{plan}/audit"))["entries"]

    assert entries[-1]["hash"] == answer["receipt"]["hash"]
    assert entries[-1]["sequence"] == answer["receipt"]["sequence"] == len(entries)


# -- sessions and request ids ------------------------------------------------------------------


@promise("session.resumed", "audit.session_resumed")
async def test_a_session_that_comes_later_is_noted_once(door: Door) -> None:
    plan = await door.plan(4, session_id="s1")
    await door.claim(plan, session_id="s1")
    assert await events(door, plan, "session_resumed") == []
    for _ in range(2):
        await door.ask("get_research_context", BOB, plan_id=plan, session_id="s2")
        await door.claim(plan, BOB, session_id="s2")
    await door.claim(plan, session_id="s1")

    (event,) = await events(door, plan, "session_resumed")
    assert event["actor"]["session"] == "s2"


@promise("session.resumed", "audit.session_resumed")
@pytest.mark.parametrize(
    "tool", ["get_plan_status", "get_research_context", "get_next_step", "modify_plan"]
)
async def test_any_touch_of_a_new_session_counts(door: Door, tool: str) -> None:
    plan = await door.plan(2, session_id="s1")
    told: Document = {"plan_id": plan, "session_id": "s2"}
    if tool == "modify_plan":
        told |= {"action": "update_plan", "name": "Better"}
    await door.ask(tool, **told)

    assert len(await events(door, plan, "session_resumed")) == 1


@promise("request.same", "command.any.request_id")
async def test_the_same_request_again_has_the_same_answer(door: Door) -> None:
    plan = await door.plan(2)
    step, lease = await door.claim(plan)
    told = {**handed_in(step), "lease": lease, "request_id": "r-1", "claim_next": True}
    first = await door.ask("submit_step_result", **told)
    await door.submit(f"{plan}.2", lease=first["data"]["next_step"]["lease"]["token"])
    before = await door.sequence(plan)
    again = await door.ask("submit_step_result", **told)

    assert again == first
    assert await door.sequence(plan) == before


@promise("request.other", "refusal.IDEMPOTENCY_MISMATCH")
async def test_the_same_request_id_for_something_else_is_refused(door: Door) -> None:
    plan = await door.plan(2)
    await door.ask("get_next_step", plan_id=plan, request_id="r-2")
    told = {**handed_in(f"{plan}.2"), "request_id": "r-2"}
    no = await door.refuse("submit_step_result", **told)

    assert no["code"] == "IDEMPOTENCY_MISMATCH"
    await door.submit(f"{plan}.2", BOB, request_id="r-2")


@promise("command.any.request_id", "command.any.session_id")
async def test_every_tool_that_changes_something_takes_both(door: Door) -> None:
    tools = (await door.clients[ADA].list_tools()).tools
    research = {"create_research_plan", "get_next_step", "submit_step_result", "heartbeat_step",
                "release_step", "take_over_step", "request_user_review", "submit_user_decision",
                "modify_plan", "store_research", "store_research_output", "extract_data",
                "fail_plan", "log_skill_execution", "submit_feedback"}  # fmt: skip
    found = {tool.name: tool.input_schema["properties"] for tool in tools}

    assert research <= set(found)
    for name in research:
        assert {"request_id", "session_id"} <= set(found[name]), name


@promise("rule.one-transaction")
async def test_a_refused_command_has_written_nothing(door: Door) -> None:
    plan = await door.plan(2)
    step, _ = await door.claim(plan)
    before = await door.sequence(plan)
    told = {**handed_in(step), "lease": "nobody.1", "claim_next": True}
    await door.refuse("submit_step_result", **told)

    assert await door.sequence(plan) == before
    assert await door.standing(plan) == "executing: in_progress pending"


# -- the log of calls --------------------------------------------------------------------------


@promise("audit.calls")
async def test_every_call_but_ping_is_logged_with_long_texts_by_their_length(door: Door) -> None:
    log = CallLog(door.stage.engine.store, door.stage.clock)
    async with on(door.stage, calls=log) as client:
        await client.call_tool("ping", {})
        await client.call_tool("list_active_plans", {})
        await client.call_tool("explain", {"id": "x" * 501, "session_id": "s1"})
    await log.close()

    with closing(apsw.Connection(str(door.stage.where))) as file:
        found = {row[0]: row[1:] for row in file.execute(LOGGED)}
    assert set(found) == {"list_active_plans", "explain"}
    assert found["list_active_plans"][:2] == ("mcp", 0)
    channel, failed, request = found["explain"]
    assert (channel, failed, "501" in str(request), "xxx" in str(request)) == (
        "mcp",
        1,
        True,
        False,
    )


@promise("audit.calls")
async def test_a_log_that_cannot_write_harms_no_call(door: Door) -> None:
    gone = SqliteStore(Path(str(door.stage.where)).with_name("gone.db"), door.stage.clock)
    log = CallLog(gone, door.stage.clock)
    await gone.close()
    async with on(door.stage, calls=log) as client:
        answer = await client.call_tool("list_active_plans", {})
    await log.close()

    assert not answer.is_error
