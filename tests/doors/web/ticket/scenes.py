"""Tickets at the places that pages show: brought there by commands, with a council that differs."""

from typing import Any, Final

from starlette.requests import Request

from interlock.doors.web.guest import Guest
from interlock.service.sessions import let_in
from tests.service.folk import first
from tests.stage import PAT, Stage
from tests.tickets import (
    NAMES,
    answer,
    claim,
    phase_of,
    questions,
    said,
    started,
    status_of,
    vote,
    work,
)

Told = dict[str, Any]

BATCH: Final = (
    {"id": "Q01", "question": "Which apples?", "answer_type": "single_choice",
     "options": ["red", "green"]},
    {"id": "Q02", "question": "Where are they sold?", "answer_type": "multiple_choice",
     "options": ["shop", "market", "web"]},
    {"question": "Is cash taken?", "phase": "assembly", "answer_type": "yes_no"},
)  # fmt: skip
COMMENTARY: Final = "Three things that we must **know** first."


def spoken(task: Told) -> Told:
    """Return what a member says where a page shows it: one change, one gap, one choice."""
    key = f"{task['domain']}_{task['task']}"
    if key == "interview_draft":
        return {"questions": questions(3)}
    if key == "interview_refine":
        asked = questions(4)
        asked[3]["question"] = "Who buys them?"
        change = {"type": "added", "item": "Q04", "reason": "It was forgotten.",
                  "inspiration": {"draft": "Alternative 1", "item": "Q03"}}  # fmt: skip
        return {"questions": asked, "changes": [change]}
    if key == "interview_batch":
        return {"questions": list(BATCH), "commentary": COMMENTARY, "is_final": False}
    return said(task)


async def drafting(stage: Stage, **more: object) -> str:
    """Return a ticket whose council drafts questions."""
    name = await started(stage, **more)  # type: ignore[arg-type]  # limits and the like
    await work(stage, name)
    return name


async def voting(stage: Stage) -> str:
    """Return a ticket whose council votes on questions."""
    name = await drafting(stage)
    await work(stage, name, spoken, NAMES)
    return name


async def asking(stage: Stage) -> str:
    """Return a ticket with a batch of every kind of question that waits."""
    name = await voting(stage)
    for place, member in enumerate(NAMES):
        part = await claim(stage, name, member)
        await answer(stage, part, vote(part["task"], [20, 5 + place, 0]))
    await work(stage, name, spoken)
    await work(stage, name, spoken)
    return name


async def approving(stage: Stage, domain: str = "interview") -> str:
    """Return a ticket whose interview, PRD or blueprint waits for approval."""
    name = await asking(stage)
    await stage.call("skip_all", PAT, ticket_id=name)
    for one in ("prd", "beads"):
        if await phase_of(stage, name) == f"WAITING_{domain.upper()}_APPROVAL":
            break
        await approve(stage, name)
        await work(stage, name, members=NAMES)
        await work(stage, name, members=NAMES)
        await work(stage, name)
        await work(stage, name)
        assert await phase_of(stage, name) == f"WAITING_{one.upper()}_APPROVAL"
    return name


async def approve(stage: Stage, name: str) -> None:
    """Approve what waits."""
    gate = (await status_of(stage, name))["gates"][-1]
    await stage.call("approve", PAT, ticket_id=name, content_digest=gate["content_digest"])


async def blocked(stage: Stage) -> str:
    """Return a ticket that stopped because two members of three have failed."""
    name = await drafting(stage)
    for member in NAMES[:2]:
        part = await claim(stage, name, member)
        lease = part["lease"]["token"]
        why = f"{member} has no credit left"
        await stage.call("fail_work", part_id=part["part_id"], lease=lease, reason=why)
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    return name


async def guest_of(stage: Stage) -> Guest:
    """Return somebody who is logged in."""
    row = await stage.engine.store.people.user("home", "pam") or await first(stage, "pam", "owner")
    visit = await let_in(stage.engine, row, "link")
    return Guest(stage.engine, Request({"type": "http", "query_string": b""}), visit)
