"""What a worker that was killed has left: its work is ended at once, and not when its lease ends.

A bead goes back with a report that it was interrupted, which counts as an attempt; anything else is
given back. What has gone on meanwhile is refused by the server, and that is fine.
"""

import logging
from collections.abc import Mapping
from typing import Final

from interlock.errors import InterlockError
from interlock.worker.journal import Once
from interlock.worker.workspace.intents import Intent, Intents

BEAD: Final = "bead"
NOTE: Final = "The worker was ended in the middle of it; nothing of the attempt was kept."

log: Final = logging.getLogger("interlock.worker")


async def end_left(intents: Intents, once: Once) -> int:
    """End what is left; return how much it was. What cannot be told now is left for later."""
    ended = 0
    for intent in intents.left():
        try:
            await once(*_told(intent))
            log.info("%s was left by a worker that is gone: it is offered again", intent.part)
        except InterlockError as error:
            if error.retryable:
                log.warning("%s is left until its lease runs out: %s", intent.part, error.message)
                continue
        intents.end(intent.part)
        ended += 1
    return ended


def _told(intent: Intent) -> tuple[str, Mapping[str, object]]:
    held = {"part_id": intent.part, "lease": intent.lease}
    if intent.kind != BEAD:
        return "release_work", {**held, "note": NOTE}
    bead, _, head = intent.about.rpartition(" ")
    report = {
        "bead_id": bead, "status": "failed", "reason": "interrupted", "note": NOTE, "answer": {},
        "runs": [], "parent": head, "commit": "", "tree": "", "files": [], "diff": "",
        "diff_cut": False, "refused": [],
    }  # fmt: skip
    return "submit_work", {**held, "answer": report}
