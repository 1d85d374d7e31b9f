"""The verbs by name: found, checked, allowed, and answered in the one envelope."""

import asyncio
import math
from contextlib import suppress
from dataclasses import replace

import pytest

from interlock.commands.all import COMMANDS
from interlock.commands.verbs import LocalVerbs, find, read
from interlock.kernel.refusal import Refusal
from interlock.service.delete import NotEnded
from interlock.service.errors import InvalidInput, StaleVersion, TooLarge
from interlock.service.meter import Meter
from interlock.service.rate import Rates
from interlock.service.roles import OWNER
from interlock.wire.envelope import Envelope
from tests.stage import ADA, PAT, Stage, new_plan, staged


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_hold_is_refused_and_does_not_become_nothing(number: float) -> None:
    result = {"figures": [None, {"mean": number}]}
    asked = {"step_id": "plan-1.1", "result": result, "result_summary": "null"}

    with pytest.raises(InvalidInput, match="no plain data"):
        read(COMMANDS["submit_step_result"], asked, 1_000)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("get_next_stp", "Did you mean get_next_step?"),
        ("", "List the commands first."),
        ("\0" * 200, "List the commands first."),
        ("x" * 1_000_000, "List the commands first."),
    ],
)
def test_a_name_that_is_no_command_is_told_the_nearest(name: str, fix: str) -> None:
    with pytest.raises(InvalidInput) as no:
        find(name)

    assert no.value.fix == fix
    assert len(no.value.message) < 500


def test_all_that_is_wrong_is_told_at_once_with_its_place() -> None:
    wrong = {"name": "", "steps": [{"instructions": "a", "step_type": "guess"}, {}], "nam": 1}

    with pytest.raises(InvalidInput) as no:
        read(COMMANDS["create_research_plan"], wrong, 10_000)

    for place in ("name", "research_question", "steps.0.step_type", "steps.1.instructions", "nam"):
        assert f"{place}: " in no.value.message
    assert "create_research_plan takes " in no.value.fix


def test_a_name_of_a_field_is_only_shown() -> None:
    with pytest.raises(InvalidInput) as no:
        read(COMMANDS["list_units"], {"\x1b[31m": 1}, 10_000)

    assert "'\\x1b[31m': Extra inputs" in no.value.message


def test_of_very_many_mistakes_some_are_told() -> None:
    many = {"name": "n", "research_question": "q", "steps": [{"x" * 500: 1}] * 3_000}

    with pytest.raises(InvalidInput) as no:
        read(COMMANDS["create_research_plan"], many, 10_000_000)

    assert no.value.message.endswith("and 5991 more.")
    assert len(no.value.message) < 3_000


def nested(depth: int) -> dict[str, object]:
    """Return an answer that makes its whole input so deep."""
    inner: object = 1
    for _ in range(depth - 2):
        inner = [inner]
    return {"part_id": "p.1", "answer": {"a": inner}}


@pytest.mark.parametrize("depth", [33, 100, 1_000, 100_000])
def test_what_is_nested_too_deep_is_too_large(depth: int) -> None:
    with pytest.raises(TooLarge) as no:
        read(COMMANDS["submit_work"], nested(depth), 10_000_000)

    assert (no.value.code, no.value.http) == ("TOO_LARGE", 413)
    assert no.value.message == "The input is nested more than 32 deep."


def test_what_is_nested_as_deep_as_allowed_is_taken() -> None:
    assert read(COMMANDS["submit_work"], nested(32), 10_000).model_dump()["part_id"] == "p.1"


@pytest.mark.parametrize(("size", "is_taken"), [(2_000, True), (2_001, False)])
def test_an_input_has_its_size_in_bytes_of_utf_8(size: int, *, is_taken: bool) -> None:
    told = {"part_id": "p.1", "answer": {"t": "é" * 900}}
    bare = len('{"answer":{"t":""},"part_id":"p.1"}') + 1_800
    told["part_id"] = "p.1" + "0" * (size - bare)

    if is_taken:
        with pytest.raises(InvalidInput, match="part_id: String should have at most 120"):
            read(COMMANDS["submit_work"], told, 2_000)
    else:
        with pytest.raises(TooLarge, match="2,001 bytes; at most 2,000"):
            read(COMMANDS["submit_work"], told, 2_000)


