"""Assignments: their map, and what is offered to whom on entering a phase."""

import pytest

from interlock.kernel.decide import decide
from interlock.kernel.look import look, next_part
from interlock.kernel.replay import apply
from interlock.kernel.seen import Actor, Event
from interlock.workflows.ticket.assignment import ASSIGNMENT, ASSIGNMENT_KIND
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.journey import AGENT, Journey
from tests.workflows.ticket.story import DIGEST, Story, given

# Typed from the specification, section 3.
WANTED = {
    ("offered", "claimed"), ("claimed", "submitted"), ("claimed", "failed"),
    ("claimed", "expired"), ("expired", "offered"), ("offered", "expired"),
    ("offered", "cancelled"), ("claimed", "cancelled"), ("expired", "cancelled"),
}  # fmt: skip


def test_the_map_is_the_specifications() -> None:
    assert {(edge.source, edge.target) for edge in ASSIGNMENT.edges} == WANTED


def _offered(story: Story) -> list[tuple[object, ...]]:
    snapshot = given(WORKFLOW, story)
    event = Event(story.call, Actor("user", "ann"), None, story.args)
    decision = decide(WORKFLOW, look(WORKFLOW, snapshot, event), event)
    after = apply(WORKFLOW, snapshot, decision, lambda kind, number: f"{kind} {number}")
    return [
        (part.fields["role"], part.fields["task"], part.fields["member"])
        for part in after.parts
        if part.kind == "assignment" and part.status == "offered"
    ]


@pytest.mark.parametrize(
    ("phase", "call", "wanted"),
    [
        ("DRAFT", "start", [("workspace", "init", "")]),
        ("WAITING_PR_REVIEW", "merge", [("workspace", "merge", "")]),
        ("WAITING_INTERVIEW_ANSWERS", "answer_batch", [("winner", "batch", "ann")]),
        (
            "WAITING_INTERVIEW_APPROVAL",
            "approve",
            [("council", "draft", n) for n in ("ann", "bob", "2")],
        ),
        ("WAITING_BEADS_APPROVAL", "approve", [("workspace", "check", "")]),
    ],
)
def test_the_inventory_says_who_should_do_what(
    phase: str, call: str, wanted: list[tuple[object, ...]]
) -> None:
    fields = {
        "members": 3, "quorum": 2, "shown": DIGEST, "batch": phase.endswith("ANSWERS"),
        "roster": ("ann", "bob"),
    }  # fmt: skip
    beads = {"WAITING_PR_REVIEW": "done", "WAITING_BEADS_APPROVAL": "pending"}.get(phase, "")

    assert (
        _offered(Story("", phase, call, args={"digest": DIGEST}, fields=fields, beads=beads))
        == wanted
    )


def test_a_retry_of_coding_offers_to_restore_the_tree() -> None:
    story = Story("", "BLOCKED_ERROR", "retry", fields={"previous": "CODING"}, beads="error")

    assert _offered(story) == [("workspace", "restore", "")]


@pytest.mark.parametrize(
    ("work", "wanted"), [("claimed@me offered offered", "w2"), ("claimed@me submitted", None)]
)
def test_the_queue_hands_out_what_is_offered(work: str, wanted: str | None) -> None:
    snapshot = given(WORKFLOW, Story("", "DRAFTING_PRD", "claim_work", work=work))

    assert next_part(WORKFLOW, snapshot, ASSIGNMENT_KIND) == wanted


@pytest.mark.parametrize(
    ("phase", "call", "wanted"),
    [
        ("DRAFT", "start", ""),
        ("WAITING_PRD_APPROVAL", "approve", ""),
        ("WAITING_BEADS_APPROVAL", "approve", "s1"),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "regenerate_setup_plan", ""),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "approve", "s1"),
        ("WAITING_PR_REVIEW", "merge", "s1"),
        ("WAITING_PR_REVIEW", "close_unmerged", "s1"),
    ],
)
def test_what_is_done_in_the_tree_is_for_its_site(phase: str, call: str, wanted: str) -> None:
    is_ready = phase.endswith("SETUP_APPROVAL")
    beads = {"WAITING_PR_REVIEW": "done", "DRAFT": "", "WAITING_PRD_APPROVAL": ""}
    some = beads.get(phase, "pending")
    journey = Journey.at(phase, beads=some, site="s1", shown=DIGEST, setup_ready=is_ready)
    journey.person(call, digest=DIGEST)
    offered = [part for part in journey.snapshot.parts if part.status == "offered"]

    assert [part.fields["site"] for part in offered] == [wanted]


def test_an_attempt_that_failed_leaves_a_note_for_the_next_one() -> None:
    journey = Journey.at("RUNNING_FINAL_TEST", beads="done", work="offered", tries_max=3)
    work = journey.take("assignment")
    journey.send("retry_work", AGENT, work, **{"class": "tests_failed", "note": "one is red"})
    journey.send("retry_work", AGENT, work, **{"class": "timed_out"})
    part = journey.snapshot.part(work)

    assert part.status == "claimed"
    assert part.fields["notes"] == (
        {"attempt": 1, "reason": "tests_failed", "note": "one is red"},
        {"attempt": 2, "reason": "timed_out", "note": ""},
    )
    assert journey.snapshot.unit.fields["round"] == 9
