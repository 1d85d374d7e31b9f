"""The start of a ticket: its vault and its tree are made, and what the repository has is listed."""

from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.report import Report
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.trouble import NoWorkspace


async def init(job: Job) -> Report:
    """Make the tree, or look at the one that is there; asked twice it is the same one."""
    order = job.order
    try:
        base = await job.tree.make(Origin(order.repository, order.base_branch))
    except NoWorkspace as no:
        raise CannotWork(str(no)) from no
    return {"site": job.site, "branch": job.tree.branch, "base_commit": base}
