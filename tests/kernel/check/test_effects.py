"""What an event does in a state: kept as it comes out, or as a decision, or as what is wrong."""

from dataclasses import replace

import pytest

from interlock.kernel.check.effects import Effects, event_of
from interlock.kernel.check.graph import Graph
from interlock.kernel.check.scope import ALIVE, GONE, Scope, Turn, Variant
from interlock.kernel.check.space import Space, State
from interlock.kernel.check.variants import AGENT_ACTOR, CLOCK, PERSON, STALE_FENCE, STRANGER
from interlock.kernel.check.walk import Walk
from interlock.kernel.entries import New
from interlock.kernel.machine import Edge
from interlock.kernel.rules import NO_ARGS, Do, Fire, Rule
from interlock.kernel.seen import Actor
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from tests.kernel.check.apart import by_place, within
from tests.kernel.tiny import (
    ANYONE,
    CASES,
    CLOCKS,
    HANDS,
    YES,
    added,
    case,
    case_is,
    changed,
    item_is,
)


class Tried:
    """One variant tried in one state."""

    def __init__(self, words: str, variant: Variant, place: int | None = 0,
                 flow: Workflow = CASES) -> None:  # fmt: skip
        """Try it."""
        space = Space(flow)
        self.walk = Walk(Graph(Scope(flow, (), {}), ()))
        self.state: State = within(space, by_place(case(words, flow)))
        self.effect = Effects(space, self.walk).of(self.state, variant, place)

    @property
    def problem(self) -> str:
        """Return what is wrong, in a word; empty where it is refused or fine."""
        return "" if self.effect is None else self.effect.problem.partition(" ")[0]


def sends(event: str, actor: Actor = AGENT_ACTOR, lease: str = "", kind: str = "item") -> Variant:
    """Return a variant without arguments."""
    return Variant(event, kind, actor, NO_ARGS, lease)


def test_a_refused_event_has_no_effect_and_uses_nothing() -> None:
    tried = Tried("busy: waiting", sends("finish", lease="none"))

    assert tried.effect is None
    assert (tried.walk.edges, tried.walk.events) == (set(), set())


def test_an_event_that_changes_unit_and_part_alone_is_kept_as_it_comes_out() -> None:
    effect = Tried("open: waiting", sends("claim")).effect
    assert effect is not None
    assert effect.unit is not None
    assert effect.part is not None

    assert (effect.unit.status, effect.part.status, effect.part.fields["holder"]) == (
        "busy",
        "held",
        ALIVE,
    )
    assert effect.decision is None


def test_an_event_that_changes_others_is_kept_as_a_decision() -> None:
    effect = Tried("busy: waiting", sends("drop", PERSON, kind="case"), None).effect
    assert effect is not None

    assert effect.decision is not None
    assert effect.unit is None


def test_an_event_that_changes_nothing_is_kept_as_nothing() -> None:
    flow = added(Rule("look", "case", ANYONE))
    effect = Tried("busy: waiting", sends("look", kind="case"), None, flow).effect
    assert effect is not None

    assert (effect.unit, effect.part, effect.decision, effect.problem) == (None, None, None, "")


def test_what_was_used_is_noted() -> None:
    walk = Tried("open: waiting", sends("claim")).walk

    assert walk.edges == {("case", "open", "begin"), ("item", "waiting", "take")}
    assert walk.statuses == {("case", "busy"), ("item", "held")}
    assert walk.events == {"claim"}


def test_the_status_a_part_is_made_in_is_noted_as_used() -> None:
    functions = {
        **CASES.functions,
        "make": lambda draft: draft.create(New("item", "void", draft.flow.kind("item").defaults())),
    }
    flow = added(Rule("make", "case", HANDS, walk=(Do("make"),)), functions=functions)

    assert Tried("busy: held", sends("make", kind="case"), None, flow).walk.statuses == {
        ("item", "void")
    }


@pytest.mark.parametrize(
    ("flow", "problem"),
    [
        (added(Rule("x", "case", HANDS, walk=(Fire("unit", "answer"),))), "BROKEN_CALL"),
        (changed("drop", actors=ANYONE), ""),
    ],
)
def test_a_broken_table_is_a_problem(flow: Workflow, problem: str) -> None:
    event = "x" if flow.rule("x") else "drop"

    assert Tried("busy: waiting", sends(event, kind="case"), None, flow).problem == problem


UNGUARDED = changed("finish", guards=(case_is("busy"), item_is("held")))


@pytest.mark.parametrize(
    ("variant", "problem"),
    [
        (sends("finish", lease="stale"), "ZOMBIE"),
        (sends("finish", STRANGER, "none"), "ZOMBIE"),
        (sends("finish", lease="current"), ""),
    ],
)
def test_one_who_no_longer_holds_the_part_is_a_zombie(variant: Variant, problem: str) -> None:
    assert Tried("busy: held*", variant, flow=UNGUARDED).problem == problem


AGAIN = replace(CASES.unit, edges=(*CASES.unit.edges, Edge("dropped", "again", "open")))