@staged
async def test_a_command_needs_its_scope(stage: Stage) -> None:
    nobody = replace(PAT, scopes=frozenset())
    plan = await stage.plan(1)
    before = await stage.mark(plan)
    for row in COMMANDS.values():
        given = {"plan_id": plan, "step_id": f"{plan}.1", "part_id": f"{plan}.1", "id": plan}
        rest = {"reason": "r", "result_summary": "s", "summary": "s", **new_plan()}
        rest |= {"decision": "skip", "action": "retry_step"}
        rest |= {"skill_name": "scan", "rating": 1, "status": "started", "session_id": "s1"}
        rest |= {"artifact_type": "a", "title": "t", "content": "c", "query": "q", "schema": {}}
        rest |= {"artifact_id": "doc-1", "digest": "0" * 64}
        rest |= {"token_id": "t", "user_id": "u", "invitation_id": "i", "browser_session_id": "s"}
        rest |= {"gate_id": "g", "hook_id": "h", "delivery_id": "d", "url": "https://a.example/"}
        rest |= {"email": "pam@example.org", "role": "member"}
        rest |= {"mission_id": "mission-1", "hop_id": "mission-1.2", "asset_id": "mission-1.1"}
        rest |= {"goal": "g", "output": "o", "failure": "system", "message": "m"}
        rest |= {"ticket_id": "ticket-1", "project_id": "project-1", "batch": 1}
        rest |= {"question_id": "Q1", "artifact": "beads", "base_digest": "d", "lease": "l.1"}
        rest |= {"repository": "/r", "members": [{"name": "a", "agent": "b"}]}
        rest |= {"lines": [{"at": 1, "text": "t"}]}
        rest |= dict.fromkeys(("merge_commit", "base_head", "head"), "a" * 40)
        if row.toolset in ("mission", "ticket"):
            for name in ("steps", "status", "content_digest"):
                rest.pop(name, None)
        fields = {one.alias or name for name, one in row.takes.model_fields.items()}
        told = {name: value for name, value in {**given, **rest}.items() if name in fields}
        no = await stage.refused(row.name, nobody, **told)
        assert (no.code, no.http) == ("NOT_ALLOWED", 403), row.name
        assert (
            no.message
            == f"{row.name} needs the scope {row.scope!r}, which your token does not have."
        )

    assert await stage.mark(plan) == before


@staged
async def test_without_work_nothing_is_claimed_and_without_read_nothing_is_read(
    stage: Stage,
) -> None:
    plan = await stage.plan(1)
    reader, worker = (replace(ADA, scopes=frozenset({one})) for one in ("read", "work"))

    assert (await stage.refused("get_next_step", reader, plan_id=plan)).code == "NOT_ALLOWED"
    assert (await stage.refused("get_next_work", reader)).code == "NOT_ALLOWED"
    assert (await stage.call("get_plan_status", reader, plan_id=plan)).status == "planning"
    assert (await stage.refused("get_plan_status", worker, plan_id=plan)).code == "NOT_ALLOWED"
    assert (await stage.call("get_next_step", worker, plan_id=plan)).status == "in_progress"


@staged
async def test_a_durability_that_is_not_full_is_said_with_every_answer(stage: Stage) -> None:
    plan = await stage.plan(1)
    degraded = LocalVerbs(stage.engine, ADA, "degraded")

    first = await degraded.call("get_next_step", {"plan_id": plan, "request_id": "r"})
    again = await degraded.call("get_next_step", {"plan_id": plan, "request_id": "r"})
    read_only = await degraded.call("get_plan_status", {"plan_id": plan})

    assert [one.durability for one in (first, again, read_only)] == ["degraded"] * 3
    assert (await stage.call("get_plan_status", plan_id=plan)).durability is None


@staged
async def test_every_change_is_answered_with_its_receipt(stage: Stage) -> None:
    made = await stage.call("create_research_plan", **new_plan())
    plan = str(made.data["plan_id"])
    claimed = await stage.call("get_next_step", plan_id=plan)
    row = (await stage.whole(plan)).row

    assert made.receipt is not None
    assert claimed.receipt is not None
    assert (made.receipt.unit, made.receipt.sequence) == (plan, 3)
    assert (claimed.receipt.sequence, claimed.receipt.hash) == (row.version, row.head)


async def called_at(stage: Stage, version: int, command: str, told: dict[str, object]) -> Envelope:
    owner = replace(PAT, role=OWNER)
    return await LocalVerbs(stage.engine, owner).call(command, told, version)


