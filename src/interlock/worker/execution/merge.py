"""A reviewed request is merged, once; what cannot be merged is told and changes nothing."""

from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report
from interlock.worker.forges.forge import ForgeFailed, NotMerged


async def merge(job: Job) -> Report:
    """Merge, or see that it is merged already."""
    try:
        done = await job.forge.merge(await job.tree.sealed(), job.order.request)
    except NotMerged as no:
        return {"merged": False, "reason": f"{no.reason}: {no.message}"}
    except ForgeFailed as no:
        return {"merged": False, "reason": no.message}
    report: Report = {"merged": True, **done._asdict()}
    if not report["warning"]:
        del report["warning"]
    return report
