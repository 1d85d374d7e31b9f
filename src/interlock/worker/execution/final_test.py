"""The final test: the implementer mends tests and code and names commands; we run them.

Each attempt begins with the tree as the beads have left it. What the agent calls temporary is
removed before anything is committed; commands that leave files behind do not add them to it.
"""

import asyncio
from pathlib import Path

from interlock.worker.agents.agent import AgentFailed
from interlock.worker.execution.asking import Answer, ask
from interlock.worker.execution.commands import run_one, told_of
from interlock.worker.execution.job import Job
from interlock.worker.execution.report import DIFF_MAX, Report, fitted, noted
from interlock.worker.told import rows, words
from interlock.worker.workspace.removal import remove
from interlock.worker.workspace.trouble import CommitFailed, ResetFailed


async def final_test(job: Job) -> Report:
    """Try once; return the report of it."""
    report: Report = {
        "status": "failed", "answer": {}, "runs": [], "parent": job.order.head, "commit": "",
        "files": [], "diff": "", "diff_cut": False, "note": "",
    }  # fmt: skip
    note = await _attempt(job, report)
    report |= {"status": "failed" if note else "passed", "note": noted(note)}
    if note:
        job.note(f"The final test has failed: {note}")
    return fitted(report)


async def _attempt(job: Job, report: Report) -> str:
    """Return what is wrong, or nothing."""
    try:
        await job.tree.fresh(job.order.head)
        await job.mirror()
        answer = await ask(job)
        report["answer"] = dict(answer)
        await asyncio.to_thread(_tidy, job.tree.folder, answer)
        tree = await _looked_at(job, report)
        if not tree:
            return "This may not be committed: " + "; ".join(report.pop("refused"))
        note = await _tested(job, report, words(answer, "commands"))
        if note or not report["files"]:
            return note
        message = f"test({job.order.ticket}): {answer.get('summary') or 'the final test'}"
        report["commit"] = await job.tree.written(job.order.head, message[:200], tree)
    except AgentFailed as no:
        return f"{no.failure}: {no.message}"
    except TimeoutError:
        return f"There was no answer within {job.order.deadline_s:g} s."
    except (ResetFailed, CommitFailed) as no:
        return f"The working tree cannot be used: {no}"
    return ""


def _tidy(folder: Path, answer: Answer) -> None:
    """Remove what the agent calls temporary, if it lies in the tree."""
    for effect in rows(answer, "file_effects"):
        path = Path(str(effect.get("path", "")))
        is_within = not path.is_absolute() and ".." not in path.parts and path.parts
        if effect.get("intent") == "temporary" and is_within:
            around = (folder / path).parent.resolve()
            if around.is_relative_to(folder.resolve()):
                remove(around / path.name)


async def _looked_at(job: Job, report: Report) -> str:
    look = await job.tree.look()
    report["files"] = [one.told() for one in look.files]
    if look.refused:
        report["refused"] = [f"{one.path}: {one.why}" for one in look.refused]
        return ""
    if look.files:
        diff = await job.tree.diff(job.order.head, look.tree, DIFF_MAX)
        report |= {"diff": diff.text, "diff_cut": diff.is_cut}
    return look.tree


async def _tested(job: Job, report: Report, commands: tuple[str, ...]) -> str:
    """Run the commands that were named; none at all is no test."""
    if not commands:
        return "No command was named that tests anything."
    for command in commands:
        run = await run_one(job.place, command, job.until_s)
        report["runs"].append(run.told())
        job.note(f"{run.command!r} {run.ended()}.")
        if not run.is_green:
            return told_of(run, 1_500)
    return ""