@staged
async def test_what_names_a_unit_leaves_one_alone_that_has_moved_on(stage: Stage) -> None:
    rest: dict[str, object] = {
        "reason": "r", "result_summary": "s", "summary": "s", "decision": "skip",
        "action": "update_plan", "name": "n", "artifact_type": "a", "title": "t", "content": "c",
    }  # fmt: skip
    for row in COMMANDS.values():
        if row.toolset in ("mission", "ticket"):
            continue  # theirs is in tests/commands/{mission,ticket}/test_again.py
        plan = await stage.plan(1)
        step, _ = await stage.claim(plan, PAT)
        if row.name == "submit_user_decision":
            await stage.call("request_user_review", PAT, step_id=step, summary="look")
        given: dict[str, object] = {"plan_id": plan, "step_id": step, "part_id": step, **rest}
        given["id"] = plan
        fields = row.takes.model_fields
        needed = {name for name, one in fields.items() if one.is_required()} | {"step_id", "name"}
        told = {name: given[name] for name in needed & fields.keys() & given.keys()}
        if row.name.startswith("store_research"):
            told.pop("step_id", None)
        version = (await stage.whole(plan)).row.version
        if not row.takes_version:
            continue
        before = await stage.mark(plan)
        with pytest.raises(StaleVersion):
            await called_at(stage, version - 1, row.name, told)
        assert await stage.mark(plan) == before, row.name
        with suppress(Refusal, NotEnded):
            await called_at(stage, version, row.name, told)


@staged
async def test_a_version_is_no_obstacle_to_asking_again(stage: Stage) -> None:
    plan = await stage.plan(1)
    told: dict[str, object] = {"plan_id": plan, "action": "update_plan", "name": "n"}
    told["request_id"] = "r"
    version = (await stage.whole(plan)).row.version

    first = await called_at(stage, version, "modify_plan", told)
    again = await called_at(stage, version, "modify_plan", told)

    assert first == again


@pytest.mark.parametrize("command", ["ping", "create_research_plan", "get_next_work", "explain"])
@staged
async def test_what_changes_no_unit_that_is_named_takes_no_version(
    stage: Stage, command: str
) -> None:
    told = {**new_plan(), "id": "plan-0"}
    fields = COMMANDS[command].takes.model_fields
    with pytest.raises(InvalidInput, match="no version"):
        await called_at(stage, 1, command, {n: v for n, v in told.items() if n in fields})


def test_every_mistake_is_told_with_its_field() -> None:
    with pytest.raises(InvalidInput) as no:
        read(COMMANDS["list_units"], {"limit": 0, "wrong": 1}, 10_000)

    assert [field for field, _ in no.value.fields] == ["limit", "wrong"]


@staged
async def test_who_calls_too_often_is_refused_whatever_they_send(stage: Stage) -> None:
    rates = Rates(stage.clock.now, principal=1, tenant=0)
    limited = replace(stage, engine=replace(stage.engine, rates=rates))
    for _ in range(5):
        await limited.call("ping")

    no = await limited.refused("ping", ADA, nonsense=1)

    assert (no.code, no.http, no.retryable) == ("RATE_LIMITED", 429, True)
    await limited.call("ping", PAT)
    stage.clock.pass_ms(1_000)
    await limited.call("ping")


@staged
async def test_a_search_weighs_more_than_a_ping(stage: Stage) -> None:
    rates = Rates(stage.clock.now, principal=1, tenant=0)
    limited = replace(stage, engine=replace(stage.engine, rates=rates))
    await limited.call("search_sources", query="anything")

    assert (await limited.refused("ping")).code == "RATE_LIMITED"


@staged
async def test_every_call_is_counted_by_its_name_way_in_and_code(stage: Stage) -> None:
    meter = Meter()
    counted = replace(stage, engine=replace(stage.engine, meter=meter))
    by = replace(ADA, channel="rest")
    await counted.call("ping", by)
    await counted.refused("ping", by, nonsense=1)
    await counted.refused("get_plan_status", by, plan_id="plan-000000000000")
    await counted.refused("nonsense", by)

    assert {key: sum(one.counts) for key, one in meter.commands.items()} == {
        ("ping", "rest", "OK"): 1,
        ("ping", "rest", "INVALID_INPUT"): 1,
        ("get_plan_status", "rest", "NOT_FOUND"): 1,
    }


@staged
async def test_a_call_whose_caller_has_gone_is_counted_as_that(stage: Stage) -> None:
    meter = Meter()
    verbs = LocalVerbs(replace(stage.engine, meter=meter), ADA)
    waiting = asyncio.create_task(verbs.call("get_next_work", {"wait_s": 10}))
    await asyncio.sleep(0)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting

    assert [*meter.commands] == [("get_next_work", "", "GONE")]
