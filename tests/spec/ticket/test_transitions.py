"""Every transition until the blueprint is approved, with real documents, through the door."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from interlock.workflows.ticket.machine import TICKET
from interlock.workflows.ticket.phases import between
from tests.reports import SITE
from tests.spec.door import ADA, PAT, Door, promise
from tests.spec.ticket.places import phase_of
from tests.tickets import bead, expansion, new_project, prd, said

Told = dict[str, Any]
Says = Callable[[Told], Told]

# Typed from the specification, section 2, up to PRE_FLIGHT_CHECK. ERROR, CANCEL and RETRY, which
# nearly every phase has, are tried in test_trouble.
TABLE: Final = """
DRAFT START SCANNING_RELEVANT_FILES
DRAFT INIT_FAILED BLOCKED_ERROR
SCANNING_RELEVANT_FILES RELEVANT_FILES_READY COUNCIL_DELIBERATING
COUNCIL_DELIBERATING QUESTIONS_READY COUNCIL_VOTING_INTERVIEW
COUNCIL_VOTING_INTERVIEW WINNER_SELECTED COMPILING_INTERVIEW
COMPILING_INTERVIEW READY WAITING_INTERVIEW_ANSWERS
WAITING_INTERVIEW_ANSWERS BATCH_ANSWERED WAITING_INTERVIEW_ANSWERS
WAITING_INTERVIEW_ANSWERS INTERVIEW_COMPLETE VERIFYING_INTERVIEW_COVERAGE
WAITING_INTERVIEW_ANSWERS SKIP_ALL_TO_APPROVAL WAITING_INTERVIEW_APPROVAL
VERIFYING_INTERVIEW_COVERAGE COVERAGE_CLEAN WAITING_INTERVIEW_APPROVAL
VERIFYING_INTERVIEW_COVERAGE COVERAGE_LIMIT_REACHED WAITING_INTERVIEW_APPROVAL
VERIFYING_INTERVIEW_COVERAGE GAPS_FOUND WAITING_INTERVIEW_ANSWERS
WAITING_INTERVIEW_APPROVAL APPROVE DRAFTING_PRD
DRAFTING_PRD DRAFTS_READY COUNCIL_VOTING_PRD
DRAFTING_BEADS DRAFTS_READY COUNCIL_VOTING_BEADS
COUNCIL_VOTING_PRD WINNER_SELECTED REFINING_PRD
COUNCIL_VOTING_BEADS WINNER_SELECTED REFINING_BEADS
REFINING_PRD REFINED VERIFYING_PRD_COVERAGE
REFINING_BEADS REFINED VERIFYING_BEADS_COVERAGE
VERIFYING_PRD_COVERAGE GAPS_FOUND VERIFYING_PRD_COVERAGE
VERIFYING_BEADS_COVERAGE GAPS_FOUND VERIFYING_BEADS_COVERAGE
VERIFYING_PRD_COVERAGE COVERAGE_CLEAN WAITING_PRD_APPROVAL
VERIFYING_PRD_COVERAGE COVERAGE_LIMIT_REACHED WAITING_PRD_APPROVAL
VERIFYING_BEADS_COVERAGE COVERAGE_CLEAN WAITING_BEADS_APPROVAL
VERIFYING_BEADS_COVERAGE COVERAGE_LIMIT_REACHED WAITING_BEADS_APPROVAL
WAITING_PRD_APPROVAL APPROVE DRAFTING_BEADS
WAITING_BEADS_APPROVAL APPROVE PRE_FLIGHT_CHECK
"""
WANTED: Final = frozenset(tuple(line.split()) for line in TABLE.strip().splitlines())
EVERYWHERE: Final = ("ERROR", "CANCEL", "RETRY")
REOPENS: Final = ("REOPEN_INTERVIEW", "REOPEN_PRD")
PLANNING: Final = between("DRAFT", "WAITING_BEADS_APPROVAL")


@pytest.mark.promise("transition.table")
def test_the_table_is_the_machines() -> None:
    edges = {
        (edge.source, edge.on, edge.target)
        for edge in TICKET.edges
        if edge.source in PLANNING and edge.on not in (*EVERYWHERE, *REOPENS)
    }

    assert edges == WANTED


class Way:
    """A ticket on its way through planning; ``says`` are answers other than the usual ones."""

    def __init__(self, door: Door, says: Mapping[str, Says]) -> None:
        self.door = door
        self.says = says
        self.ticket = ""
        self.tag = ""

    async def begin(self, members: tuple[str, ...] = ("ann", "ben"), **more: object) -> None:
        made = await self.door.ask("create_project", PAT, **new_project(members, **more))
        told: Told = {"project_id": made["data"]["project_id"], "title": "Sell apples"}
        self.tag = str(made["data"]["project_id"])
        made = await self.door.ask("create_ticket", PAT, **told, tags=[self.tag])
        self.ticket = str(made["data"]["ticket_id"])
        await self.door.ask("start", PAT, ticket_id=self.ticket)

    async def take(self) -> Told:
        told = {"workflow": "ticket", "tags": [self.tag], "site": SITE}
        found = await self.door.ask("get_next_work", ADA, **told)
        part: Told = found["data"]["part"]
        return part

    async def work(self) -> None:
        """Answer the next assignment."""
        part = await self.take()
        task: Told = {name: _read(value) for name, value in part["task"].items()}
        key = f"{task['domain']}_{task['task']}" if task["domain"] else task["task"]
        answer = self.says.get(key, said)(task)
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "answer": answer}
        await self.door.ask("submit_work", ADA, **told)

    async def status(self) -> Told:
        told = await self.door.ask("ticket_status", PAT, ticket_id=self.ticket)
        return {name: _read(value) for name, value in told["data"].items()}

    async def to(self, phase: str) -> Told:
        """Work, answer and approve until the ticket is in a phase; return how it stands."""
        while (now := await self.status())["phase"]["name"] != phase:
            if "batch" in now:
                asked = now["batch"]
                answers = [{"question_id": one["id"], "text": "Yes."} for one in asked["questions"]]
                told = {"batch": asked["number"], "answers": answers}
                await self.door.ask("answer_batch", PAT, ticket_id=self.ticket, **told)
            elif now["phase"]["view"] == "approval" and "content_digest" in now["gates"][-1]:
                digest = now["gates"][-1]["content_digest"]
                await self.door.ask("approve", PAT, ticket_id=self.ticket, content_digest=digest)
            else:
                await self.work()
        return now

    async def walked(self) -> set[tuple[str, ...]]:
        entries = await self.door.audit(self.ticket)
        return {
            (one["source"], one["signal"], one["target"])
            for one in entries
            if one["change"] == "move" and "unit" in one
        }


def _read(value: object) -> object:
    """Read what a model is shown as text, being no word of ours: it is JSON between marks."""
    return json.loads(value) if isinstance(value, str) and value.startswith("{") else value


FOLLOW_UP: Final = {"question": "And pears?", "phase": "assembly", "answer_type": "yes_no"}


def with_gaps() -> dict[str, Says]:
    """Return a council that finds gaps in everything, again and again, until nobody asks it."""
    waiting: list[str] = []

    def audit(_: Told) -> Told:
        waiting.append("Q04")
        return {"status": "gaps", "gaps": ["Pears."], "follow_up_questions": [FOLLOW_UP]}

    def batch(task: Told) -> Told:
        if not waiting:
            return said(task)
        return {"questions": [{"id": waiting.pop(), **FOLLOW_UP}], "commentary": ""}

    others = {"prd_audit": prd_gaps, "beads_audit": beads_gaps}
    return {"interview_audit": audit, "interview_batch": batch, **others}


def prd_gaps(task: Told) -> Told:
    change = {"type": "modified", "item": "EPIC-1", "reason": "More."}
    told: Told = {"status": "gaps", "gaps": ["More."]}
    more = {"prd": prd(f"Apples {task['number']}"), "changes": [change]}
    return told if task["number"] == 5 else told | more


def beads_gaps(task: Told) -> Told:
    told: Told = {"status": "gaps", "gaps": ["More."]}
    if task["number"] == 5:
        return told | {"expansion": expansion("sell-apples", "count-apples")}
    first = bead("sell-apples") | {"description": f"Sell apples, {task['number']}."}
    change = {"type": "modified", "item": "sell-apples", "reason": "Closer."}
    return told | {"beads": [first, bead("count-apples")], "changes": [change]}


@promise("transition.table")
async def test_every_transition_of_planning_happens_through_the_door(door: Door) -> None:
    clean, capped = Way(door, {}), Way(door, with_gaps())
    for way in (clean, capped):
        await way.begin()
        await way.to("PRE_FLIGHT_CHECK")
    skipped = Way(door, {})
    await skipped.begin()
    await skipped.to("WAITING_INTERVIEW_ANSWERS")
    await door.ask("skip_all", PAT, ticket_id=skipped.ticket)
    failed = Way(door, {})
    await failed.begin()
    part = await failed.take()
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await door.ask("fail_work", ADA, **told, reason="no such repository")

    walked = set[tuple[str, ...]]().union(
        *[await way.walked() for way in (clean, capped, skipped, failed)]
    )
    assert walked == WANTED
    warnings = (await capped.status())["warnings"]
    assert all(warnings[domain] for domain in ("interview", "prd", "beads"))


@promise("transition.reopen")
@pytest.mark.parametrize(
    ("artifact", "stands", "leads"),
    [("interview", "DRAFTING_PRD", "DRAFTING_PRD"), ("prd", "DRAFTING_BEADS", "DRAFTING_BEADS")],
)
async def test_what_was_approved_is_edited_and_all_that_followed_starts_anew(
    door: Door, artifact: str, stands: str, leads: str
) -> None:
    way = Way(door, {})
    await way.begin()
    now = await way.to(stands)
    digest = now["documents"][artifact]
    text = await door.ask("get_content", PAT, id=way.ticket, digest=digest, limit=50_000)
    told = {"artifact": artifact, "reason": "It lacks pears.", "base_digest": digest}
    edited = text["data"]["content"].replace("Yes.", "No.").replace("No apples.", "No pears.")
    before = await door.sequence(way.ticket)
    await door.ask("reopen", PAT, ticket_id=way.ticket, content=edited, **told)

    assert await phase_of(door.stage, way.ticket) == leads
    gate = f"WAITING_{artifact.upper()}_APPROVAL"
    signals = [
        (one["signal"], one["target"])
        for one in await door.audit(way.ticket, before)
        if one["change"] == "move" and "unit" in one
    ]
    assert signals == [(f"REOPEN_{artifact.upper()}", gate), ("APPROVE", leads)]
    assert (await way.status())["documents"][artifact] != digest


@promise("transition.only_member")
async def test_with_one_member_the_vote_is_over_when_it_begins(door: Door) -> None:
    way = Way(door, {})
    await way.begin(members=("ann",))
    await way.to("COMPILING_INTERVIEW")

    (won,) = [
        one
        for one in await door.audit(way.ticket)
        if one["change"] == "move" and one.get("signal") == "WINNER_SELECTED"
    ]
    assert won["reason"] == "only_member"
