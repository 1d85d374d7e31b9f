"""What somebody is offered: all that is accepted from them, and nothing that is sure to be refused."""

import pytest
from hypothesis import given

from interlock.kernel.forms import All, Any, Both, By, Count, Either, Form, In, Is, Named, Not
from interlock.kernel.offered import Where, holds, offered
from interlock.kernel.seen import Part, Unit
from interlock.kernel.tally import tally
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.tiny import added, case, rule_that
from tests.kernel.wander import NAMES, NUMBERS, Tried, wander

UNIT = Unit("open", {"policy": "human", "most": 2, "none": None})
PART = Part("item", "held", {"holder": "ada"})
COUNTS = {"item": {"held": 1, "done": 1}}
WHERE = Where("agent", UNIT, COUNTS, PART)
YES, NO = By(("agent",)), By(("user",))
UNKNOWN = Named("something")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (YES, True), (NO, False), (UNKNOWN, None),
        (In("unit", ("open",)), True), (In("part", ("done",)), False), (In("parent", ("x",)), None),
        (Is("unit", "policy", ("relay",)), False), (Is("part", "holder", ("ada",)), True),
        (Is("event", "policy", ("relay",)), None), (Is("unit", "later", (1,)), None),
        (Not(NO), True), (Not(UNKNOWN), None),
        (Both((YES, NO)), False), (Both((UNKNOWN, NO)), False), (Both((UNKNOWN, YES)), None),
        (Both((YES, YES)), True),
        (Either((UNKNOWN, YES)), True), (Either((UNKNOWN, NO)), None), (Either((NO, NO)), False),
        (All("item", ("held", "done")), True), (All("item", ("done",)), False),
        (All("box", ("done",)), False), (All("item", ("done",), "children"), None),
        (Any("item", ("done",)), True), (Any("box", ("done",)), False), (Any("item", ("lost",)), False),
        (Count("item", (), "<", "most"), False), (Count("item", (), "<", 2), False), (Count("item", ("held",), "<", 2), True),
        (Count("item", (), "<", "none"), True), (Count("item", (), "<", "policy"), None),
    ],
)  # fmt: skip
def test_what_is_known_is_said_and_nothing_is_guessed(form: Form, expected: bool | None) -> None:  # noqa: FBT001  a column of the table
    assert holds(form, WHERE) is expected


def _is_offered(tried: Tried) -> bool:
    event, before = tried.event, tried.before
    part = None if event.part is None else before.part(event.part)
    where = Where(event.actor.kind, before.unit, tally(before.parts), part)
    kind = tried.flow.unit.name if part is None else part.kind
    return event.name in {row.event for row in offered(tried.flow, where, kind)}


@pytest.mark.parametrize(
    ("test", "is_told"),
    [
        (By(("agent",)), True), (By(("user",)), False),
        (Any("item", ("held",)), True), (Any("item", ("void",)), False),
        (Any("item", ("void",), "children"), True),
        (Is("unit", "most", (1,)), True), (Is("unit", "most", (2,)), False),
        (Is("part", "note", ("",)), True), (Is("part", "note", ("x",)), False),
        (Is("event", "note", ("x",)), True), (Named("lease_is_mine"), True),
        (Both((Named("lease_is_mine"), Any("item", ("void",)))), False),
        (Both((In("unit", ("busy",)), Is("part", "note", ("x",)))), False),
    ],
)  # fmt: skip
def test_what_is_sure_to_be_refused_is_not_offered(test: Form, is_told: bool) -> None:  # noqa: FBT001  a column of the table
    flow = added(rule_that(test=test))
    snapshot = case("busy: held*", flow, most=1)
    where = Where("agent", snapshot.unit, tally(snapshot.parts), snapshot.parts[0])

    for _ in range(2):  # what is remembered is offered as well
        told = {row.event for row in offered(flow, where, "item")}
        assert ("probe" in told) is is_told
        assert {"finish", "give_back"} <= told
    assert "probe" not in {row.event for row in offered(flow, where, "case")}
    assert "answer" not in {
        row.event for row in offered(flow, where._replace(actor="user"), "case")
    }


@pytest.mark.parametrize("name", NAMES)
@given(numbers=NUMBERS)
def test_whatever_is_accepted_was_offered(name: str, numbers: list[int]) -> None:
    for tried in wander(name, numbers):
        assert tried.decision is None or _is_offered(tried), tried.event


@pytest.mark.parametrize(
    ("workflow", "status", "command"),
    [
        ("mission", "PROPOSED", "accept_mission"),
        ("ticket", "WAITING_PRD_APPROVAL", "approve"),
        ("ticket", "BLOCKED_ERROR", "retry"),
    ],
)
@pytest.mark.parametrize(("policy", "is_told"), [("human", False), ("relay", True)])
def test_an_agent_is_offered_a_decision_only_where_it_may_relay_one(
    workflow: str,
    status: str,
    command: str,
    policy: str,
    is_told: bool,  # noqa: FBT001
) -> None:
    flow = WORKFLOWS[workflow]
    fields = {**flow.defaults(), "policy": policy, "previous": "CODING"}
    unit = Unit(status, fields)

    def commands(actor: str) -> set[str]:
        return {row.command for row in offered(flow, Where(actor, unit, {}), flow.unit.name)}

    assert command in commands("user")
    assert (command in commands("agent")) is is_told
