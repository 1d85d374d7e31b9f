"""Which gates a command opens and closes, and who may not decide: of every workflow."""

from dataclasses import replace

import pytest

from interlock.kernel.rules import AGENT, USER
from interlock.kernel.seen import Actor, Part, Unit
from interlock.service.create import NewUnit, create
from interlock.service.engine import running
from interlock.service.errors import NotFound
from interlock.service.gates import (
    GateDecided,
    Moment,
    OwnReview,
    StaleDigest,
    Standing,
    at_gates,
    check_decider,
    closing,
    gated,
)
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.run import advance
from interlock.service.verify import verify
from interlock.store.gates import GateRow
from interlock.workflows.built_in import WORKFLOWS
from tests.stage import ADA, HOME, PAT, Stage, staged

FLOW = running({"plan": WORKFLOWS["plan"]})["plan"]
UNIT = "plan-1"
ASKS: dict[str, object] = {
    "event": "ask",
    "ids": (f"{UNIT}.1",),
    "source": "in_progress",
    "target": "awaiting_input",
}
SAYS: dict[str, object] = {
    "event": "approve",
    "ids": (f"{UNIT}.1",),
    "source": "awaiting_input",
    "target": "completed",
}
GATE = GateRow(
    "g", UNIT, 1, "plan", "step", "awaiting_input", "d1", "human", "", 5, AGENT, "ada", "pat", 4,
    None, "", None, "", "", "", "", None,
)  # fmt: skip


def part(status: str, shown: str = "") -> Part:
    return Part("step", status, {"shown": shown, "title": "First"})


def moment(*bodies: dict[str, object]) -> Moment:
    return Moment(UNIT, Actor(USER, "pat", channel="web"), 9, 6, bodies, "human")


def test_a_gate_is_named_by_the_entry_that_opened_it() -> None:
    told = moment({"event": "x", "unit": True}, ASKS, {"event": "x", "unit": True})
    found = gated(
        FLOW, [Standing(1, "step", part("in_progress"), part("awaiting_input", "d"))], told
    )

    (opened,) = found.opened
    assert (opened.id, opened.opened_sequence, opened.digest) == (f"{UNIT}.1:8", 8, "d")
    assert (opened.title, opened.policy, found.closed) == ("First", "human", ())


def test_it_is_closed_by_its_decision_and_says_whose_it_was() -> None:
    moved = [Standing(1, "step", part("awaiting_input", "d"), part("completed"))]
    (closed,) = gated(FLOW, moved, moment(SAYS)).closed

    assert (closed.decision, closed.event, closed.decided_sequence) == ("approve", "approve", 7)
    assert (closed.decided_kind, closed.decided_by, closed.channel) == (USER, "pat", "web")


@pytest.mark.parametrize("after", [part("failed"), None])
def test_whatever_else_ends_it_withdraws_it(after: Part | None) -> None:
    body = {**SAYS, "event": "fail_plan", "target": "failed"}
    (closed,) = gated(
        FLOW, [Standing(1, "step", part("awaiting_input"), after)], moment(body)
    ).closed

    assert (closed.decision, closed.event) == ("withdrawn", "fail_plan")


def test_other_content_is_another_gate_and_the_same_is_the_same() -> None:
    old = part("awaiting_input", "d1")
    body: dict[str, object] = {"event": "revise", "ids": (f"{UNIT}.1",)}
    other = gated(FLOW, [Standing(1, "step", old, part("awaiting_input", "d2"))], moment(body))
    same = gated(FLOW, [Standing(1, "step", old, part("awaiting_input", "d1"))], moment(body))

    assert [one.decision for one in other.closed] == ["withdrawn"]
    assert [one.digest for one in other.opened] == ["d2"]
    assert (same.closed, same.opened) == ((), ())


def test_what_is_at_no_gate_costs_nothing() -> None:
    unit = Unit("executing", {})

    assert at_gates(FLOW, (unit, unit), {}, {}) == []
    # A plan that waits for its step has no gate of its own.
    assert at_gates(FLOW, (unit, Unit("awaiting_review", {})), {}, {}) == []


