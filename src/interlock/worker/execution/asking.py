"""An agent is asked within a piece of work: in a fresh session, in the tree, until it fits.

The answer is checked here by the schema that the server sent, because what follows is done by our
own hands and reported with it. What it says about its work is not believed, only read.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interlock.ticketing.answer import wrong_with
from interlock.worker.agents.agent import (
    INVALID_OUTPUT,
    TRANSIENT,
    Agent,
    AgentFailed,
    Said,
    Task,
)
from interlock.worker.assignments import TRIES, Invalid, asked_again, assigned_of
from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.journal import SAID

Answer = Mapping[str, Any]


async def ask(job: Job) -> Answer:
    """Return an answer that fits its schema; raises ``AgentFailed`` or ``TimeoutError``."""
    assigned = assigned_of(job.order.work)
    agent = job.agents.get(assigned.agent)
    if agent is None or not assigned.task.prompt:
        raise CannotWork(f"This worker has no agent {assigned.agent!r} for {job.order.task}.")
    first = replace(
        assigned.task, folder=job.tree.folder, home=job.tree.home, about=job.order.bead,
        number=job.order.number, rejected=0, hear=lambda line: job.journal.note(SAID, line),
    )  # fmt: skip
    job.note(f"{first.member} is asked for {first.name}, attempt {first.number}.")
    async with asyncio.timeout_at(job.until_s):
        return await _mended(job, agent, first)


async def _mended(job: Job, agent: Agent, first: Task) -> Answer:
    """Ask again while an answer does not fit and may be mended."""
    retries = int(job.order.told.get("structured_retries", 1))
    task = first
    while True:
        try:
            said = await _patiently(job, agent, task)
            text, wrong = said.text, wrong_with(task.schema, said.answer)
            errors = tuple(
                f"{one.path}: expected {one.expected}, found {one.found}" for one in wrong
            )
            if not errors:
                return said.answer
        except AgentFailed as failed:
            if failed.failure != INVALID_OUTPUT:
                raise
            text, errors = failed.text, (failed.message,)
        job.note("The answer does not fit: " + "; ".join(errors))
        if task.rejected >= retries:
            raise AgentFailed(INVALID_OUTPUT, "; ".join(errors), text)
        invalid = Invalid(errors, retries - task.rejected)
        prompt = asked_again(first.prompt, invalid, text, job.clock.secret())
        task = replace(task, prompt=prompt, rejected=task.rejected + 1)


async def _patiently(job: Job, agent: Agent, task: Task) -> Said:
    """Ask an agent that may answer in a moment several times."""
    for attempt in range(TRIES):
        try:
            said = await agent.run(task)
        except AgentFailed as failed:
            job.usage.add(failed.spent)
            if failed.text:
                job.journal.note(SAID, failed.text)
            if failed.failure != TRANSIENT or attempt == TRIES - 1:
                raise
            job.note(f"{failed.message} It is asked again.")
            limit_s = min(job.retries.first_s * 2**attempt, job.retries.most_s)
            await asyncio.sleep(job.clock.jitter(limit_s))
        else:
            job.journal.note(SAID, said.text)
            job.usage.add(said)
            return said
    raise AssertionError  # pragma: no cover (the last time returns or raises)
