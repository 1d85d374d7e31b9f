"""The check of missions finds nothing, and what it walked through keeps more than the pairs say."""

from collections.abc import Iterator
from functools import cache

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.space import State
from interlock.kernel.check.walk import Walk
from interlock.workflows.mission.scope import INPUT, OUTPUT, scope


@cache
def walked(hops: int) -> Walk:
    return explore(scope(hops))


@pytest.mark.parametrize("hops", [1, 2])
def test_the_check_finds_nothing(hops: int) -> None:
    walk = walked(hops)

    assert judge(walk) == ()
    assert len(walk.graph.states) > 1_000


def test_a_check_says_what_it_covered() -> None:
    bounds = scope(3).bounds

    assert bounds["hops"] == 3
    assert scope(3).most["hop"] == 3
    assert {"tool steps", "tries", "assets", "leases", "decision policy"} <= set(bounds)


def test_a_mission_knows_which_of_its_assets_are_ready() -> None:
    wrong = [
        (unit.fields["ready"], parts[INPUT].status, parts[OUTPUT].status)
        for unit, parts in states()
        if unit.fields["ready"] != tuple(p for p in (INPUT, OUTPUT) if parts[p].status == "READY")
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("hop", "steps"),
    [
        ("PROPOSED", set()),
        ("READY_TO_RESOLVE", {"PROPOSED", "READY_TO_CONFIGURE", "READY_TO_EXECUTE", "COMPLETED"}),
        ("READY_TO_EXECUTE", {"READY_TO_EXECUTE", "COMPLETED"}),
        ("EXECUTING", {"READY_TO_EXECUTE", "EXECUTING", "COMPLETED"}),
    ],
)
def test_a_hop_has_only_steps_that_fit_it(hop: str, steps: set[str]) -> None:
    seen = {
        part.status
        for _, parts in states()
        for part in parts
        if isinstance(part.parent, int) and parts[part.parent].status == hop
    }

    assert seen == steps


def test_one_tool_step_runs_at_most() -> None:
    running = (
        sum(part.kind == "tool_step" and part.status == "EXECUTING" for part in parts)
        for _, parts in states()
    )

    assert max(running) == 1


def states() -> Iterator[State]:
    yield from walked(1).graph.states
