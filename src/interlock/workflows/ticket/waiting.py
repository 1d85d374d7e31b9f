"""What a live ticket waits for: one row for each way to wait, who is to do what, and why.

It says what the rules let happen, and decides nothing; a test walks every state that can be
reached, and sends what is named here.
"""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from interlock.kernel.seen import Part
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.why import Wait
from interlock.workflows.ticket.assignment import OPEN_WORK
from interlock.workflows.ticket.phases import ANSWERS, APPROVALS, BLOCKED, BY_NAME, ENDED, REVIEW
from interlock.workflows.waits import AGENTS, PERSON, Row

MESSAGE_MAX: Final = 300
CODING: Final = "CODING"

# fmt: off
STATES: Final[Mapping[str, Row]] = {
    "not started":     Row(PERSON, ("start", "edit_ticket", "cancel"), "The ticket is only written down. Start it: that locks its configuration and has its working tree made."),
    "work offered":    Row(AGENTS, ("claim_work",), "{who} is to do “{task}”{where}, and nobody has taken it. Take it; where no worker runs, start one: interlock worker --agents."),
    "work under way":  Row(AGENTS, ("submit_work", "release_work", "fail_work"), "{holder} does “{task}” for {who}{again}. Hand the answer in, or give it back."),
    "questions asked": Row(PERSON, ("answer_batch", "skip_all"), "Questions of the interview wait. Answer them, or end the interview, and the council answers the rest."),
    "to be approved":  Row(PERSON, ("approve", "save_artifact", "cancel"), "The {review} waits for approval. Read it, save an edit of it if need be, and approve it as it is shown."),
    "bead free":       Row(AGENTS, ("claim_bead",), "{bead} can be built{where}, and nobody has taken it. Take it; where no worker runs, start one."),
    "bead under way":  Row(AGENTS, ("submit_bead", "fail_bead"), "{holder} builds {bead}, attempt {attempt} of {tries_max}. Hand in what comes of it."),
    "to be merged":    Row(PERSON, ("merge", "close_unmerged"), "The pull request waits for a review. Have it merged, or end the ticket without a merge."),
    "blocked":         Row(PERSON, ("retry", "cancel"), "It is blocked in {previous}: {error}. Retry lets it go on there, with a note if need be; cancel gives it up."),
    "lost":            Row(PERSON, ("cancel",), "It is blocked, and nothing says where it was before: {error}. Cancel it, and begin a new ticket.", is_own=True),
}
# fmt: on
"""Every way in which a live ticket can wait."""


def waiting(snapshot: Snapshot) -> tuple[Wait, ...]:
    """Return what a ticket waits for; nothing once it has ended. What lets it go on comes first."""
    if snapshot.unit.status in ENDED or snapshot.unit.status not in BY_NAME:
        return ()
    work = tuple(_work(snapshot))
    return work or tuple(_own(snapshot))


def _work(snapshot: Snapshot) -> Iterator[Wait]:
    """Tell the assignments that are open."""
    for place in snapshot.of_kind("assignment"):
        part = snapshot.parts[place]
        if part.status in OPEN_WORK:
            state = "work offered" if part.status == "offered" else "work under way"
            yield _wait(snapshot, state, place, _assignment(part))


def _assignment(part: Part) -> dict[str, str]:
    fields = part.fields
    rejected = fields["rejected"]
    again = f", whose answer was no good {rejected} times" if rejected else ""
    is_workspace = fields["role"] == "workspace"
    who = "the worker" if is_workspace else str(fields["member"] or fields["role"] or "a member")
    return {
        "who": who, "task": str(fields["task"] or "the work"), "again": again,
        "where": _where(fields),
        "holder": str(fields["holder"]),
    }  # fmt: skip


def _where(fields: Mapping[str, object]) -> str:
    """Say where work must be done, where that matters: nobody else can take it."""
    return f" at the site {fields['site']}, where the ticket's tree is" if fields["site"] else ""


def _own(snapshot: Snapshot) -> Iterator[Wait]:
    """Tell what is waited for where no assignment is open."""
    status, fields = snapshot.unit.status, snapshot.unit.fields
    if status == CODING:
        yield from _beads(snapshot)
    elif status == BLOCKED:
        state = "lost" if fields["is_lost"] or fields["previous"] is None else "blocked"
        told = {"previous": str(fields["previous"]), "error": _error(fields["error"])}
        yield _wait(snapshot, state, None, told)
    elif status == ANSWERS:
        yield _wait(snapshot, "questions asked", None, {})
    elif status in APPROVALS:
        review = BY_NAME[status].review.replace("_", " ")
        yield _wait(snapshot, "to be approved", None, {"review": review})
    elif status in _STANDS:
        yield _wait(snapshot, _STANDS[status], None, {})


_STANDS: Final = {"DRAFT": "not started", REVIEW: "to be merged"}


def _beads(snapshot: Snapshot) -> Iterator[Wait]:
    """Tell the beads that are built, and those that can be."""
    places = snapshot.of_kind("bead")
    begun = [p for p in places if snapshot.parts[p].status == "in_progress"]
    held = [p for p in begun if snapshot.parts[p].fields["holder"] is not None]
    free = [p for p in begun if p not in held]
    if not free and len(begun) < cast("int", snapshot.unit.fields["parallel"]):
        free = [p for p in places if _is_free(snapshot, snapshot.parts[p])][:1]
    for place in held:
        yield _wait(snapshot, "bead under way", place, _bead(snapshot, place))
    for place in free:
        yield _wait(snapshot, "bead free", place, _bead(snapshot, place))


def _is_free(snapshot: Snapshot, bead: Part) -> bool:
    needed = (snapshot.part(need).status for need in bead.needs)
    return bead.status == "pending" and all(status == "done" for status in needed)


def _bead(snapshot: Snapshot, place: int) -> dict[str, str]:
    fields = snapshot.parts[place].fields
    number = snapshot.of_kind("bead").index(place) + 1
    title = f" “{fields['title']}”" if fields["title"] else ""
    return {
        "bead": f"bead {number}{title}", "where": _where(fields), "holder": str(fields["holder"]),
        "attempt": str(cast("int", fields["tries"]) + 1),
        "tries_max": str(snapshot.unit.fields["tries_max"]),
    }  # fmt: skip


def _wait(snapshot: Snapshot, state: str, place: int | None, told: dict[str, str]) -> Wait:
    part = None if place is None else snapshot.name(place)
    return STATES[state].wait(state, part, snapshot.unit.fields["policy"], told)


def _error(error: object) -> str:
    """Say what went wrong, its code first."""
    if not isinstance(error, Mapping):
        return "no reason was given"
    message = str(error.get("message") or "")[:MESSAGE_MAX].rstrip(".")
    code = str(error.get("code") or "no reason was given")
    return f"{code}, {message}" if message else code
