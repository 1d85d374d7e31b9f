"""Which part a queue hands out next, over the checker's states: the same as over a snapshot."""

from dataclasses import replace

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.queue import Queues
from interlock.kernel.check.space import Space
from interlock.kernel.forms import Either, In, Named
from interlock.kernel.look import next_part
from interlock.kernel.snapshot import Snapshot, waits
from interlock.kernel.workflow import Workflow
from tests.kernel import tiny
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASES, added
from tests.kernel.wander import explored


@pytest.mark.parametrize(("name", "bound"), [("plan", 2), ("ticket", 1)])
def test_in_every_reachable_state_the_head_is_what_a_store_would_hand_out(
    name: str, bound: int
) -> None:
    graph = explored(name, bound).graph
    flow = graph.scope.flow
    queues = Queues(space := Space(flow))
    for unit, parts in graph.states:
        own = tuple(map(space.part, parts))
        snapshot = Snapshot(unit, own)
        open_needs = [waits(flow, snapshot, part) for part in own]
        heads = queues.heads(
            space.unit(unit.status, unit.fields), own, space.tally(own)[0], open_needs
        )

        assert heads == {
            kind.name: next_part(flow, snapshot, kind) for kind in flow.parts if kind.claim
        }
        assert [queues.waits(own, part) for part in own] == open_needs


def test_only_kinds_that_are_claimed_have_a_queue() -> None:
    assert Queues(Space(SHELVES)).checks == {}
    assert Queues(Space(CASES)).claims == {"claim"}


def test_the_same_slice_is_asked_once() -> None:
    queues = Queues(space := Space(CASES))
    snapshot = tiny.scope().starts[1]
    parts = tuple(map(space.part, snapshot.parts))
    unit = space.unit(snapshot.unit.status, snapshot.unit.fields)
    for _ in range(2):
        assert queues.heads(unit, parts, 0, [0, 0]) == {"item": 0}

    assert len(queues.known) == 1


def handing_out_what_is_over() -> Workflow:
    """Return a workflow whose queue admits parts that are over, before those that wait."""
    can = Either((In("part", ("waiting",)), Named("lease_is_takeable")))
    return added(parts=(replace(CASES.parts[0], claimable=can),))


def test_a_queue_that_hands_out_what_is_over_holds_up_all_others() -> None:
    found = judge(explore(tiny.scope(handing_out_what_is_over())))

    assert ("AGENTS_STUCK", "case busy") in tiny.places(found)
