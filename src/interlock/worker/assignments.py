"""Assignments of tickets: what was claimed is asked of its member's agent, its answer handed in.

Whether an answer will do is said by the server, which also counts the refused ones: as long as it
lets us, the agent is asked anew, with what was wrong. What cannot be read at all is handed in, too,
so that it is kept and counted like any other answer.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.outside.marks import marks_around
from interlock.worker.agents.agent import (
    FAILED,
    INVALID_OUTPUT,
    NONE,
    READ,
    TIMED_OUT,
    TRANSIENT,
    Agent,
    AgentFailed,
    Said,
    Task,
)
from interlock.worker.journal import OURS, SAID, Journal, Once
from interlock.worker.told import section, text
from interlock.worker.tools import Retries
from interlock.worker.usage import Usage
from interlock.worker.work import HandIn, Work

ANSWER_INVALID: Final = "ANSWER_INVALID"
NOT_TAKEN: Final = frozenset({"INVALID_INPUT", "TOO_LARGE"})
"""What is said of an answer that no schema gets to see; the work would stay with us for nothing."""

UNREADABLE: Final = "unreadable"
"""The one field of what is handed in when no answer can be read; no schema has it."""

TRIES: Final = 3
"""How often an agent that may answer in a moment is asked at all."""

ECHO_MAX: Final = 50_000
REASON_MAX: Final = 2_000
TOLD_MAX: Final = 50
"""How many of the things that are wrong with an answer are told."""


Around = Callable[[str], tuple[Path | None, Path | None]]


class Assigned(NamedTuple):
    """A piece of work as the server told it: the name of an agent, and what is asked of it."""

    agent: str
    task: Task
    prompt: str


class Invalid(NamedTuple):
    """Why an answer was refused, and how many more may be handed in."""

    errors: tuple[str, ...]
    retries_left: int


@dataclass(frozen=True, slots=True)
class Held:
    """A piece of work that we hold: where it is handed in and told, and what it has cost so far."""

    hand_in: HandIn
    journal: Journal
    usage: Usage = field(default_factory=Usage)
    begun_s: float = field(default_factory=lambda: asyncio.get_running_loop().time())

    async def asked(self, agent: Agent, task: Task) -> Said:
        """Ask an agent, and count what that cost, answer or not."""
        try:
            said = await agent.run(task)
        except AgentFailed as failed:
            self.usage.add(failed.spent)
            raise
        self.usage.add(said)
        return said

    def spent(self) -> dict[str, object]:
        """Return what it has cost; a refused answer is not counted, so the next one tells all."""
        return self.usage.told(asyncio.get_running_loop().time() - self.begun_s)


class Assignments:
    """Runs assignments."""

    def __init__(
        self, agents: Mapping[str, Agent], once: Once, clock: Clock, retries: Retries,
        around: Around = lambda _: (None, None),
    ) -> None:  # fmt: skip
        """Ask these agents by their names; tell what happens through ``once``.

        ``around`` finds the working tree of a ticket and the home in it, if they are here.
        """
        self._agents = agents
        self._once = once
        self._clock = clock
        self._retries = retries
        self._around = around

    async def run(self, work: Work, hand_in: HandIn) -> str:
        """Ask the agent until an answer was accepted, or nothing more may be handed in."""
        assigned = assigned_of(work)
        secrets = tuple(key for one in self._agents.values() for key in one.secrets)
        async with Journal(self._once, work, self._clock, secrets) as journal:
            held = Held(hand_in, journal)
            try:
                agent = self._agent(assigned)
                journal.note(OURS, _begun(assigned))
                task = replace(assigned.task, hear=lambda line: journal.note(SAID, line))
                return await self._work(agent, self._placed(task), held)
            except AgentFailed as failed:
                return await _fail(failed, held)
            except TimeoutError:
                message = f"There was no answer within {assigned.task.deadline_s:g} s."
                return await _fail(AgentFailed(TIMED_OUT, message), held)

    def _placed(self, task: Task) -> Task:
        """Put a task where it can be done: who may look gets the tree, if it is here."""
        if task.reach == NONE:
            return task
        folder, home = self._around(task.unit)
        # Nothing is asked of assignments that changes a tree.
        return replace(task, folder=folder, home=home, reach=READ)

    def _agent(self, assigned: Assigned) -> Agent:
        """Return whom to ask; raises where there is nobody, or nothing to be asked."""
        agent = self._agents.get(assigned.agent)
        if not assigned.task.prompt:
            message = f"{assigned.task.name} has no prompt: it needs hands, and this asks models."
            raise AgentFailed(FAILED, message)
        if agent is None:
            known = ", ".join(sorted(self._agents))
            message = f"This worker has no agent {assigned.agent!r}; it has {known}."
            raise AgentFailed(FAILED, message)
        return agent

    async def _work(self, agent: Agent, first: Task, held: Held) -> str:
        journal = held.journal
        task = first
        while True:
            # One deadline for all answers together; what is handed in is not cut off by it.
            async with asyncio.timeout_at(held.begun_s + agent.limit_s(task)):
                answer, text = await self._answer(agent, task, held)
            await journal.flush()
            invalid = await _submit(held, answer)
            if invalid is None:
                return f"{task.name} by {task.member} done" + _after(task.rejected)
            journal.note(OURS, "The answer was refused: " + "; ".join(invalid.errors))
            if invalid.retries_left < 1:
                return f"{task.name} by {task.member} {INVALID_OUTPUT}{_after(task.rejected + 1)}"
            prompt = asked_again(first.prompt, invalid, text, self._clock.secret())
            task = replace(task, prompt=prompt, rejected=task.rejected + 1)

    async def _answer(
        self, agent: Agent, task: Task, held: Held
    ) -> tuple[Mapping[str, object], str]:
        """Return an answer and the text it was read from, readable or not."""
        journal = held.journal
        try:
            said = await self._said(agent, task, held)
        except AgentFailed as failed:
            if failed.failure != INVALID_OUTPUT:
                raise
            journal.note(SAID, failed.text)
            journal.note(OURS, f"No answer can be read: {failed.message}.")
            return {UNREADABLE: failed.text[:ECHO_MAX]}, failed.text
        journal.note(SAID, said.text)
        for warning in said.warnings:
            journal.note(OURS, f"About the form of the answer: {warning}.")
        journal.note(OURS, f"It took {said.tokens_in} tokens in and {said.tokens_out} out.")
        return said.answer, said.text

    async def _said(self, agent: Agent, task: Task, held: Held) -> Said:
        for attempt in range(1, TRIES):
            try:
                return await held.asked(agent, task)
            except AgentFailed as failed:
                if failed.failure != TRANSIENT:
                    raise
                held.journal.note(OURS, f"{failed.message} It is asked again.")
            limit_s = min(self._retries.first_s * 2 ** (attempt - 1), self._retries.most_s)
            await asyncio.sleep(self._clock.jitter(limit_s))
        return await held.asked(agent, task)


def assigned_of(work: Work) -> Assigned:
    """Read what is asked of whom from an assignment as it was handed out."""
    told, fields = work.told.get("task"), section(work.told, "fields")
    if not isinstance(told, Mapping):
        raise TypeError("the server does not say what is to be asked")
    member, prompt = section(told, "member"), section(told, "prompt")
    task = Task(
        role=text(told, "role"), task=text(told, "task"), domain=text(told, "domain"),
        member=text(member, "name"), model=text(member, "model"),
        prompt=text(prompt, "text"), schema=section(told, "schema"),
        deadline_s=float(text(told, "deadline_s") or 0), seed=text(told, "seed"),
        unit=work.unit, part=work.part, number=int(text(told, "number") or 0),
        rejected=int(text(told, "rejected") or text(fields, "rejected") or 0),
        reach=text(told, "reach") or NONE,
    )  # fmt: skip
    if not task.task or task.deadline_s <= 0:
        raise TypeError("the server does not say what is to be asked, or for how long")
    name = f"{text(prompt, 'name')} version {text(prompt, 'version')}"
    return Assigned(text(member, "agent"), task, name)


def _begun(assigned: Assigned) -> str:
    task = assigned.task
    model = f" with {task.model}" if task.model else ""
    return (
        f"{task.member} is asked for {task.name} as {task.role}, by {assigned.agent}{model}:"
        f" prompt {assigned.prompt}, {len(task.prompt):,} characters, {task.deadline_s:g} s."
    )


def _after(rejected: int) -> str:
    return f", {rejected} refused" if rejected else ""


async def _submit(held: Held, answer: Mapping[str, object]) -> Invalid | None:
    """Hand an answer in; return why it was refused, if it was and something can be done."""
    try:
        await held.hand_in("submit_work", {"answer": dict(answer), "usage": held.spent()})
    except InterlockError as error:
        if error.code in NOT_TAKEN:
            message = f"The server does not take the answer: {error.message}"
            raise AgentFailed(INVALID_OUTPUT, message) from error
        if error.code != ANSWER_INVALID:
            raise
        return invalid_of(error)
    return None


async def _fail(failed: AgentFailed, held: Held) -> str:
    reason = f"{failed.failure}: {failed.message}"
    held.journal.note(OURS, reason)
    await held.journal.flush()
    await held.hand_in("fail_work", {"reason": reason[:REASON_MAX], "usage": held.spent()})
    return reason


def invalid_of(error: InterlockError) -> Invalid:
    """Read what a server says is wrong with an answer, each with its place."""
    errors, left = (error.details.get(name) for name in ("errors", "retries_left"))
    told = tuple(
        f"{one.get('path', '$')}: expected {one.get('expected')}, found {one.get('found')}"
        for one in (errors if isinstance(errors, list | tuple) else ())
    )
    return Invalid(told[:TOLD_MAX] or (error.message,), left if isinstance(left, int) else 0)


def asked_again(prompt: str, invalid: Invalid, text: str, secret: str) -> str:
    """Return a prompt for a fresh try: what was wrong stands behind it, as data."""
    wrong, before = "\n".join(f"- {one}" for one in invalid.errors), text[:ECHO_MAX]
    marks = marks_around(secret, (wrong, before))
    return (
        f"{prompt.rstrip()}\n\n# An answer was refused\n\n"
        "You, or somebody in your place, have answered this before, and the answer does not fit."
        f" {marks.meaning}\n\nWhat is wrong, place by place:\n\n{marks.put(wrong)}\n\n"
        f"The answer that was refused:\n\n{marks.put(before)}\n\n"
        "Answer again, with the whole corrected JSON object and nothing else. Mend what is wrong,"
        " keep what was right.\n"
    )
