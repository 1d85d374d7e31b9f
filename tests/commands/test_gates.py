"""The inbox, a gate with all that a decision needs, and the decision, on every database."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import pytest

from interlock.errors import InterlockError
from interlock.kernel.rules import WORKER
from interlock.service.engine import Principal
from interlock.service.gates import GateDecided
from interlock.service.verify import verify
from tests.stage import ADA, BOB, EVE, HOME, PAT, Stage, staged

Told = dict[str, object]
CROWD = 32


async def ask(stage: Stage, plan: str, by: Principal = ADA, /, **more: object) -> Told:
    """Have the next step reviewed; return its gate."""
    step, lease = await stage.claim(plan, by)
    said = {"step_id": step, "lease": lease, "summary": "look at it", **more}
    answer = await stage.call("request_user_review", by, **said)
    return cast("Told", answer.data["gate"])


async def inbox(stage: Stage, by: Principal = PAT, /, **more: object) -> list[Told]:
    return cast("list[Told]", (await stage.call("list_gates", by, **more)).data["gates"])


async def gate_of(stage: Stage, gate: object) -> Told:
    return dict((await stage.call("get_gate", PAT, gate_id=gate)).data)


@staged
async def test_a_review_waits_in_the_inbox_until_it_is_decided(stage: Stage) -> None:
    plan = await stage.plan(2)
    assert await inbox(stage) == []
    gate = await ask(stage, plan, questions=["is it so?"])
    (waiting,) = await inbox(stage)

    assert waiting["gate_id"] == gate["gate_id"]
    assert waiting["part_id"] == f"{plan}.1"
    assert waiting["opened_by"] == {"kind": "agent", "id": "ada"}
    assert (waiting["title"], waiting["policy"], waiting["is_open"]) == (
        "look at it",
        "relay",
        True,
    )
    told = await gate_of(stage, gate["gate_id"])
    assert cast("Told", told["shown"])["questions"] == ["is it so?"]
    assert [one["decision"] for one in cast("list[Told]", told["decisions"])] == [
        "approve", "modify", "reject", "skip",
    ]  # fmt: skip

    (call,) = [one for one in cast("list[Told]", told["decisions"]) if one["decision"] == "approve"]
    by = replace(PAT, channel="web")
    await stage.call(str(call["command"]), by, **cast("Told", call["arguments"]))
    assert await inbox(stage) == []
    (decided,) = await inbox(stage, state="decided")
    assert decided["decided_by"] == {"kind": "user", "id": "pat"}
    assert (decided["decision"], decided["channel"], decided["is_relayed"]) == ("approve", "web", False)  # fmt: skip
    assert await stage.standing(plan) == "executing: completed pending"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_the_same_content_reviewed_again_is_another_gate(stage: Stage) -> None:
    plan = await stage.plan(1)
    first = await ask(stage, plan)
    await stage.call("decide_gate", gate_id=first["gate_id"], decision="modify", feedback="more")
    second = await ask(stage, plan)

    assert first["content_digest"] == second["content_digest"]
    assert first["gate_id"] != second["gate_id"]
    no = await stage.refused("decide_gate", PAT, gate_id=first["gate_id"], decision="approve")
    assert no.code == "GATE_DECIDED"
    assert "modify, relayed, by agent ada at " in no.message
    assert await stage.standing(plan) == "awaiting_review: awaiting_input"
    (history,) = cast("list[Told]", (await gate_of(stage, second["gate_id"]))["history"])
    assert (history["gate_id"], history["is_relayed"]) == (first["gate_id"], True)


@staged
async def test_what_ends_the_plan_withdraws_its_gate(stage: Stage) -> None:
    plan = await stage.plan(2)
    gate = await ask(stage, plan)
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    told = await gate_of(stage, gate["gate_id"])

    assert (told["decision"], told["event"], told["is_relayed"]) == (
        "withdrawn",
        "fail_plan",
        False,
    )
    no = await stage.refused("decide_gate", PAT, gate_id=gate["gate_id"], decision="approve")
    assert (no.code, "withdrawn by fail_plan by user pat" in no.message) == ("GATE_DECIDED", True)
    by_step = {"step_id": f"{plan}.1", "decision": "approve"}
    assert (await stage.refused("submit_user_decision", PAT, **by_step)).code == "PLAN_TERMINAL"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_of_many_deciders_one_decides_and_all_others_are_told_who(stage: Stage) -> None:
    plan = await stage.plan(2)
    gate = await ask(stage, plan)
    crowd = [replace(PAT, id=f"p{number}") for number in range(CROWD)]

    async def decide(number: int, by: Principal) -> str:
        decision = ("approve", "skip", "modify")[number % 3]
        said: Told = {"decision": decision, "feedback": "so"}
        about = {"gate_id": gate["gate_id"]} if number % 2 else {"step_id": gate["step_id"]}
        command = "submit_user_decision" if number % 4 < 2 or "step_id" in about else "decide_gate"
        try:
            await stage.call(command, by, **about, **said)
        except GateDecided as no:
            return no.message
        return decision

    told = await asyncio.gather(*(decide(number, by) for number, by in enumerate(crowd)))
    (decided,) = await inbox(stage, state="decided")
    who = cast("Told", decided["decided_by"])["id"]

    (one,) = [word for word in told if " " not in word]
    assert (decided["decision"], told[int(str(who)[1:])]) == (one, one)
    assert sum(f"{one} by user {who} at" in word for word in told) == CROWD - 1
    moves = [body for body in await stage.audit(plan) if body.get("source") == "awaiting_input"]
    assert [body["event"] for body in moves] == [one]
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_whoever_asked_cannot_decide_where_others_must(stage: Stage) -> None:
    plan = await stage.plan(1, review_by_others=True)
    gate = await ask(stage, plan, replace(ADA, on_behalf_of="pat"))
    said = {"gate_id": gate["gate_id"], "decision": "approve"}

    for own in (ADA, PAT, replace(BOB, on_behalf_of="pat")):
        for command in ("decide_gate", "submit_user_decision"):
            assert (await stage.refused(command, own, **said)).code == "OWN_REVIEW"
    assert (await inbox(stage))[0]["gate_id"] == gate["gate_id"]
    await stage.call("decide_gate", replace(PAT, id="sue"), **said)
    assert await stage.standing(plan) == "completed: completed"


@staged
async def test_a_decision_is_one_of_those_the_gate_knows(stage: Stage) -> None:
    gate = await ask(stage, await stage.plan(1))

    no = await stage.refused("decide_gate", PAT, gate_id=gate["gate_id"], decision="bless")
    assert (no.code, "approve, modify, reject, skip" in no.fix) == ("INVALID_INPUT", True)
    reader = replace(PAT, scopes=frozenset({"read", "work"}))
    said = {"gate_id": gate["gate_id"], "decision": "approve"}
    assert (await stage.refused("decide_gate", reader, **said)).code == "NOT_ALLOWED"


@staged
async def test_foreign_and_absent_gates_look_the_same(stage: Stage) -> None:
    gate = str((await ask(stage, await stage.plan(1)))["gate_id"])
    absent = f"{gate.partition('.')[0][:-1]}~.1:5"

    assert await inbox(stage, EVE, state="all") == []
    for command, more in (("get_gate", {}), ("decide_gate", {"decision": "approve"})):
        for name in (gate, absent):
            no = await stage.refused(command, EVE, gate_id=name, **more)
            assert (no.code, no.message) == ("NOT_FOUND", f"There is no {name!r}.")


@staged
async def test_the_inbox_comes_in_pages_open_ones_first(stage: Stage) -> None:
    plans = [await stage.plan(1) for _ in range(5)]
    gates = [str((await ask(stage, plan))["gate_id"]) for plan in plans]
    for gate in gates[:2]:
        await stage.call("decide_gate", PAT, gate_id=gate, decision="approve")
    seen: list[str] = []
    cursor: object = None
    while True:
        asked: Told = {"state": "all", "limit": 2} | ({"cursor": cursor} if cursor else {})
        data = (await stage.call("list_gates", PAT, **asked)).data
        seen += [str(gate["gate_id"]) for gate in cast("list[Told]", data["gates"])]
        if "cursor" not in data:
            break
        cursor = data["cursor"]

    assert set(seen[:3]) == set(gates[2:])
    assert set(seen[3:]) == set(gates[:2])
    (mine,) = await inbox(stage, unit=plans[4], workflow="plan")
    assert mine["unit_id"] == plans[4]
    assert await inbox(stage, workflow="mission") == []
    assert (await stage.refused("list_gates", PAT, cursor="x")).code == "INVALID_INPUT"


def spellings(gate: str, step: str, digest: str) -> Iterator[tuple[str, Told]]:
    """Yield every way to say a decision that we could think of."""
    for decision in ("approve", "modify", "skip", "reject"):
        for seen in ({}, {"content_digest": digest}):
            said: Told = {"decision": decision, "feedback": "so", **seen}
            for name in (gate, gate.upper(), f" {gate} ", f"{step}:", f"{step}:{digest[:12]}"):
                yield "decide_gate", {"gate_id": name, **said}
                yield "submit_user_decision", {"gate_id": name, **said}
                yield "submit_user_decision", {"gate_id": name, "step_id": step, **said}
            for name in (step, step.upper(), f" {step}"):
                yield "submit_user_decision", {"step_id": name, **said}
            yield "decide_gate", {"gateId": gate, **said}
            yield "submit_user_decision", {"stepId": step, **said}
    answer = {"decision": "approve", "digest": digest}
    yield "submit_work", {"part_id": step, "answer": answer}
    yield "submit_step_result", {"step_id": step, "result": answer, "result_summary": "done"}
    yield "fail_work", {"part_id": step, "reason": "so"}
    yield "release_work", {"part_id": step}
    yield "take_over_work", {"part_id": step, "reason": "so"}
    unit = step.partition(".")[0]
    loose: Told = {"plan_id": unit, "action": "update_plan", "review_policy": "relay"}
    yield "modify_plan", loose
    yield "fail_plan", {"plan_id": unit, "reason": "so"}
    yield "link_gate", {"gate_id": gate, "person": "pat"}


@pytest.mark.parametrize(
    "scopes", [frozenset({"read", "work"}), frozenset({"read", "work", "decide", "admin"})]
)
@staged
async def test_where_people_decide_no_agent_or_worker_can_by_any_spelling(
    stage: Stage, scopes: frozenset[str]
) -> None:
    plan = await stage.plan(2, review_policy="human")
    gate = await ask(stage, plan)
    name, step, digest = (str(gate[word]) for word in ("gate_id", "step_id", "content_digest"))
    # What was refused may be kept as late; the unit and its audit stay as they are.
    before = (await stage.mark(plan))[:3]
    tried = 0

    for kind in ("agent", WORKER):
        for behalf in ("", "pat"):
            by = Principal(HOME, kind, "pat", scopes, on_behalf_of=behalf)
            for command, said in spellings(name, step, digest):
                with pytest.raises(InterlockError):
                    await stage.call(command, by, **said)
                tried += 1

    assert tried > 100
    assert (await stage.mark(plan))[:3] == before
    said = {"gate_id": name, "decision": "approve"}
    assert (await stage.refused("decide_gate", PAT, **said)).code == "STALE_APPROVAL"
    await stage.call("decide_gate", PAT, **said, content_digest=digest)
    assert await stage.standing(plan) == "executing: completed pending"


@staged
async def test_an_agent_cannot_loosen_the_policy_first(stage: Stage) -> None:
    plan = await stage.plan(2, review_policy="human")
    said = {"plan_id": plan, "action": "update_plan", "review_policy": "relay"}

    assert (await stage.refused("modify_plan", ADA, **said)).code == "HUMAN_REQUIRED"
    await stage.call("modify_plan", PAT, **said)
    await stage.call("modify_plan", ADA, **{**said, "review_policy": "human"})