@pytest.mark.parametrize(
    ("actor", "is_own"),
    [
        (Actor(USER, "sue"), False),
        (Actor(USER, "pat"), True),
        (Actor(AGENT, "ada"), True),
        (Actor(AGENT, "bob", on_behalf_of="pat"), True),
        (Actor(AGENT, "bob"), False),
    ],
)
def test_nobody_decides_what_they_asked_for_where_others_must(
    actor: Actor, *, is_own: bool
) -> None:
    unit = Unit("awaiting_review", {"review_by_others": True, "review_policy": "relay"})
    rule = FLOW.flow.rule("approve")
    assert rule is not None
    if not is_own:
        check_decider(GATE, rule, actor, unit, {})
        return
    with pytest.raises(OwnReview) as no:
        check_decider(GATE, rule, actor, unit, {})
    assert no.value.code == "OWN_REVIEW"
    unit.fields["review_by_others"] = False
    check_decider(GATE, rule, actor, unit, {})


@pytest.mark.parametrize("args", [{}, {"digest": None}, {"digest": "d2"}])
def test_a_person_says_what_they_were_shown(args: dict[str, object]) -> None:
    unit = Unit("awaiting_review", {"review_policy": "human"})
    rule = FLOW.flow.rule("approve")
    assert rule is not None

    with pytest.raises(StaleDigest):
        check_decider(GATE, rule, Actor(USER, "sue"), unit, args)
    check_decider(GATE, rule, Actor(USER, "sue"), unit, {"digest": "d1"})
    check_decider(GATE, replace(rule, sees=("part",)), Actor(USER, "sue"), unit, args)


def test_who_has_decided_is_told_with_when_and_how() -> None:
    decided = GATE._replace(decision="approve", decided_at=1_800_000_000_000, decided_kind=AGENT,
                            decided_by="ada", decided_for="pat")  # fmt: skip

    assert closing(decided) == "approve, relayed, by agent ada for pat at 2027-01-15T08:00:00Z"
    own = decided._replace(decided_kind=USER, decided_by="pat", decided_for="")
    assert closing(own) == "approve by user pat at 2027-01-15T08:00:00Z"
    gone = own._replace(decision="withdrawn", event="fail_plan")
    assert closing(gone) == "withdrawn by fail_plan by user pat at 2027-01-15T08:00:00Z"


@staged
async def test_a_unit_that_begins_at_a_gate_has_one_and_leaves_it(stage: Stage) -> None:
    made = await create(stage.engine, PAT, NewUnit("mission", {"policy": "relay"}), _named)
    unit = str(made.reply["unit"])
    (gate,) = await stage.engine.store.gates.of_unit(HOME, unit)
    assert (gate.id, gate.part, gate.status, gate.is_open) == (f"{unit}:1", 0, "PROPOSED", True)

    sent = Asked("accept_mission", gate=gate.id)
    await advance(stage.engine, Order(HOME, ADA.actor(), unit, (sent,), lambda _: {}))
    (gate,) = await stage.engine.store.gates.of_unit(HOME, unit)
    assert (gate.decision, gate.decided_kind, gate.decided_by) == ("accept_mission", AGENT, "ada")
    assert (await verify(stage.engine, HOME)).findings == []
    with pytest.raises(GateDecided) as no:
        await advance(stage.engine, Order(HOME, PAT.actor(), unit, (sent,), lambda _: {}))
    assert "cancel_mission" in [row.event for row in no.value.legal]


@staged
async def test_a_gate_of_another_part_is_none(stage: Stage) -> None:
    first, second = [
        str((await create(stage.engine, PAT, NewUnit("mission"), _named)).reply["unit"])
        for _ in range(2)
    ]
    sent = Asked("accept_mission", gate=f"{second}:1")
    with pytest.raises(NotFound):
        await advance(stage.engine, Order(HOME, PAT.actor(), first, (sent,), lambda _: {}))


def _named(result: Result) -> Reply:
    return {"unit": result.unit.id}
