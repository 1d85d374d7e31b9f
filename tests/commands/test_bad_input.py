"""Bad input, for every field of every command: refused with a code, a message and a fix.

Nothing but an ``InterlockError`` may come out, on any database, and nothing may have changed.
"""

import json
import math
from collections.abc import Iterator
from typing import Final

import pytest

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.commands.verbs import LocalVerbs
from interlock.errors import InterlockError
from interlock.service.engine import Engine, Limits
from interlock.wire.envelope import Envelope
from tests.stage import ADA, HOME, PAT, Stage, new_plan, staged

Arguments = dict[str, object]

UNSTORABLE: Final = ("\udcff", "a\ud800b", "nul\0", "\0")
ABSURD: Final = (math.nan, math.inf, -math.inf, 1e308, -1, 2**80, -(2**80), 10**400, 0.5)
WRONG: Final[tuple[object, ...]] = (
    None,
    True,
    "",
    " ",
    [],
    {},
    [[]],
    {"a": {}},
    b"bytes",
    object(),
    {1},
    1j,
    "x" * 200_000,
)
NEVER_GOOD: Final = (math.nan, math.inf, -math.inf, b"bytes", object(), {1}, 1j, *UNSTORABLE)


def filled(row: AnyCommand, plan: str) -> Arguments:
    """Return arguments that a command takes."""
    every: Arguments = {
        "plan_id": plan, "step_id": f"{plan}.1", "part_id": f"{plan}.1", "id": plan,
        "result_summary": "s", "reason": "r", "answer": {}, "wait_s": 0, **new_plan(),
        "skill_name": "scan", "status": "started", "session_id": "s1", "rating": 5,
        "artifact_type": "a", "title": "t", "content": "c", "query": "q", "artifact_id": "doc-1",
        "schema": {}, "digest": "0" * 64, "mission_id": "mission-1", "hop_id": "mission-1.2",
        "asset_id": "mission-1.1", "goal": "g", "output": "o", "failure": "system", "message": "m",
    }  # fmt: skip
    fields = row.takes.model_fields.items()
    required = {one.alias or name for name, one in fields if one.is_required()}
    return {name: value for name, value in every.items() if name in required}


def spoiled(row: AnyCommand, plan: str) -> Iterator[tuple[str, object, Arguments]]:
    """Yield the arguments of a command with one field spoiled, in every way."""
    good = filled(row, plan)
    for name in (one.alias or name for name, one in row.takes.model_fields.items()):
        for value in (*UNSTORABLE, *ABSURD, *WRONG):
            yield name, value, {**good, name: value}
        for value in UNSTORABLE:
            yield name, value, {**good, name: [{"deep": value}]}
            yield name, value, {**good, name: {value: 1}}


async def outcome(stage: Stage, command: str, told: Arguments) -> Envelope | InterlockError:
    try:
        return await stage.call(command, PAT, **told)
    except InterlockError as no:
        return no


@staged
async def test_whatever_is_sent_only_our_errors_come_out(stage: Stage) -> None:
    plan = await stage.plan(1)
    wrong: list[tuple[object, ...]] = []
    for row in COMMANDS.values():
        for name, value, told in spoiled(row, plan):
            found = await outcome(stage, row.name, told)
            is_bad = any(value is one for one in NEVER_GOOD)
            if isinstance(found, InterlockError):
                if found.http >= 500 or not found.fix or len(found.message) > 5_000:
                    wrong.append((row.name, name, value, found))
            elif is_bad:
                wrong.append((row.name, name, value, found))

    assert wrong == []


@staged
async def test_what_cannot_be_stored_is_refused_before_anything_happens(stage: Stage) -> None:
    plan = await stage.plan(1)
    before = await stage.mark(plan)
    for row in COMMANDS.values():
        for name, value, told in spoiled(row, plan):
            if value in UNSTORABLE:
                no = await outcome(stage, row.name, told)
                assert isinstance(no, InterlockError)
                assert (no.code, no.http, no.retryable) == ("INVALID_INPUT", 422, False), name

    assert await stage.mark(plan) == before
    assert len(await stage.engine.store.units(HOME, "", None, 10)) == 1


