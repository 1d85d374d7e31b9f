"""The worker's hands: a piece of work in a ticket's tree is done, and what came of it reported.

Whatever it comes to is a report, which the server judges. A commit is written first, reported, and
only then the branch moves to it: what the server has not taken is nowhere. One piece of work at a
time is done in a tree, whoever does it (see ``beside``).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker.agents.agent import Agent
from interlock.worker.execution.beside import CODE, place_of, put_on
from interlock.worker.execution.check import check
from interlock.worker.execution.clean import clean
from interlock.worker.execution.code import code
from interlock.worker.execution.final_test import final_test
from interlock.worker.execution.init import init
from interlock.worker.execution.integrate import integrate
from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.merge import merge
from interlock.worker.execution.order import Order, order_of
from interlock.worker.execution.prepare import prepare
from interlock.worker.execution.publish import publish
from interlock.worker.execution.report import Report
from interlock.worker.execution.restore import restore
from interlock.worker.forges.chosen import forge_of
from interlock.worker.journal import OURS, Journal, Once
from interlock.worker.told import section
from interlock.worker.tools import Retries
from interlock.worker.work import CLAIMED, HandIn, Runner, Work, standing
from interlock.worker.workspace.intents import Intent, Intents
from interlock.worker.workspace.mirror import NotMirrored, documents_of, mirror, reader
from interlock.worker.workspace.room import Site
from interlock.worker.workspace.tree import Tree
from interlock.worker.workspace.trouble import CommitFailed, NoWorkspace

REASON_MAX: Final = 2_000
SLACK_S: Final = 60.0
"""How much longer a piece of work may take than what it is about: git, and what is told."""

TASKS: Final[Mapping[str, Callable[[Job], Awaitable[Report]]]] = {
    "init": init,
    "check": check,
    "prepare": prepare,
    "code": code,
    "test": final_test,
    "integrate": integrate,
    "publish": publish,
    "merge": merge,
    "clean": clean,
    "restore": restore,
}
"""Who does what. Whatever is not here is asked of a model, and no tree is changed by it."""


def by_task(asking: Runner, hands: Runner) -> Runner:
    """Return who runs work of tickets: hands what is done in a tree, a model all else.

    So a worker for everybody can ask for whatever comes next, and need not ask task by task.
    """

    async def run(work: Work, hand_in: HandIn) -> str:
        task = section(work.told, "task").get("task")
        return await (hands if task in TASKS else asking)(work, hand_in)

    return run


class Hands:
    """Does what is asked in the trees of one site."""

    def __init__(
        self,
        site: Site,
        intents: Intents,
        crew: Mapping[str, Agent],
        once: Once,
        clock: Clock,
        retries: Retries,
    ) -> None:
        """Work on a site, with these agents; tell what happens through ``once``."""
        self._site = site
        self._intents = intents
        self._crew = crew
        self._once = once
        self._clock = clock
        self._retries = retries

    async def run(self, work: Work, hand_in: HandIn) -> str:
        """Do what is asked and hand in what came of it; again while the server asks for more."""
        secrets = tuple(key for one in self._crew.values() for key in one.secrets)
        order = order_of(work)
        about = f"{order.bead} {order.head}"
        intent = Intent(work.part, work.lease, work.kind, work.unit, about)
        await asyncio.to_thread(self._intents.begin, intent)
        try:
            async with Journal(self._once, work, self._clock, secrets) as journal:
                how = await self._done(work, hand_in, journal)
        except asyncio.CancelledError:
            # Lost, or told to stop: who ends what is left finds out, and tells the server.
            raise
        except BaseException:
            await asyncio.to_thread(self._intents.end, work.part)
            raise
        await asyncio.to_thread(self._intents.end, work.part)
        return how

    async def _done(self, work: Work, hand_in: HandIn, journal: Journal) -> str:
        attempts = 0
        while True:
            order = order_of(work)
            attempts += 1
            try:
                how, is_more = await self._attempt(order, hand_in, journal)
            except (CannotWork, NoWorkspace) as no:
                return await _give_up(order, str(no), hand_in, journal)
            except TimeoutError:
                why = f"timed_out: it was not done within {order.deadline_s:g} s."
                return await _give_up(order, why, hand_in, journal)
            if not is_more:
                return f"{order.task} {how}"
            journal.note(OURS, f"Attempt {attempts} has failed; there is another one.")
            work = await self._again(work)

    async def _attempt(self, order: Order, hand_in: HandIn, journal: Journal) -> tuple[str, bool]:
        """Do it once; say how it went, and whether the server lets us try again."""
        limit_s = order.deadline_s + SLACK_S
        async with asyncio.timeout(limit_s), place_of(self._site, order) as tree:
            job = self._job(order, tree, journal)
            report = await TASKS[order.task](job)
            journal.note(OURS, f"{order.task}: {_short(report)}")
            await journal.flush()
            answer = await _submit(hand_in, job, report)
            commit = str(report.get("commit") or "")
            if commit and report.get("status") in ("done", "passed"):
                await _move(job, commit)
        return _short(report), standing(answer, order.work.kind) == CLAIMED

    def _job(self, order: Order, tree: Tree, journal: Journal) -> Job:
        return Job(
            order=order, site=self._site.id, tree=tree,
            forge=forge_of(order.forge, order.repository), agents=self._crew, journal=journal,
            clock=self._clock, retries=self._retries, mirror=self._mirror(order, tree.folder),
        )  # fmt: skip

    def _mirror(self, order: Order, folder: Path) -> Callable[[], Awaitable[None]]:
        """Return what puts the documents of a ticket into its tree."""

        async def mirrored() -> None:
            try:
                read = reader(self._once, order.work.unit)
                await mirror(folder, documents_of(order.work), read)
            except (NotMirrored, OSError) as no:
                message = f"The documents cannot be put into the working tree: {no}"
                raise CannotWork(message) from no

        return mirrored

    async def _again(self, work: Work) -> Work:
        """Return work that we still hold as it is asked now."""
        answer = await self._once("get_work_context", {"part_id": work.part})
        part = answer.data.get("part")
        assert isinstance(part, Mapping)  # noqa: S101 (we hold it)
        return work._replace(told=part)


async def _submit(hand_in: HandIn, job: Job, report: Report) -> Envelope:
    """Hand a report in; where another bead was first, once more on top of that."""
    while True:
        try:
            return await hand_in("submit_work", {"answer": report, "usage": job.spent()})
        except InterlockError as error:
            if error.code == "ANSWER_INVALID":
                # A report that the server cannot read is a mistake of ours, not of the agent's.
                message = f"The server does not take the report: {error.message}"
                raise CannotWork(message) from error
            head = str(error.details.get("head") or "")
            is_behind = error.code == "HEAD_MOVED" and head not in ("", report.get("parent"))
            if not (is_behind and report.get("commit") and job.order.task == CODE):
                raise
        await put_on(job, report, head)


async def _move(job: Job, commit: str) -> None:
    """Say that the tree stands at a commit that the server has taken."""
    try:
        await job.tree.move(job.order.head, commit)
    except CommitFailed as no:
        # The next one who works here puts the branch where the ticket stands.
        job.note(f"The branch was not moved: {no}")


async def _give_up(order: Order, why: str, hand_in: HandIn, journal: Journal) -> str:
    journal.note(OURS, why)
    await journal.flush()
    await hand_in("fail_work", {"reason": why[:REASON_MAX]})
    return f"{order.task}: {why}"


def _short(report: Report) -> str:
    """Tell a report in a few words."""
    for name in ("reason", "status", "candidate", "number", "merge_commit"):
        if report.get(name):
            return str(report[name])[:200]
    return "done"
