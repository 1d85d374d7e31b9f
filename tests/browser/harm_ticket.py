"""The corpus stored on tickets: in what people write, what members answer, and what workers tell."""

from collections.abc import Mapping
from typing import Any, Final

from tests.browser.corpus import SHORT, UNSEEN
from tests.browser.desk import Desk
from tests.browser.harm_built import harmed_building
from tests.browser.pages import Names
from tests.browser.room import Room, room
from tests.stage import PAT
from tests.tickets import NAMES, Answers, claim, full, prd, said, status_of, vote, work

Told = dict[str, Any]
TEXTS: Final = tuple(text.strip()[:1_500] for text in SHORT if text.strip())
WHOLE: Final = "\n\n".join(TEXTS)[:15_000]


def _questions(count: int = 40) -> list[Told]:
    phases = ("foundation", "structure", "assembly")
    return [
        {"id": f"Q{n:02d}", "phase": phases[min((n - 1) * 3 // count, 2)],
         "question": TEXTS[n % len(TEXTS)]}
        for n in range(1, count + 1)
    ]  # fmt: skip


def _refined(_: Told) -> Told:
    change = {"type": "added", "item": "Q41", "reason": TEXTS[0],
              "inspiration": {"draft": "Alternative 1", "item": "Q01"}}  # fmt: skip
    added = {"id": "Q41", "phase": "assembly", "question": f"{TEXTS[1]} again"}
    return {"questions": [*_questions(), added], "changes": [change]}


def _batch(_: Told) -> Told:
    asked = [
        {"id": f"Q{n:02d}", "question": TEXTS[n], "answer_type": kind, "options": list(TEXTS[:5])}
        for n, kind in ((1, "single_choice"), (2, "multiple_choice"))
    ]
    return {"questions": asked, "commentary": WHOLE[:4_000], "is_final": False}


def _specified(task: Told) -> Told:
    found = prd(TEXTS[2])
    found["product"] = {"problem_statement": WHOLE[:8_000], "target_users": list(TEXTS[:20])}
    found["scope"] = {"in_scope": list(TEXTS[:20]), "out_of_scope": list(UNSEEN[:5])}
    found["risks"] = list(TEXTS)
    answers = full(task) if task["task"] == "draft" else []
    for one in answers:
        one["answer"] = {"free_text": WHOLE[:2_000]}
    return {"full_answers": answers, "prd": found}


HARM: Final[Mapping[str, Answers]] = {
    "interview_draft": lambda _: {"questions": _questions()},
    "interview_refine": _refined,
    "interview_batch": _batch,
    "interview_vote": vote,
    "prd_draft": _specified,
    "prd_refine": lambda task: {"prd": _specified(task)["prd"], "changes": []},
}


def _spoken(task: Told) -> Told:
    known = HARM.get(f"{task['domain']}_{task['task']}")
    return said(task) if known is None else known(task)


async def harmed_tickets(desk: Desk) -> Names:
    """Store it on tickets; return the names of what there is to open."""
    async with room(desk) as here:
        project = await _project(here)

        async def bring() -> str:
            return await _approving(here, await _project(here))

        built = await harmed_building(here, bring)
        names = {"project": project, "answers": await _asking(here, project)}
        names["approval"] = await _approving(here, project)
        names["blocked"] = await _blocked(here, project)
        names["backlog"] = await _ticket(here, project)
    return names | built | {"voting": names["blocked"], "built": names["approval"]}


async def _project(here: Room) -> str:
    members = [{"name": name, "agent": "scripted", "model": TEXTS[3][:200]} for name in NAMES]
    told = {"name": TEXTS[4][:150], "repository": TEXTS[5][:900], "members": members}
    return str((await here.call("create_project", PAT, **told)).data["project_id"])


async def _ticket(here: Room, project: str) -> str:
    told = {"project_id": project, "title": TEXTS[6][:500], "description": WHOLE}
    return str((await here.call("create_ticket", PAT, **told)).data["ticket_id"])


async def _drafting(here: Room, project: str) -> str:
    name = await _ticket(here, project)
    await here.call("start", PAT, ticket_id=name)
    await work(here, name)
    await work(here, name)
    return name


async def _asking(here: Room, project: str) -> str:
    name = await _drafting(here, project)
    await work(here, name, _spoken, NAMES)
    await work(here, name, _spoken, NAMES)
    await work(here, name, _spoken)
    await work(here, name, _spoken)
    return name


async def _approving(here: Room, project: str) -> str:
    """Bring a ticket to the approval of a PRD full of it."""
    name = await _asking(here, project)
    given = [{"question_id": f"Q{n:02d}", "text": WHOLE} for n in (1, 2)]
    await here.call("answer_batch", PAT, ticket_id=name, batch=1, answers=given)
    await here.call("skip_all", PAT, ticket_id=name, reason=TEXTS[7])
    digest = (await status_of(here, name))["documents"]["interview"]
    await here.call("approve", PAT, ticket_id=name, content_digest=digest)
    for members in (NAMES, NAMES, ("",), ("",)):
        await work(here, name, _spoken, members)
    return name


async def _blocked(here: Room, project: str) -> str:
    name = await _drafting(here, project)
    for member in NAMES[:2]:
        part = await claim(here, name, member)
        lease = part["lease"]["token"]
        lines = [{"at": 5, "stream": "err", "text": text} for text in TEXTS]
        await here.call("append_log", part_id=part["part_id"], lease=lease, lines=lines)
        await here.call("fail_work", part_id=part["part_id"], lease=lease, reason=TEXTS[8])
    return name
