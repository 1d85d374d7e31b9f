"""Beads that need nothing of each other are built at once, in one ticket, and come in one line."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from interlock.cli.demo import feature
from tests.execution.ground import open_ground
from tests.execution.proof import check_delivered
from tests.execution.test_run import decided

DELAY_S: Final = 2.0
"""How long the agent takes for each of two beads: longer than to take up the other one."""


def _apart() -> dict[str, Any]:
    """Return the script with a discount that needs no basket; a receipt needs both."""
    script = feature.script()
    said = script["members"][feature.MEMBER]
    for bead in said["beads/audit"]["answer"]["expansion"]:
        bead["blocked_by"] = ["basket-total", "discount"] if bead["id"] == "receipt" else []
    for key in ("code:basket-total#1", "code:discount#1"):
        said[key]["delay_s"] = DELAY_S
    return script


def test_beads_are_built_side_by_side(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    ground.tell(_apart())
    with ground.base.serving() as server, ground.working(server.url) as worker:
        name = asyncio.run(ground.begin(server.url, {"parallel_beads": 2}))
        told = asyncio.run(decided(ground, server.url, name))
        worker.terminate()
        worker.wait(30)

    assert told["phase"]["name"] == "COMPLETED", json.dumps(told.get("error"))
    moves = [
        one["target"] for one in ground.audit(name)
        if one["change"] == "move" and one["kind"] == "bead"
    ]  # fmt: skip
    assert moves[:2] == ["in_progress", "in_progress"], "two were begun before one was done"
    assert moves.count("done") == len(feature.BEADS)
    # The copies that they were built in are gone, and each has one commit on top of the other.
    check_delivered(ground, name)
