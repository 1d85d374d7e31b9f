"""All commits of a ticket become one candidate on the merge base; the branch survives a failure."""

from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.report import DIFF_MAX, Report, fitted
from interlock.worker.workspace.trouble import CommitFailed, ResetFailed, SquashFailed


async def integrate(job: Job) -> Report:
    """Squash, from exactly where the ticket says that its branch is."""
    order = job.order
    try:
        await job.tree.fresh(order.head)
        made = await job.tree.squash(f"{order.ticket}: {order.title}", order.base_branch)
        diff = await job.tree.diff(made.merge_base, made.candidate, DIFF_MAX)
    except (ResetFailed, SquashFailed, CommitFailed) as no:
        raise CannotWork(f"The commits cannot be put together: {no}") from no
    return fitted({
        "candidate": made.candidate, "merge_base": made.merge_base, "before": made.before,
        "commits": made.commits, "files": [one.told() for one in diff.files],
        "diff": diff.text, "diff_cut": diff.is_cut,
    })  # fmt: skip
