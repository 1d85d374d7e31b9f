"""The request to merge is opened: words by the implementer's agent, or by us where it has none."""

import asyncio
from collections.abc import Mapping
from typing import Final

from interlock.worker.agents.agent import AgentFailed
from interlock.worker.execution.asking import Answer, ask
from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.report import Report
from interlock.worker.execution.watch import remember
from interlock.worker.forges.forge import Draft, ForgeFailed
from interlock.worker.told import words
from interlock.worker.workspace.trouble import ResetFailed

TITLE_MAX: Final = 200
BODY_MAX: Final = 60_000
SECTIONS: Final[Mapping[str, str]] = {
    "summary": "Summary", "why": "Why", "what_changed": "What changed",
    "validation": "Validation", "follow_ups": "Follow-ups",
}  # fmt: skip


async def publish(job: Job) -> Report:
    """Open the request, or bring the one there is up to date."""
    order = job.order
    try:
        await job.tree.fresh(order.candidate)
        await job.mirror()
        answer = await ask(job)
    except (AgentFailed, ResetFailed, TimeoutError, CannotWork) as no:
        job.note(f"The words are ours: {no}")
        answer = {}
    title, body = _words(job, answer)
    draft = Draft(order.branch, order.base_branch, order.candidate, title, body)
    try:
        made = await job.forge.open(await job.tree.sealed(), draft)
    except ForgeFailed as no:
        raise CannotWork(no.message) from no
    await asyncio.to_thread(remember, job.tree, job.forge.kind, order.repository)
    told = {name: value for name, value in made._asdict().items() if name != "branch"}
    return {**told, "title": title, "body": body}


def _words(job: Job, answer: Answer) -> tuple[str, str]:
    """Return title and body; what an agent left out is said by us."""
    order = job.order
    title = " ".join(str(answer.get("title") or order.title or order.ticket).split())
    parts = [
        f"## {head}\n\n" + "\n".join(f"- {' '.join(one.split())}" for one in rows)
        for name, head in SECTIONS.items()
        if (rows := words(answer, name))
    ]
    parts = parts or [f"## Summary\n\n- {title}"]
    body = "\n\n".join((*parts, f"Ticket {order.ticket}, candidate {order.candidate}."))
    return title[:TITLE_MAX], body[:BODY_MAX]
