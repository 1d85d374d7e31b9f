"""Beads: their map, the queue they stand in, and what makes a blueprint."""

import pytest

from interlock.kernel.draft import Draft
from interlock.kernel.look import next_part
from interlock.kernel.seen import Actor, Event, Seen, Unit
from interlock.workflows.ticket.bead import BEAD, BEAD_KIND, read_beads
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.journey import AGENT, CLOCK, Journey
from tests.workflows.ticket.story import DIGEST, Story, given

# Typed from the specification, section 2.
WANTED = {
    ("pending", "in_progress"), ("in_progress", "done"), ("in_progress", "pending"),
    ("in_progress", "error"), ("error", "pending"), ("error", "in_progress"),
}  # fmt: skip


def test_the_map_is_the_specifications() -> None:
    assert {(edge.source, edge.target) for edge in BEAD.edges} == WANTED


@pytest.mark.parametrize(
    ("phase", "beads", "needs", "wanted"),
    [
        ("CODING", "pending pending", ((), ()), "b1"),
        ("CODING", "done pending", ((), (0,)), "b2"),
        ("CODING", "pending pending in_progress#", ((), (), ()), "b3"),
        ("CODING", "in_progress@me pending", ((), ()), None),
        ("CODING", "error pending", ((), (0,)), None),
        ("PREPARING_EXECUTION_ENV", "pending", ((),), None),
        ("BLOCKED_ERROR", "in_progress#", ((),), None),
    ],
)
def test_the_queue_hands_out_the_first_free_bead(
    phase: str, beads: str, needs: tuple[tuple[int, ...], ...], wanted: str | None
) -> None:
    snapshot = given(WORKFLOW, Story("", phase, "claim_bead", beads=beads, needs=needs))

    assert next_part(WORKFLOW, snapshot, BEAD_KIND) == wanted


@pytest.mark.parametrize(
    ("rows", "is_good"),
    [
        ([{}], True),
        ([{"title": "a"}, {"needs": [0]}, {"needs": [0, 1]}], True),
        ([{}] * 500, True),
        ([{}] * 501, False),
        ([], False),
        (None, False),
        ("beads", False),
        ([1], False),
        ([{"needs": "0"}], False),
        ([{"needs": 0}], False),
        ([{}, {"needs": [-1]}], False),
        ([{}, {"needs": [True]}], False),
        ([{}, {"needs": [1]}], False),
    ],
)
def test_a_blueprint_is_a_list_of_beads_in_order(rows: object, is_good: bool) -> None:  # noqa: FBT001  a column of the table
    event = Event("save_artifact", Actor("user"), None, {"beads": rows})
    draft = Draft(WORKFLOW, Seen(Unit("WAITING_BEADS_APPROVAL", {}), {}), event, 0)

    assert (read_beads(draft) is not None) == is_good


def test_beads_are_for_the_implementer_at_the_ticket_s_site() -> None:
    journey = Journey.at("WAITING_BEADS_APPROVAL", site="s1", roster=("ann", "ben"), members=2)
    journey.person("save_artifact", beads=[{"title": "a"}], digest=DIGEST)
    (bead,) = journey.snapshot.parts

    assert {name: bead.fields[name] for name in ("title", "role", "member", "site")} == {
        "title": "a", "role": "implementer", "member": "ann", "site": "s1",
    }  # fmt: skip


def test_every_failed_attempt_leaves_a_note_and_a_lapsed_lease_does_too() -> None:
    journey = Journey.at("CODING", beads="pending")
    bead = journey.take("bead")
    journey.send("fail_bead", AGENT, bead, reason="tests_failed", note="red", green={"tree": "t"})
    journey.take("bead")
    journey.send("lapse_bead", CLOCK, bead)
    part = journey.snapshot.part(bead)

    assert part.fields["notes"] == (
        {"attempt": 1, "reason": "tests_failed", "note": "red"},
        {"attempt": 2, "reason": "interrupted", "note": ""},
    )
    assert part.fields["green"] is None


def test_a_green_attempt_that_could_not_be_committed_is_kept() -> None:
    journey = Journey.at("CODING", beads="pending")
    bead = journey.take("bead")
    journey.send("fail_bead", AGENT, bead, reason="commit_failed", green={"tree": "t"})

    assert journey.snapshot.part(bead).status == "error"
    assert journey.snapshot.part(bead).fields["green"] == {"tree": "t"}
