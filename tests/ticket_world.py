"""A ticket for every command of tickets and projects, brought to where that command succeeds."""

from collections.abc import Sequence
from typing import Any, Final

from interlock.service.engine import Principal
from interlock.workflows.ticket.phases import BY_NAME, REVIEW, SETUP
from tests.reports import SITE
from tests.stage import Stage
from tests.tickets import new_project, said

Document = dict[str, Any]

STANDS: Final = {
    "create_project": "", "list_projects": "project", "get_project": "project", "list_prompts": "project",
    "edit_project": "project", "archive_project": "project", "create_ticket": "project",
    "list_tickets": "draft", "ticket_status": "draft", "ticket_context": "draft",
    "edit_ticket": "draft", "start": "draft",
    "answer_batch": "asked", "skip_question": "asked", "skip_all": "asked",
    "edit_answer": "answered", "save_artifact": "shown", "approve": "shown",
    "reopen": "approved", "retry": "blocked", "raise_budget": "draft",
    "regenerate_setup_plan": SETUP, "merge": REVIEW, "close_unmerged": REVIEW,
    "report_merge": REVIEW, "finish": "CLEANING_ENV",
}  # fmt: skip
"""Where a ticket must stand for each command."""

MORE: Final = {
    "edit_project": frozenset({"base_branch"}), "edit_ticket": frozenset({"description"}),
    "answer_batch": frozenset({"answers"}), "edit_answer": frozenset({"text"}),
    "reopen": frozenset({"content", "base_digest"}), "retry": frozenset({"note"}),
    "list_tickets": frozenset({"project_id"}),
    "regenerate_setup_plan": frozenset({"comment"}), "raise_budget": frozenset({"tokens"}),
}  # fmt: skip
"""What is told although it need not be."""

FIRST: Final = {
    "questions": [{"id": "Q01", "question": "What about it?", "answer_type": "free_text"}],
}  # fmt: skip
"""A batch before the last one."""

ASKED: Final = ("asked", "answered")


async def bring(
    stage: Stage, by: Principal, agent: Principal, command: str, tags: Sequence[str]
) -> Document:
    """Bring a ticket to where a command wants it; return what commands call what there is."""
    stands = STANDS[command]
    given: Document = {
        **new_project(("ann",)), "title": "Sell apples", "description": "Red ones.",
        "text": "As you like.", "note": "Try again.", "artifact": "interview", "unit_id": "",
        "reason": "It was wrong.", "comment": "Less of it.", "tokens": 1_000_000,
    }  # fmt: skip
    if not stands:
        return given
    made = await stage.call("create_project", by, **new_project(("ann",)))
    given["project_id"] = made.data["project_id"]
    if stands == "project":
        return given
    told = {"project_id": given["project_id"], "title": "Sell apples", "tags": list(tags)}
    ticket = str((await stage.call("create_ticket", by, **told)).data["ticket_id"])
    given |= {"ticket_id": ticket, "id": ticket, "unit_id": ticket, "tags": list(tags)}
    if stands == "draft":
        return given
    await stage.call("start", by, ticket_id=ticket)
    if stands == "blocked":
        part = await take(stage, agent, tags)
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await stage.call("fail_work", agent, **told, reason="no room")
        return given
    if stands in BY_NAME:
        return given | await _built(stage, by, agent, ticket, (stands, tags))
    await _on(stage, by, agent, ticket, (stands, tags))
    return given | await _waits(stage, by, ticket, stands)


async def _built(
    stage: Stage, by: Principal, agent: Principal, ticket: str, to: tuple[str, Sequence[str]]
) -> Document:
    """Have a ticket planned and built until it is in a phase and nobody works; tell its commits."""
    phase, tags = to
    while True:
        await _on(stage, by, agent, ticket, ("", tags))
        now = await _status(stage, by, ticket)
        at, work = now["phase"]["name"], now.get("work", ())
        is_open = any(one["status"] == "offered" for one in work)
        if at == phase and (at == "CLEANING_ENV" or not is_open):
            break
        if at == REVIEW and not is_open:
            await stage.call("merge", by, ticket_id=ticket)
        elif now["phase"]["view"] == "approval" and not is_open:
            digest = now["gates"][-1]["content_digest"]
            await stage.call("approve", by, ticket_id=ticket, content_digest=digest)
        else:
            await _worked(stage, agent, tags)
    candidate = str(now["tree"].get("candidate", ""))
    return {"merge_commit": "f" * 40, "base_head": "f" * 40, "head": candidate}


async def _worked(stage: Stage, agent: Principal, tags: Sequence[str]) -> None:
    part = await take(stage, agent, tags)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("submit_work", agent, **told, answer=said(part["task"]))


async def _on(
    stage: Stage, by: Principal, agent: Principal, ticket: str, to: tuple[str, Sequence[str]]
) -> None:
    """Have a ticket worked on until it stands where it is wanted."""
    stands, tags = to
    has_first = stands != "answered"
    while (now := await _status(stage, by, ticket))["phase"]["view"] not in ("approval", "coding"):
        batch = now.get("batch")
        if batch is not None and batch["is_final"] and stands in ASKED:
            return
        if batch is not None:
            answers = [{"question_id": one["id"], "text": "Yes."} for one in batch["questions"]]
            told = {"ticket_id": ticket, "batch": batch["number"], "answers": answers}
            await stage.call("answer_batch", by, **told)
            continue
        part = await take(stage, agent, tags)
        is_first = part["task"]["task"] == "batch" and not has_first
        has_first = has_first or is_first
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        answer = FIRST if is_first else said(part["task"])
        await stage.call("submit_work", agent, **told, answer=answer)
    if stands == "approved":
        digest = now["gates"][-1]["content_digest"]
        await stage.call("approve", by, ticket_id=ticket, content_digest=digest)


async def _waits(stage: Stage, by: Principal, ticket: str, stands: str) -> Document:
    """Return by the names of arguments what waits, and what was shown."""
    now = await _status(stage, by, ticket)
    found: Document = {}
    if "batch" in now:
        last = now["batch"]["questions"][-1]["id"]
        found = {"batch": now["batch"]["number"], "question_id": last}
        found["answers"] = [{"question_id": last, "text": "No."}]
    if stands == "answered":
        found["question_id"] = "Q01"
    digest = now["documents"].get("interview")
    if digest is not None:
        text = await stage.call("get_content", by, id=ticket, digest=digest, limit=50_000)
        found |= {"content": text.data["content"], "base_digest": digest, "content_digest": digest}
    return found


async def _status(stage: Stage, by: Principal, ticket: str) -> Document:
    return dict((await stage.call("ticket_status", by, ticket_id=ticket)).data)


async def take(stage: Stage, agent: Principal, tags: Sequence[str]) -> Document:
    """Claim the next assignment of a ticket with these tags; return its part."""
    told = {"workflow": "ticket", "tags": list(tags), "site": SITE}
    found = await stage.call("get_next_work", agent, **told)
    part = found.data["part"]
    assert isinstance(part, dict)
    return part
