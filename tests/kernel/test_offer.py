"""A queue's test, taken apart: each half may say yes too often, never no; the whole one decides."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.space import State
from interlock.kernel.forms import Any, Both, Count, Either, Form, Free, In, Is, Named, Not
from interlock.kernel.look import next_part
from interlock.kernel.offer import FIRST, IN_TURN, Queue, queues
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot, waits
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import BUILT_IN
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.kernel.tiny import CASES, case, changed
from tests.workflows.story import standing

SIZES = {"plan": 2, "mission": 1, "ticket": 1}
STATES_MAX = 700


@dataclass(frozen=True, slots=True)
class Found:
    """A part as a store would find it."""

    part: Part
    waits: int
    ord: int


def _found(flow: Workflow, snapshot: Snapshot) -> list[Found]:
    return [
        Found(part, waits(flow, snapshot, part), place) for place, part in enumerate(snapshot.parts)
    ]


def _step_queue() -> Queue[Found]:
    return queues(PLAN)["step"]


@cache
def _explored(name: str) -> tuple[Workflow, list[State]]:
    scope = BUILT_IN[name].scope(SIZES[name])
    states = explore(scope).graph.states
    chosen = random.Random(1).sample(states, min(STATES_MAX, len(states)))  # noqa: S311  repeatable
    return scope.flow, chosen


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_best_part_of_each_status_is_enough_to_find_what_the_kernel_hands_out(
    name: str,
) -> None:
    """That is all a store looks up: by kind and status, the first of the lowest rank."""
    flow, states = _explored(name)
    own: Mapping[str, Queue[Found]] = queues(flow)
    heads = 0
    for state in states:
        snapshot = Snapshot(*state)
        found = _found(flow, snapshot)
        for kind, queue in own.items():
            best: dict[str, tuple[int, int, Found]] = {}
            for one in found:
                rank = queue.rank(one.part, one.waits) if one.part.kind == kind else None
                if rank is not None:
                    known = best.get(one.part.status)
                    if known is None or (rank, one.ord) < known[:2]:
                        best[one.part.status] = (rank, one.ord, one)
            head = queue.head(state[0], tally(state[1]), [row[2] for row in best.values()])
            right = next_part(flow, snapshot, flow.kind(kind))
            heads += right is not None

            assert (None if head is None else head.ord) == right

    assert heads


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_unit_that_takes_nothing_has_nothing_that_could_be_claimed(name: str) -> None:
    flow, states = _explored(name)
    own: Mapping[str, Queue[Found]] = queues(flow)
    closed = 0
    for unit, parts in states:
        for kind, queue in own.items():
            if queue.takes(unit, tally(parts)):
                continue
            closed += 1
            head = next_part(flow, Snapshot(unit, parts), flow.kind(kind))
            rule = flow.table.rules[queue.kind.claim]

            assert head is None or not rule.admits(unit.status, parts[int(head)].status)

    assert closed


@pytest.mark.parametrize(
    ("words", "ranks"),
    [
        ("executing: pending", [IN_TURN]),
        ("executing: in_progress in_progress*", [FIRST, None]),
        ("executing: in_progress! pending<", [IN_TURN, None]),
        ("executing: completed failed skipped awaiting_input", [None, None, None, None]),
        # What the unit says is not asked of the part.
        ("completed: pending", [IN_TURN]),
    ],
)
def test_a_part_ranks_by_what_it_alone_says(words: str, ranks: list[int | None]) -> None:
    snapshot = standing(PLAN, "step", words, {})
    queue = _step_queue()

    assert [queue.rank(one.part, one.waits) for one in _found(PLAN, snapshot)] == ranks


@pytest.mark.parametrize(
    ("words", "takes"),
    [
        ("planning: pending", True),
        ("executing: completed in_progress*", True),
        ("stalled: in_progress!", True),
        ("awaiting_review: pending awaiting_input", False),
        ("completed: completed", False),
        ("planning:", False),
    ],
)
def test_a_unit_takes_by_what_it_alone_says(words: str, takes: bool) -> None:  # noqa: FBT001  a column of the table
    snapshot = standing(PLAN, "step", words, {})

    assert _step_queue().takes(snapshot.unit, tally(snapshot.parts)) is takes


def test_what_goes_first_is_handed_out_before_what_stands_before_it() -> None:
    snapshot = standing(PLAN, "step", "executing: pending in_progress", {})
    head = _step_queue().head(snapshot.unit, tally(snapshot.parts), _found(PLAN, snapshot))

    assert head is not None
    assert head.ord == 1


def test_whoever_is_found_in_whatever_order_the_first_that_can_be_claimed_is_handed_out() -> None:
    snapshot = standing(PLAN, "step", "executing: in_progress* pending< pending pending", {})
    found, counts = _found(PLAN, snapshot), tally(snapshot.parts)
    queue = _step_queue()
    heads = [queue.head(snapshot.unit, counts, order) for order in (found, found[::-1])]

    assert [head is not None and head.ord for head in heads] == [2, 2]
    assert queue.head(snapshot.unit, counts, found[:2]) is None
    assert queue.head(snapshot.unit, counts, []) is None
    narrow = Unit(snapshot.unit.status, {**snapshot.unit.fields, "max_parallel": 1})
    assert queue.head(narrow, counts, found) is None


def test_only_kinds_that_can_be_claimed_have_a_queue() -> None:
    names = {name: set(queues(row.flow)) for name, row in BUILT_IN.items()}

    assert names == {
        "plan": {"step"},
        "mission": {"hop", "tool_step"},
        "ticket": {"bead", "assignment"},
    }


ONLY_PART = In("part", ("pending",))
ONLY_UNIT = In("unit", ("executing",))
OTHERS = Any("step", ("failed",))


@pytest.mark.parametrize(
    ("form", "rank", "takes"),
    [
        # A pending part that needs nothing, in a plan that is planning and in which none failed.
        (ONLY_PART, IN_TURN, True),
        (Not(ONLY_PART), None, True),
        (ONLY_UNIT, IN_TURN, False),
        (Not(ONLY_UNIT), IN_TURN, True),
        (Both((ONLY_PART, ONLY_UNIT)), IN_TURN, False),
        (Either((Not(ONLY_PART), ONLY_UNIT)), IN_TURN, True),
        (Not(Both((ONLY_PART, Not(ONLY_UNIT)))), IN_TURN, True),
        (OTHERS, IN_TURN, False),
        (Not(OTHERS), IN_TURN, True),
        (Free(), IN_TURN, True),
        (Not(Free()), None, True),
        (Named("lease_is_takeable"), IN_TURN, True),
        (Not(Named("lease_is_takeable")), None, True),
        (Is("unit", "max_parallel", (None,)), IN_TURN, True),
        (Is("part", "attempt", (2,)), None, True),
        (Both((Free(), Named("lease_is_takeable"))), IN_TURN, True),
        (Both((Free(), Not(Named("lease_is_takeable")))), None, True),
        (Either((Not(Free()), Named("lease_is_takeable"))), IN_TURN, True),
        (Either((Not(Free()), Is("part", "attempt", (2,)))), None, True),
        (Count("step", ("pending",), ">", 5), IN_TURN, False),
        # What neither of them says alone stands open for both.
        (Named("has_room"), IN_TURN, True),
        (Not(Named("has_room")), IN_TURN, True),
    ],
)
def test_a_form_is_taken_apart_into_what_each_side_can_say(
    form: Form,
    rank: int | None,
    takes: bool,  # noqa: FBT001  a column of the table
) -> None:
    (kind,) = PLAN.parts
    flow = replace(PLAN, parts=(replace(kind, claimable=form),))
    queue: Queue[Found] = queues(flow)["step"]
    snapshot = standing(flow, "step", "planning: pending", {})

    assert queue.rank(snapshot.parts[0], 0) == rank
    assert queue.takes(snapshot.unit, tally(snapshot.parts)) is takes


@pytest.mark.parametrize(
    ("form", "handed"),
    [
        (ONLY_PART, "planning executing"),
        (Not(ONLY_PART), ""),
        (ONLY_UNIT, "executing"),
        (Not(ONLY_UNIT), "planning"),
        (Free(), "planning executing"),
        (Both((ONLY_UNIT, Free())), "executing"),
        (Either((ONLY_UNIT, Not(Free()))), "executing"),
        (None, ""),
    ],
)
def test_the_whole_form_is_asked_for_each_place_that_unit_and_part_stand_at(
    form: Form | None, handed: str
) -> None:
    (kind,) = PLAN.parts
    queue: Queue[Found] = queues(replace(PLAN, parts=(replace(kind, claimable=form),)))["step"]
    for status in ("planning", "executing", "planning", "executing"):
        snapshot = standing(PLAN, "step", f"{status}: pending completed", {})
        pending, completed = _found(PLAN, snapshot)
        counts = tally(snapshot.parts)

        head = queue.head(snapshot.unit, counts, [completed, pending])
        assert head is (pending if status in handed.split() else None)
        # Where a claim is not accepted, a form that holds is not enough.
        assert queue.head(snapshot.unit, counts, [completed]) is None


def test_an_unknown_status_is_never_handed_out() -> None:
    part = Part("step", "nowhere", PLAN.kind("step").defaults())

    assert _step_queue().rank(part, 0) is None
    assert _step_queue().takes(Unit("nowhere", PLAN.defaults()), {"step": {"pending": 1}}) is False


def test_a_queue_knows_where_its_claim_is_accepted() -> None:
    queue: Queue[Found] = queues(CASES)["item"]

    assert (queue.statuses, queue.units) == (("waiting", "held"), frozenset({"open", "busy"}))
    assert (queue.claim.name, queue.claim.actor.kind) == ("claim", "system")


def test_where_a_workflow_says_nothing_everything_is_handed_out_in_turn() -> None:
    (items,) = CASES.parts
    anything = replace(items, claimable=None, first=None)
    queue: Queue[Found] = queues(replace(changed("claim", guards=()), parts=(anything,)))["item"]
    snapshot = case("asked: waiting held* done")

    assert queue.statuses == items.machine.names()
    assert queue.units == frozenset(CASES.unit.names())
    assert [queue.rank(part, 0) for part in snapshot.parts] == [IN_TURN] * 3
    assert queue.takes(snapshot.unit, tally(snapshot.parts))


@pytest.mark.parametrize(
    ("first", "ranks"),
    [(Named("lease_is_takeable"), [FIRST, FIRST]), (In("unit", ("busy",)), [IN_TURN, IN_TURN])],
    ids=["a function", "what a part cannot say"],
)
def test_what_goes_first_may_be_said_by_a_function_and_not_by_the_unit(
    first: Form, ranks: list[int]
) -> None:
    (items,) = CASES.parts
    flow = replace(CASES, parts=(replace(items, first=first),))
    queue: Queue[Found] = queues(flow)["item"]

    assert [queue.rank(part, 0) for part in case("busy: waiting held!").parts] == ranks
