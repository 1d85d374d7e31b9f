"""Beads side by side: where one is built while another one is, and how its commit comes after it.

The ticket's own tree is for one at a time. Whoever finds it taken builds in a copy. Only one of two
that began at the same commit is first; the change of the other one is put on top of it, and where
they do not go together that attempt has failed.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from interlock.worker.execution.job import Job
from interlock.worker.execution.order import Order
from interlock.worker.execution.report import Report, noted
from interlock.worker.workspace.locks import alone, taken
from interlock.worker.workspace.room import Site
from interlock.worker.workspace.tree import LOCKS, Tree
from interlock.worker.workspace.trouble import CommitFailed, MergeConflict

CODE: Final = "code"


@asynccontextmanager
async def place_of(site: Site, order: Order) -> AsyncIterator[Tree]:
    """Yield a tree that nobody else works in: the ticket's own, or a copy for a bead."""
    tree = site.tree(order.work.unit)
    lock = site.room / LOCKS / f"{order.work.unit}.work"
    held = taken(lock) if order.task == CODE and not order.finalise else None
    if held is not None:
        try:
            yield tree
        finally:
            os.close(held)
    elif order.task == CODE and not order.finalise:
        number = int(order.work.part.rpartition(".")[2])
        async with alone(lock.with_name(f"{lock.name}-{number}")):
            copy = tree.copy(number)
            try:
                yield copy
            finally:
                await copy.remove()
    else:
        async with alone(lock):
            yield tree


async def put_on(job: Job, report: Report, head: str) -> None:
    """Put the commit of a report on top of where the ticket is now; the report tells it."""
    try:
        message = job.order.message
        made = await job.tree.onto(head, report["commit"], message)
    except (MergeConflict, CommitFailed) as no:
        job.note(f"It does not go with what was built meanwhile: {no}")
        report |= {
            "status": "failed", "reason": "conflict", "commit": "", "note": noted(str(no)),
        }  # fmt: skip
        return
    job.note(f"Another bead was first: the commit is put on {head[:12]}.")
    report |= {"parent": head, "commit": made}
