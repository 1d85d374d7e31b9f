"""What a ticket leaves behind on this machine is tidied up; code and evidence stay for a while."""

import asyncio
from pathlib import Path
from typing import Final

from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report
from interlock.worker.workspace.removal import remove

TRANSIENT: Final = ("runtime", "home", "trees")
"""Of no use once a ticket has ended: homes of agents, copies for parallel work, scratch."""

KEPT: Final = ("vault.git", "tree")


async def clean(job: Job) -> Report:
    """Remove what is transient; what cannot be removed is told, and hinders nobody."""
    return await asyncio.to_thread(_clean, job.tree.folder.parent)


def _clean(room: Path) -> Report:
    removed: list[str] = []
    errors: list[str] = []
    for name in TRANSIENT:
        path = room / name
        if not path.exists():
            continue
        try:
            remove(path)
            removed.append(name)
        except OSError as no:
            errors.append(f"{name}: {no.strerror or no}")
    kept = [name for name in KEPT if (room / name).exists()]
    status = "warning" if errors else "clean"
    return {"status": status, "removed": removed, "kept": kept, "errors": errors}