@staged
async def test_a_body_that_is_too_large_is_refused(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    before = await stage.mark(plan)
    told = {"step_id": step, "lease": lease, "result_summary": "s"}

    no = await stage.refused("submit_step_result", **told, result={"text": "é" * 600_000})

    assert (no.code, no.http, no.retryable) == ("TOO_LARGE", 413, False)
    assert no.message.startswith("The input has 1,200,")
    assert no.message.endswith("bytes; at most 1,048,576 are taken.")
    assert await stage.mark(plan) == before


@staged
async def test_how_large_a_body_may_be_can_be_set(stage: Stage) -> None:
    small = Engine(stage.engine.store, stage.clock, stage.engine.flows, Limits(body_bytes_max=50))

    with pytest.raises(InterlockError, match="at most 50 are taken"):
        await LocalVerbs(small, ADA).call("create_research_plan", new_plan())


@staged
async def test_numbers_that_json_can_hold_come_back_as_they_were_sent(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    result = {"big": 2**80, "small": -(2**80), "far": 1e308, "near": 5e-324, "zero": -0.0}

    await stage.call(
        "submit_step_result", step_id=step, lease=lease, result=result, result_summary="s"
    )

    (kept,) = await stage.engine.store.artifacts(HOME, plan)
    content = await stage.engine.store.content(HOME, kept.digest)
    assert json.loads(content or b"")["result"] == result


TEXTS: Final = (
    "'; DROP TABLE units; --", "\u202eright to left", "💥", "e\u0301", "\x1b[31m", "\r\n\t\x7f",
    "[/bold]", "{{7*7}}", "<script>", "\ufffe\uffff", "\u2028",
)  # fmt: skip


@staged
async def test_text_of_every_sort_comes_back_as_it_was_sent(stage: Stage) -> None:
    for text in TEXTS:
        steps = [{"instructions": text, "title": text}]
        told = {"name": text, "research_question": text, "steps": steps, "tags": [text]}
        made = await stage.call("create_research_plan", **told, session_id=text, request_id=text)
        plan = str(made.data["plan_id"])
        await stage.claim(plan, session_id=text)

        status = await stage.call("get_plan_status", plan_id=plan)
        whole = await stage.whole(plan)
        assert status.data["name"] == text
        assert whole.parts[0].part.fields["instructions"] == text
        assert whole.parts[0].part.fields["holder"] == text
        assert await stage.work(tags=[text, "no"]) == ""


LIMITS: Final[tuple[tuple[str, Arguments], ...]] = (
    ("create_research_plan", {"steps": []}),
    ("create_research_plan", {"steps": [{"instructions": ""}]}),
    ("create_research_plan", {"research_question": ""}),
    ("create_research_plan", {"name": "x" * 201}),
    ("create_research_plan", {"stall_after": 0}),
    ("create_research_plan", {"stall_after": 2**80}),
    ("create_research_plan", {"stall_after": 1.5}),
    ("create_research_plan", {"max_parallel_steps": 0}),
    ("create_research_plan", {"max_parallel_steps": -1}),
    ("create_research_plan", {"review_policy": "anyone"}),
    ("create_research_plan", {"tags": ["x"] * 21}),
    ("create_research_plan", {"steps": [{"instructions": "a", "depends_on": [0]}]}),
    ("create_research_plan", {"steps": [{"instructions": "a", "title": ""}]}),
    ("create_research_plan", {"unknown": 1}),
    ("create_research_plan", {"steps": [{"instructions": "a", "unknown": 1}]}),
    ("get_next_step", {"wait_s": 10.1}),
    ("get_next_step", {"wait_s": -0.1}),
    ("get_next_step", {"request_id": ""}),
    ("get_next_step", {"session_id": "x" * 201}),
    ("submit_step_result", {"confidence": 1.01}),
    ("submit_step_result", {"confidence": -1}),
    ("submit_step_result", {"result": [1]}),
    ("submit_step_result", {"result_summary": ""}),
    ("take_over_step", {"reason": ""}),
    ("fail_work", {"reason": ""}),
    ("list_units", {"limit": 0}),
    ("list_units", {"limit": 201}),
    ("get_audit", {"after": -1}),
    ("get_audit", {"after": 2**53 + 1}),
    ("get_audit", {"limit": 1_001}),
)


@staged
async def test_every_limit_holds(stage: Stage) -> None:
    plan = await stage.plan(1)
    before = await stage.mark(plan)
    for name, told in LIMITS:
        given = {**filled(COMMANDS[name], plan), **told}
        no = await outcome(stage, name, given)
        assert isinstance(no, InterlockError), told
        assert (no.code, no.http) == ("INVALID_INPUT", 422), told
        assert no.message.startswith(f"{name} cannot be called like that: "), told
        assert no.fix.startswith("Correct what is named; "), told

    assert await stage.mark(plan) == before
