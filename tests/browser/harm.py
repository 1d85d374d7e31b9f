"""The corpus stored on one unit, through the doors, in every field that takes a text."""

from collections.abc import Sequence
from typing import Any, Final

import httpx2

from interlock.service.access import SCOPES, create_token
from interlock.service.people import invite
from tests.browser.corpus import CORPUS, DIFFICULT, HANDLERS, LINKS, SHORT, UNSEEN
from tests.browser.desk import PASSWORD, Desk
from tests.browser.furnish import empty, kept
from tests.browser.harm_ticket import harmed_tickets
from tests.browser.pages import Names
from tests.browser.work import Work, begin

NAME: Final = "\"><img src=x onerror=canary(0)>'{{7*7}}\u202e<script>canary(0)</script>"
"""A name with a little of everything."""

PRINTABLE: Final = NAME.replace("\u202e", "")
WHOLE: Final = "\n\n".join(CORPUS)
BRIEF: Final = "\n\n".join(SHORT)[:9_000]
LARGE: Final = (BRIEF + "\n") * (10_000_000 // len(BRIEF) + 1)
"""Ten megabytes."""

Document = dict[str, Any]


async def harmed(desk: Desk) -> Names:
    """Store all of it; return the names of what there is to open."""
    names = await empty(desk)
    async with desk.app() as app:
        secret, _ = await create_token(app.engine, app.owner(), "a person", "user", tuple(SCOPES))
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(base_url=f"{desk.url}/v1", headers=headers, timeout=60) as person,
        desk.agent(NAME) as session,
    ):
        work = await begin(session, NAME, **_plan())
        names["plan"] = work.plan
        names["failed"] = await _work(work)
        await _ask(work, "first")
        names["decided"] = await _modify(person)
        await work.claim()
        await _ask(work, LARGE)
        gates = (await person.get("/gates")).json()["data"]["gates"]
        names["gate"] = gates[-1]["gate_id"]
        told = await _post(person, f"/gates/{names['gate']}/links", {})
        names["link"] = str(told["link"]).rpartition("/")[2]
        for name in (*HANDLERS, *LINKS, PRINTABLE):
            if name.isprintable():
                await _post(person, "/tokens", {"name": name[:100]})
        await person.put("/tenant", json={"name": PRINTABLE})
    await _people(desk)
    names |= await harmed_tickets(desk)
    return names | await kept(desk, names["plan"])


def _plan() -> Document:
    steps = [
        {"title": (text.strip() or NAME)[:200], "instructions": text, "acceptance": text}
        for text in CORPUS
    ]
    branch = {"after_step_order": 1, "expression": "kind === '<img src=x onerror=canary(0)>'",
              "action": "add_steps", "reason": WHOLE, "steps": steps[:3]}  # fmt: skip
    return {
        "research_question": WHOLE, "steps": steps, "branching_conditions": [branch],
        "plan_design_rationale": WHOLE, "output_formatting_notes": WHOLE,
        "tags": [one.strip() for one in SHORT[:15]] + list(UNSEEN[:5]), "max_parallel_steps": 3,
    }  # fmt: skip


async def _work(work: Work) -> str:
    """Say everything that can be said about steps; return the number of one that has failed."""
    call, plan = work.session.call, work.plan
    step = await work.claim()
    held = {"step_id": step, "lease": work.lease}
    await call("heartbeat_step", **held, note=WHOLE)
    for kind, content in (("text/markdown", WHOLE), ("text/html", BRIEF), ("image/svg+xml", BRIEF)):
        kept = {"plan_id": plan, "step_id": step, "artifact_type": "notes", "title": NAME}
        await call("store_research", **kept, media_type=kind, content=content, source_urls=LINKS)
    said = {"result_summary": BRIEF, "step_execution_report": WHOLE, "evidence": CORPUS}
    result = {"kind": HANDLERS[0], "found": list(CORPUS), **{text: text for text in _keys()}}
    await call("submit_step_result", **held, **said, result=result, output_formatting_notes=WHOLE)
    step = await work.claim()
    await call("release_step", step_id=step, lease=work.lease, note=WHOLE)
    step = await work.claim()
    failed = {"action": "fail_step", "step_id": step, "reason": BRIEF}
    await call("modify_plan", plan_id=plan, **failed, modification_rationale=WHOLE)
    await call("submit_feedback", plan_id=plan, rating=1, text=WHOLE)
    await work.claim()
    return step.rpartition(".")[2]


def _keys() -> Sequence[str]:
    return [*HANDLERS, *UNSEEN, *DIFFICULT]


async def _ask(work: Work, text: str) -> None:
    """Ask for a review of everything."""
    drafted: Document = {"text": text, "all": list(CORPUS), "whole": WHOLE}
    drafted |= {"in it": {key: key for key in _keys()}}
    said: Document = {"step_id": work.step["step_id"], "lease": work.lease, "summary": BRIEF}
    said |= {"questions": [one.strip() or NAME for one in SHORT[30:50]], "result": drafted}
    await work.session.call("request_user_review", **said, result_summary=BRIEF)


async def _modify(person: httpx2.AsyncClient) -> str:
    """Send it back with everything; return the gate."""
    gate = (await person.get("/gates")).json()["data"]["gates"][-1]
    said = {"decision": "modify", "feedback": WHOLE, "answers": SHORT[30:50]}
    said["content_digest"] = gate["content_digest"]
    await _post(person, f"/gates/{gate['gate_id']}/decision", said)
    return str(gate["gate_id"])


async def _post(person: httpx2.AsyncClient, path: str, body: Document) -> Document:
    answer = await person.post(path, json=body)
    assert answer.is_success, answer.text
    return dict(answer.json()["data"])


async def _people(desk: Desk) -> None:
    """Let people come in by their invitations, under names that are more than names."""
    for number, name in enumerate((PRINTABLE, DIFFICULT[0])):
        async with desk.app() as app:
            secret, _ = await invite(app.engine, app.owner(), f"{number}@example.com", "member")
        async with await desk.browser() as context:
            page = await context.new_page()
            await page.goto(f"/invitation/{secret}")
            await page.get_by_label("Your name").fill(name)
            await page.get_by_label("password").fill(PASSWORD)
            await page.get_by_role("button").last.click()
            await page.get_by_role("heading", name="Inbox").wait_for()
