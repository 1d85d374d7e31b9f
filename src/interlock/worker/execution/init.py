"""The start of a ticket: its vault and its tree are made, and what the repository has is listed."""

from collections.abc import Mapping
from typing import cast

from interlock.worker.execution.job import CannotWork, Job
from interlock.worker.execution.report import Report
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.listing import listing_of
from interlock.worker.workspace.mirror import FOLDER
from interlock.worker.workspace.origin import Origin, warnings_of
from interlock.worker.workspace.trouble import NoWorkspace


async def init(job: Job) -> Report:
    """Make the tree, or look at the one that is there; asked twice it is the same one."""
    order = job.order
    origin = Origin(order.repository, order.base_branch)
    try:
        base = await job.tree.make(origin)
        listing = await listing_of(job.vault, base)
    except NoWorkspace as no:
        raise CannotWork(str(no)) from no
    except GitFailed as failed:
        message = f"The files of the working tree cannot be listed: {failed.message}"
        raise CannotWork(message) from failed
    _check_free(listing)
    for warning in await warnings_of(origin):
        job.note(f"Take care: {warning}")
    count = len(cast("list[str]", listing["files"]))
    job.note(f"The tree is made: {job.tree.branch} at {base}, {count:,} files.")
    return {
        "site": job.site, "branch": job.tree.branch, "base_commit": base, "listing": listing,
    }  # fmt: skip


def _check_free(listing: Mapping[str, object]) -> None:
    """Raise where a repository has what would be overwritten, and committed, as ours."""
    files = cast("list[str]", listing["files"])
    if any(path.partition("/")[0] == FOLDER for path in files):
        message = (
            f"The repository keeps something in {FOLDER}, where documents of tickets are put into"
            " their working trees. Move it elsewhere, and retry."
        )
        raise CannotWork(message)
