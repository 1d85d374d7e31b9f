"""What the checker finds in tickets: nothing, unless a hole is planted."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.walk import Walk
from interlock.kernel.forms import All, Both, Count, In
from interlock.kernel.workflow import Workflow
from interlock.workflows.ticket.phases import ROUNDS
from interlock.workflows.ticket.scope import scope, shapes
from interlock.workflows.ticket.workflow import WORKFLOW


@pytest.fixture(scope="module")
def walk() -> Walk:
    return explore(scope(3))


def _found(flow: Workflow) -> set[tuple[str, str]]:
    return {(finding.kind, finding.where) for finding in judge(explore(scope(1, flow)))}


def _without(*events: str) -> Workflow:
    rules = tuple(r for r in WORKFLOW.rules if r.event not in events)
    # Nor may a queue's verb name what is gone.
    parts = tuple(
        replace(part, verbs={v: e for v, e in part.verbs.items() if e not in events})
        for part in WORKFLOW.parts
    )
    trouble = None if "error" in events else WORKFLOW.trouble
    return replace(WORKFLOW, rules=rules, parts=parts, trouble=trouble)


def test_one_bead_has_no_findings() -> None:
    assert judge(explore(scope(1))) == ()


def test_three_beads_have_no_findings(walk: Walk) -> None:
    assert judge(walk) == ()


def _crossings(walk: Walk) -> Iterator[tuple[str, tuple[str, ...], str, tuple[str, ...]]]:
    graph = walk.graph
    for source, target in zip(graph.sources, graph.targets, strict=True):
        (before, parts), (after, others) = graph.states[source], graph.states[target]
        begun = tuple(sorted(p.status for p in parts if p.kind == "bead" and p.status != "pending"))
        ended = tuple(
            sorted(p.status for p in others if p.kind == "bead" and p.status != "pending")
        )
        yield before.status, begun, after.status, ended


def test_beads_move_only_where_a_command_begins_or_ends_in_coding_or_cancels(walk: Walk) -> None:
    moved = {(before, after) for before, begun, after, ended in _crossings(walk) if begun != ended}

    assert {pair for pair in moved if "CODING" not in pair and pair[1] != "CANCELED"} == set()
    assert ("CODING", "BLOCKED_ERROR") in moved
    assert ("BLOCKED_ERROR", "CODING") in moved


def test_every_shape_of_up_to_four_beads_is_tried() -> None:
    assert [len(shapes(beads)) for beads in range(1, 5)] == [1, 2, 8, 64]
    assert len(set(shapes(4))) == 64


def test_of_five_beads_no_need_is_named_twice() -> None:
    assert ((), (0,), (1,), (2,), (3,)) in shapes(5)
    assert ((), (0,), (0, 1), (), ()) not in shapes(5)
    assert len(shapes(5)) == 357


@pytest.mark.parametrize("beads", [3, 5])
def test_the_bounds_are_said(beads: int) -> None:
    bounds = scope(beads).bounds

    assert bounds["beads"] == beads
    assert str(bounds["dependencies"]).startswith("every shape")


def test_a_bead_of_a_dead_agent_that_nobody_gives_back_is_found() -> None:
    assert ("AGENTS_STUCK", "ticket CODING") in _found(_without("lapse_bead"))


def test_the_last_attempt_of_a_dead_agent_must_still_reach_its_gate() -> None:
    (finding,) = judge(explore(replace(scope(1), is_failing=lambda *_: False)))
    stuck = {f.where: f.count for f in judge(explore(scope(1, _without("lapse_bead", "error"))))}

    assert (finding.kind, finding.where) == ("AGENTS_STUCK", "ticket CODING")
    assert stuck["ticket CODING"] > finding.count


def test_a_round_that_waits_for_a_quorum_it_cannot_reach_is_found() -> None:
    over = Both((
        In("unit", ROUNDS),
        All("assignment", ("submitted", "failed", "expired")),
        Count("assignment", ("submitted",), "<", "quorum"),
    ))  # fmt: skip
    lifts = tuple(
        replace(lift, when=over) if lift.fire == "ERROR" else lift for lift in WORKFLOW.lifts
    )

    found = _found(replace(WORKFLOW, lifts=lifts))

    assert found == {("AGENTS_STUCK", f"ticket {phase}") for phase in ROUNDS}


def test_a_ticket_that_forgets_where_it_was_is_found() -> None:
    cascades = tuple(c for c in WORKFLOW.cascades if c.do != "remember_phase")

    assert {kind for kind, _ in _found(replace(WORKFLOW, cascades=cascades))} >= {"ILLEGAL_PAIR"}


def test_a_ticket_from_nowhere_is_the_only_one_that_is_lost(walk: Walk) -> None:
    lost = [unit.fields["previous"] for unit, _ in walk.graph.states if scope(1).is_doomed(unit)]

    assert lost == [None]
