"""The workspace is prepared: the approved commands run, the probes must pass, nothing is left.

From the second attempt on the implementer's agent is asked which commands are missing; they run
before those of the plan, and are reported as added.
"""

from collections.abc import Sequence
from typing import Final

from interlock.worker.agents.agent import AgentFailed
from interlock.worker.execution.asking import ask
from interlock.worker.execution.commands import run_one, told_of
from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report, fitted, noted
from interlock.worker.told import rows, section, words
from interlock.worker.workspace.trouble import CommitFailed, ResetFailed

DIRTY_MAX: Final = 200
NAMED_MAX: Final = 20


async def prepare(job: Job) -> Report:
    """Try once; return the report of it."""
    report: Report = {"status": "failed", "runs": [], "added": [], "dirty": [], "note": ""}
    try:
        await job.tree.fresh(job.order.head)
        await job.mirror()
        if job.order.number > 1:
            report["added"] = [*await _more(job)]
        note = await _run(job, report)
    except (ResetFailed, CommitFailed) as no:
        note = f"The working tree cannot be used: {no}"
    except TimeoutError:
        note = f"It took longer than {job.order.deadline_s:g} s."
    report |= {"status": "failed" if note else "ready", "note": noted(note)}
    if note:
        job.note(f"The workspace is not ready: {note}")
    return fitted(report)


async def _more(job: Job) -> tuple[str, ...]:
    """Ask which commands are missing; without an answer those of the plan are tried again."""
    try:
        return words(await ask(job), "commands")
    except AgentFailed as failed:
        job.note(f"Nobody says what is missing: {failed.message}")
        return ()


async def _run(job: Job, report: Report) -> str:
    """Run everything in its order; return what is wrong, or nothing."""
    plan = section(job.order.told, "plan")
    wrong = await _commands(job, report, report["added"])
    for step in rows(plan, "steps"):
        found = await _commands(job, report, words(step, "commands"))
        if found and step.get("required", True):
            wrong.append(found[0])
            break
    for probe in rows(plan, "probes"):
        wrong += await _commands(job, report, (str(probe.get("command", "")),))
    look = await job.tree.look()
    dirty = [*(one.path for one in look.files), *(one.path for one in look.refused)]
    report["dirty"] = dirty[:DIRTY_MAX]
    if dirty:
        named = ", ".join(dirty[:NAMED_MAX])
        wrong.append(f"This would be committed, and may not be left: {named}.")
    return "\n".join(wrong)


async def _commands(job: Job, report: Report, commands: Sequence[str]) -> list[str]:
    """Run commands until one is not green; return what went wrong with it, if one was not."""
    for command in commands:
        run = await run_one(job.place, command, job.until_s)
        report["runs"].append(run.told())
        job.note(f"{run.command!r} {run.ended()}.")
        if not run.is_green:
            return [told_of(run)]
    return []
