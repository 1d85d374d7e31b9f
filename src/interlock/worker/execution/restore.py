"""The tree is put back where the ticket stands, so that coding can go on after a failure.

Where an attempt was green and only its commit failed, the tree is looked at and left as it is.
"""

from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.report import Report
from interlock.worker.workspace.trouble import CommitFailed, ResetFailed


async def restore(job: Job) -> Report:
    """Reset to the head of the ticket, unless what lies there is to be finalised."""
    wanted = job.order.finalise
    try:
        if wanted and (await job.tree.look()).tree == wanted:
            job.note("What was green is still there: it is only to be committed.")
            return {"restored": True, "finalise": True}
        await job.tree.fresh(job.order.head)
    except (ResetFailed, CommitFailed) as no:
        raise CannotWork(f"The working tree cannot be restored: {no}") from no
    return {"restored": True, "finalise": False}
