"""One attempt at a bead: a fresh tree, a fresh session, then our own judgement, then a commit.

Whatever comes of it is a report. What is tested is what is committed: the tree is looked at when
the agent has ended, and the tests run on exactly that. Only green tests that we ran ourselves
count, whatever the agent says of them.
"""

from typing import Final

from interlock.worker.agents.agent import INVALID_OUTPUT, TIMED_OUT, AgentFailed
from interlock.worker.execution.asking import Answer, ask
from interlock.worker.execution.commands import run_one, told_of
from interlock.worker.execution.job import Job
from interlock.worker.execution.report import DIFF_MAX, Report, fitted, noted
from interlock.worker.told import section
from interlock.worker.workspace.trouble import CommitFailed, ResetFailed

PASS: Final = "pass"  # noqa: S105 (a word, not a secret)
WHY: Final = {TIMED_OUT: "timed_out", INVALID_OUTPUT: "answer_invalid"}
"""What an agent's failure is called in a report; any other is that the agent has failed."""


class AttemptFailed(Exception):
    """An attempt has come to nothing: why, and what the next one should know."""

    def __init__(self, reason: str, note: str) -> None:
        """Keep both."""
        super().__init__(note)
        self.reason = reason
        self.note = note


async def code(job: Job) -> Report:
    """Try once; return the report of it."""
    order = job.order
    report: Report = {
        "bead_id": order.bead, "status": "failed", "reason": "", "note": "", "answer": {},
        "runs": [], "parent": order.head, "commit": "", "tree": "", "files": [], "diff": "",
        "diff_cut": False, "refused": [],
    }  # fmt: skip
    try:
        if not order.finalise:
            report["answer"] = dict(await _coded(job))
        await _looked_at(job, report)
        await _tested(job, report)
        await _committed(job, report)
        report["status"] = "done"
    except AttemptFailed as no:
        job.note(f"The attempt has failed ({no.reason}): {no.note}")
        report |= {"reason": no.reason, "note": noted(no.note)}
    return fitted(report)


async def _coded(job: Job) -> Answer:
    """Let the agent work in a tree that is as the bead begins; return what it answered."""
    try:
        await job.tree.fresh(job.order.head)
    except ResetFailed as no:
        raise AttemptFailed("reset_failed", str(no)) from no
    await job.mirror()
    try:
        answer = await ask(job)
    except AgentFailed as no:
        raise AttemptFailed(WHY.get(no.failure, "agent_failed"), no.message) from no
    except TimeoutError as no:
        note = f"There was no answer within {job.order.deadline_s:g} s."
        raise AttemptFailed("timed_out", note) from no
    _check(job, answer)
    return answer


def _check(job: Job, answer: Answer) -> None:
    """Raise where the agent itself says that it is not done, or speaks of something else."""
    if answer.get("bead_id") != job.order.bead:
        note = f"The answer was about {answer.get('bead_id')!r}; asked for was {job.order.bead!r}."
        raise AttemptFailed("wrong_bead", note)
    missed = [name for name, word in section(answer, "checks").items() if word != PASS]
    if answer.get("status") != "done" or missed:
        why = str(answer.get("reason") or answer.get("summary") or "no reason was given")
        told = f" Not passed: {', '.join(missed)}." if missed else ""
        raise AttemptFailed("not_done", f"The agent says that it is not done: {why}.{told}")


async def _looked_at(job: Job, report: Report) -> None:
    """See what was changed, and whether it may be committed."""
    try:
        look = await job.tree.look()
        report["files"] = [one.told() for one in look.files]
        report["refused"] = [one.told() for one in look.refused]
        report["tree"] = look.tree
        if look.tree:
            diff = await job.tree.diff(job.order.head, look.tree, DIFF_MAX)
            report |= {"diff": diff.text, "diff_cut": diff.is_cut}
    except CommitFailed as no:
        raise AttemptFailed("commit_failed", str(no)) from no
    if look.refused:
        told = "; ".join(f"{one['path'] or 'all'}: {one['why']}" for one in report["refused"])
        raise AttemptFailed("refused_content", f"This may not be committed: {told}")
    if job.order.finalise and look.tree != job.order.finalise:
        note = "What was green is not in the tree any more; it has to be coded again."
        raise AttemptFailed("not_done", note)
    if look.is_clean:
        raise AttemptFailed("nothing_changed", "Nothing was changed in the working tree.")


async def _tested(job: Job, report: Report) -> None:
    """Run the tests of the bead ourselves, in their order, until one is not green."""
    for command in job.order.tests:
        run = await run_one(job.place, command, job.until_s)
        report["runs"].append(run.told())
        job.note(f"{run.command!r} {run.ended()}.")
        if not run.is_green:
            reason = "timed_out" if run.timed_out else "tests_failed"
            raise AttemptFailed(reason, told_of(run, 1_500))


async def _committed(job: Job, report: Report) -> None:
    """Write a commit of what was tested; the branch moves to it when the server has taken it."""
    order = job.order
    try:
        report["commit"] = await job.tree.written(order.head, order.message, report["tree"])
    except CommitFailed as no:
        raise AttemptFailed("commit_failed", f"All is green, but not committed: {no}") from no
