"""What a killed worker has left is ended by the next one."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interlock.client.errors import Unreachable
from interlock.service.errors import NotFound
from interlock.wire.envelope import Envelope
from interlock.worker.execution.left import end_left
from interlock.worker.workspace.intents import Intent, Intents

HEAD = "a" * 40
BEAD = Intent("ticket-1.3", "1.4", "bead", "ticket-1", f"pears {HEAD}")
WORK = Intent("ticket-1.9", "1.2", "assignment", "ticket-1", " ")


def left(folder: Path, error: Exception | None = None) -> tuple[int, list[Any], tuple[Intent, ...]]:
    """Leave two pieces of work, and have them ended; return what was told and what is left."""
    told: list[Any] = []

    async def once(command: str, arguments: Mapping[str, object]) -> Envelope:
        told.append((command, arguments))
        if error is not None:
            raise error
        return Envelope(status="ok")

    with Intents(folder, "worker-1") as dead:
        dead.begin(BEAD)
        dead.begin(WORK)
    with Intents(folder, "worker-2") as intents:
        return asyncio.run(end_left(intents, once)), told, intents.left()


def test_a_bead_was_interrupted_and_anything_else_is_given_back(tmp_path: Path) -> None:
    count, told, rest = left(tmp_path)

    assert (count, rest) == (2, ())
    (bead, report), (other, given) = told
    assert (bead, other) == ("submit_work", "release_work")
    assert (report["part_id"], report["lease"]) == ("ticket-1.3", "1.4")
    answer = report["answer"]
    assert (answer["bead_id"], answer["parent"]) == ("pears", HEAD)
    assert (answer["status"], answer["reason"]) == ("failed", "interrupted")
    assert (given["part_id"], given["lease"]) == ("ticket-1.9", "1.2")


def test_what_has_gone_on_meanwhile_is_forgotten(tmp_path: Path) -> None:
    count, told, rest = left(tmp_path, NotFound("ticket-1.3"))

    assert (count, len(told), rest) == (2, 2, ())


def test_what_cannot_be_told_now_is_kept(tmp_path: Path) -> None:
    count, told, rest = left(tmp_path, Unreachable("away"))

    assert (count, len(told)) == (0, 2)
    assert [one._replace(owner="") for one in rest] == [BEAD, WORK]
