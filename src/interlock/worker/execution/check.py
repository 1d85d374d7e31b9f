"""The check before coding: tree, agents and forge are looked at, and all that is wrong is told.

The server adds what only it knows (the graph of the beads, the approvals) and judges.
"""

import shutil
from collections.abc import Iterator
from typing import Final

from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report
from interlock.worker.forges.forge import ForgeFailed
from interlock.worker.told import words
from interlock.worker.workspace.trouble import CommitFailed

PASS: Final = "pass"  # noqa: S105 (a word, not a secret)
WARNING: Final = "warning"
FAIL: Final = "fail"
FREE_MIN: Final = 200_000_000
TOLD_MAX: Final = 5
MESSAGE_MAX: Final = 2_000

Check = dict[str, object]


async def check(job: Job) -> Report:
    """Look at everything; nothing is changed."""
    checks = [*await _tree(job), *_agents(job), await _forge(job), _disk(job)]
    for one in checks:
        job.note(f"{one['name']}: {one['result']}. {one['message']}")
    return {"checks": checks}


def _told(name: str, category: str, result: str, message: str) -> Check:
    return {"name": name, "category": category, "result": result, "message": message[:MESSAGE_MAX]}


async def _tree(job: Job) -> list[Check]:
    """Look whether the tree is there, stands where the ticket says, and holds nothing else."""
    try:
        look = await job.tree.look()
    except CommitFailed as no:
        return [_told("working tree", "workspace", FAIL, str(no))]
    found = [_told("working tree", "workspace", PASS, f"It is there, on {job.tree.branch}.")]
    if look.head != job.order.head:
        message = f"It stands at {look.head[:12] or 'nothing'}, not at {job.order.head[:12]}."
        found.append(_told("head", "workspace", FAIL, message))
    if look.is_clean:
        return [*found, _told("clean", "workspace", PASS, "Nothing is changed in it.")]
    paths = [*(one.path for one in look.files), *(one.path for one in look.refused)]
    more = f" and {len(paths) - TOLD_MAX} more" if len(paths) > TOLD_MAX else ""
    message = f"There are changes: {', '.join(paths[:TOLD_MAX])}{more}."
    return [*found, _told("clean", "workspace", FAIL, message)]


def _agents(job: Job) -> Iterator[Check]:
    """Look whether this worker has every agent that the members name."""
    for name in dict.fromkeys(words(job.order.told, "members")):
        if name in job.agents:
            yield _told(f"agent {name}", "agents", PASS, "This worker has it.")
        else:
            known = ", ".join(sorted(job.agents)) or "none"
            message = f"This worker does not have it; it has {known}."
            yield _told(f"agent {name}", "agents", FAIL, message)


async def _forge(job: Job) -> Check:
    name = f"forge {job.forge.kind}"
    try:
        return _told(name, "forge", PASS, await job.forge.check())
    except ForgeFailed as no:
        return _told(name, "forge", FAIL, no.message)


def _disk(job: Job) -> Check:
    free = shutil.disk_usage(job.vault.parent.parent).free
    result = PASS if free >= FREE_MIN else WARNING
    return _told("disk", "workspace", result, f"{free // 1_000_000:,} MB are free.")
