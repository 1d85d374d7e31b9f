"""Where something waits for a decision of its own, and what can be decided there."""

from dataclasses import replace

import pytest

from interlock.kernel.gates import gates, policy_of
from interlock.kernel.machine import Edge, Status
from interlock.kernel.rules import Fire, Rule
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.tiny import (
    CASES,
    HANDS,
    ITEM,
    ITEM_KIND,
    PERSON,
    added,
    case_is,
    item_is,
)

PLAN = {("step", "awaiting_input"): {"approve", "modify", "skip", "reject"}}


def test_the_decisions_of_a_review_are_those_that_only_a_review_admits() -> None:
    assert gates(WORKFLOWS["plan"]) == PLAN


@pytest.mark.parametrize(
    ("workflow", "kind", "status"),
    [
        ("plan", "plan", "awaiting_review"),
        ("mission", "mission", "HOP_READY_TO_EXECUTE"),
        ("ticket", "bead", "error"),
    ],
)
def test_what_waits_only_because_something_beside_it_does_is_no_gate_of_its_own(
    workflow: str, kind: str, status: str
) -> None:
    flow = WORKFLOWS[workflow]

    assert flow.machine(kind).status(status).kind == "gate"
    assert (kind, status) not in gates(flow)


def test_what_ends_a_unit_anywhere_is_no_decision() -> None:
    found = gates(WORKFLOWS["mission"])

    assert "accept_mission" in found["mission", "PROPOSED"]
    assert "cancel_mission" not in found["mission", "PROPOSED"]
    assert "reject_hop" in found["hop", "PROPOSED"]
    assert "cancel_hop" not in found["hop", "PROPOSED"]


def test_what_may_be_said_elsewhere_too_is_a_decision_where_it_leads_on() -> None:
    ends = (Edge("busy", "end", "closed"), Edge("asked", "end", "closed"))
    back = Edge("asked", "back", "@shown")
    both = (case_is("asked", "busy"),)
    rows = (
        Rule("on", "case", PERSON, both, (Fire("unit", "answer", maybe=True),)),
        Rule("well", "case", PERSON, both, (Fire("unit", "end"),)),
        Rule("back", "case", PERSON, both, (Fire("unit", "back", maybe=True),)),
        Rule("stay", "case", PERSON, both),
        Rule("elsewhere", "case", PERSON, both, (Fire("unit", "ask", maybe=True),)),
        Rule("not_theirs", "case", HANDS, both, (Fire("unit", "answer", maybe=True),)),
        Rule("of_an_item", "item", PERSON, both, (Fire("unit", "answer", maybe=True),)),
    )
    flow = added(*rows, unit=replace(CASES.unit, edges=(*CASES.unit.edges, *ends, back)))

    assert gates(flow) == {("case", "asked"): {"answer", "on", "well", "back"}}


def test_a_part_decides_for_itself_where_it_waits() -> None:
    statuses = (*ITEM.statuses, Status("shown", "gate", is_asked=True))
    paths = (
        Edge("held", "show", "shown"),
        Edge("shown", "take", "held"),
        Edge("shown", "void", "void"),
    )
    kind = replace(ITEM_KIND, machine=replace(ITEM, statuses=statuses, edges=(*ITEM.edges, *paths)))
    both = (item_is("shown", "held"),)
    rows = (
        Rule("show", "item", HANDS, (item_is("held"),), (Fire("part", "show"),)),
        Rule("on", "item", PERSON, both, (Fire("part", "take", maybe=True),)),
        Rule("away", "item", PERSON, both, (Fire("part", "void"),)),
        Rule("of_the_case", "item", PERSON, both, (Fire("unit", "answer", maybe=True),)),
    )
    flow = added(*rows, parts=(kind,))

    assert gates(flow)["item", "shown"] == {"on"}


def test_an_edge_that_leads_where_a_field_says_leads_on() -> None:
    assert "retry" in gates(WORKFLOWS["ticket"])["ticket", "BLOCKED_ERROR"]


def test_what_is_still_to_do_asks_for_no_decision_yet() -> None:
    flow = WORKFLOWS["ticket"]

    assert flow.unit.status("DRAFT").kind == "gate"
    assert ("ticket", "DRAFT") not in gates(flow)


@pytest.mark.parametrize(
    ("fields", "policy"),
    [
        ({"review_policy": "relay"}, "relay"),
        ({"policy": "relay"}, "relay"),
        ({"policy": "human"}, "human"),
        ({}, "human"),
    ],
)
def test_who_decides_is_said_by_the_unit_and_else_people_do(
    fields: dict[str, object], policy: str
) -> None:
    assert policy_of(fields) == policy