@pytest.mark.parametrize(
    ("actors", "actor", "problem"),
    [
        (HANDS, AGENT_ACTOR, "LEFT_TERMINAL"),
        (CLOCKS, CLOCK, "LEFT_TERMINAL"),
        (frozenset({"user"}), PERSON, ""),
    ],
    ids=["agent", "clock", "person"],
)
def test_only_a_person_moves_a_unit_that_has_ended(
    actors: frozenset[str], actor: Actor, problem: str
) -> None:
    rule = Rule("again", "case", actors, (case_is("dropped"),), (Fire("unit", "again"),))
    flow = added(rule, unit=AGAIN, pairs=())

    assert Tried("dropped: void", sends("again", actor, kind="case"), None, flow).problem == problem


@pytest.mark.parametrize(("actor", "problem"), [(AGENT_ACTOR, "LEFT_TERMINAL"), (CLOCK, "")])
def test_the_clock_may_move_parts_of_what_has_ended_and_agents_may_not(
    actor: Actor, problem: str
) -> None:
    rule = Rule("rot", "item", HANDS | CLOCKS, (item_is("waiting"),), (Fire("part", "void"),))
    flow = added(rule, pairs=())

    assert Tried("dropped: waiting", sends("rot", actor), flow=flow).problem == problem


def test_a_claim_that_gives_the_part_to_nobody_has_no_lease() -> None:
    flow = changed("claim", walk=CASES.rules[0].walk[:3])

    assert Tried("open: waiting", sends("claim"), flow=flow).problem == "NO_LEASE"
    assert Tried("open: waiting", sends("claim")).problem == ""


def test_a_claim_that_ends_the_part_at_once_needs_no_lease() -> None:
    flow = changed("claim", walk=(Fire("unit", "begin"), Fire("part", "void")))

    assert Tried("open: waiting waiting", sends("claim"), flow=flow).problem == ""


@pytest.mark.parametrize(
    ("words", "actor", "problem"),
    [
        ("busy: held*", AGENT_ACTOR, "STOLEN"),
        ("busy: held!", AGENT_ACTOR, ""),
        ("busy: held", AGENT_ACTOR, ""),
        ("busy: held*", PERSON, ""),
    ],
    ids=["alive", "lapsed", "nobody", "a person takes it"],
)
def test_a_part_is_stolen_from_one_whose_lease_is_alive(
    words: str, actor: Actor, problem: str
) -> None:
    taken = (Fire("part", "give_back"), Fire("part", "take"), Do("grant_lease"))
    flow = added(Rule("grab", "item", ANYONE, (item_is("held"),), taken))

    # The space forgets numbers of claims beyond the first, so the fence must have been one.
    assert Tried(words, sends("grab", actor), flow=flow).problem == problem


def test_an_event_brings_the_fence_of_its_lease() -> None:
    parts = case("busy: held*").parts

    assert event_of(sends("finish", lease="current"), parts, 0).args == {"fence": 1}
    assert event_of(sends("finish", lease="stale"), parts, 0).args == {"fence": STALE_FENCE}
    assert event_of(sends("finish", STRANGER, "none"), parts, 0).args == {}
    assert event_of(sends("ask", kind="case"), parts, None).part is None


def test_branches_of_a_variant_hang_on_its_part() -> None:
    seen: list[object] = []
    functions = {**CASES.functions, "note": lambda draft: seen.extend(draft.branches())}
    rule = Rule("jump", "item", HANDS, walk=(Do("note"),), sees=("part", "conditions"))
    flow = added(rule, functions=functions)
    variant = replace(sends("jump"), turns=(Turn(YES, "stop"), Turn(YES, "skip", {"x": 1}, 1)))
    Tried("busy: held waiting", variant, flow=flow)

    assert [(b.action, b.target and b.target.part) for b in seen] == [  # type: ignore[attr-defined]
        ("stop", None),
        ("skip", 1),
    ]


def test_a_holder_that_is_dead_is_no_obstacle_once_the_lease_ran_out() -> None:
    held = case("busy: held!")
    gone = replace(held.parts[0], fields={**held.parts[0].fields, "holder": GONE})
    space = Space(CASES)
    walk = Walk(Graph(Scope(CASES, (), {}), ()))
    effect = Effects(space, walk).of(within(space, Snapshot(held.unit, (gone,))), sends("claim"), 0)

    assert effect is not None
    assert effect.problem == ""


def test_a_sign_of_life_from_the_holder_steals_nothing() -> None:
    flow = added(Rule("beat", "item", HANDS, (item_is("held"),), (Do("keep_lease"),)))

    assert Tried("busy: held*", sends("beat"), flow=flow).problem == ""


def test_an_event_that_drops_its_own_part_is_kept_as_a_decision() -> None:
    functions = {**CASES.functions, "drop": lambda draft: draft.drop("part")}
    flow = added(Rule("lose", "item", HANDS, walk=(Do("drop"),)), functions=functions)
    effect = Tried("busy: held waiting", sends("lose"), flow=flow).effect

    assert effect is not None
    assert effect.decision is not None
