"""Which events the checker tries, by whom, and with which lease."""

from dataclasses import replace

import pytest

from interlock.kernel.check.scope import ALIVE, GONE, Scope, Variant
from interlock.kernel.check.variants import (
    AGENT_ACTOR,
    CLOCK,
    LEASES,
    PERSON,
    STALE_FENCE,
    STRANGER,
    applies,
    fence_of,
    must_refuse,
    variants,
)
from interlock.kernel.forms import By, Not
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Fire, Guard, Rule
from interlock.kernel.seen import Actor, Part
from interlock.kernel.snapshot import new_part
from tests.kernel.tiny import CASES, added, case_is


def tried(rule: Rule) -> list[Variant]:
    """Return what is tried of one rule."""
    flow = added(rule)
    return [v for v in variants(Scope(flow, (), {})) if v.event == rule.event]


def item(status: str = "held", holder: str | None = None, fence: int = 1) -> Part:
    """Return an item with a lease."""
    part = new_part(CASES, "item", {"holder": holder, "fence": fence})
    return replace(part, status=status)


def by_lease(lease: str, actor: Actor = AGENT_ACTOR) -> Variant:
    """Return a variant that comes with this lease."""
    return Variant("finish", "item", actor, {}, lease)


def test_a_rule_is_tried_by_every_kind_of_actor_who_acts_differently() -> None:
    guards = (case_is("busy"), Guard(Not(By((SYSTEM,)))))
    found = tried(Rule("x", "case", frozenset({AGENT, WORKER, USER, SYSTEM}), guards))

    assert [v.actor for v in found] == [AGENT_ACTOR, PERSON, CLOCK]


def test_where_only_workers_may_a_worker_does() -> None:
    assert [v.actor for v in tried(Rule("x", "case", frozenset({WORKER})))] == [
        Actor(WORKER, "worker", ALIVE)
    ]


def test_where_nobody_asks_who_sent_it_an_agents_event_stands_for_a_persons() -> None:
    [one] = tried(Rule("x", "case", frozenset({AGENT, USER})))

    assert (one.actor, one.is_also_a_persons) == (AGENT_ACTOR, True)


@pytest.mark.parametrize("place", ["guard", "stage"])
def test_where_a_row_asks_who_sent_it_both_are_tried(place: str) -> None:
    asks = By((USER,))
    rule = Rule("x", "case", frozenset({AGENT, USER}))
    rule = (
        replace(rule, guards=(Guard(asks),))
        if place == "guard"
        else replace(rule, walk=(Fire("unit", "ask", maybe=True, when=asks),))
    )

    assert [(v.actor, v.is_also_a_persons) for v in tried(rule)] == [
        (AGENT_ACTOR, False),
        (PERSON, False),
    ]


def test_every_example_is_tried() -> None:
    examples = ({"a": 1}, {"a": 2})

    assert [v.args for v in tried(Rule("x", "case", frozenset({AGENT}), examples=examples))] == [
        {"a": 1},
        {"a": 2},
    ]


def test_a_rule_proved_by_a_lease_is_tried_with_every_kind_of_lease() -> None:
    found = tried(Rule("x", "item", frozenset({AGENT, USER}), lease=True))

    assert [(v.actor, v.lease) for v in found] == [
        (AGENT_ACTOR, "current"),
        (AGENT_ACTOR, "former"),
        (AGENT_ACTOR, "stale"),
        (STRANGER, "none"),
        (PERSON, "none"),
    ]
    assert LEASES == ("current", "former", "stale", "none")


def test_a_scope_may_add_variants_of_its_own() -> None:
    extra = Variant("claim", "item", PERSON, {"x": 1})

    assert variants(Scope(CASES, (), {}, extra=(extra,)))[-1] is extra


@pytest.mark.parametrize(
    ("lease", "fence"), [("current", 7), ("former", 7), ("stale", STALE_FENCE), ("none", None)]
)
def test_the_fence_that_is_sent_is_the_last_an_older_or_none(lease: str, fence: int | None) -> None:
    assert fence_of(by_lease(lease), item(fence=7)) == fence


@pytest.mark.parametrize(
    ("part", "callers"),
    [
        (item(fence=0), ["none"]),
        (item(holder=ALIVE), ["current", "stale", "none"]),
        (item(holder=GONE), ["stale", "none"]),
        (item(holder=None), ["former", "stale", "none"]),
    ],
    ids=["never claimed", "held", "held by the dead", "given back"],
)
def test_only_callers_that_can_exist_are_tried(part: Part, callers: list[str]) -> None:
    assert [lease for lease in LEASES if applies(by_lease(lease), part)] == callers
    assert applies(by_lease(""), part)


@pytest.mark.parametrize(
    ("lease", "part", "is_zombie"),
    [
        ("stale", item(holder=ALIVE), True),
        ("stale", item(), True),
        ("former", item("waiting"), True),
        ("former", item("held"), False),
        ("current", item(holder=ALIVE), False),
        ("none", item(holder=ALIVE), True),
        ("none", item(holder=None), False),
    ],
)
def test_a_zombie_is_one_whose_lease_is_no_longer_good(
    lease: str, part: Part, *, is_zombie: bool
) -> None:
    actor = STRANGER if lease == "none" else AGENT_ACTOR

    assert must_refuse(CASES, by_lease(lease, actor), part) is is_zombie


def test_a_person_needs_no_lease() -> None:
    assert not must_refuse(CASES, by_lease("none", PERSON), item(holder=ALIVE))
