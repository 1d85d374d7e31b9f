"""A whole ticket from DRAFT to COMPLETED: a real server, a real worker, a scripted agent."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from interlock.cli.demo.person import Person
from interlock.client import Client
from tests.execution.ground import Ground, open_ground
from tests.execution.proof import beads_of, check_delivered

PATIENCE_S: Final = 240
COURSE: Final = (
    "PRE_FLIGHT_CHECK", *("WAITING_EXECUTION_SETUP_APPROVAL",) * 2, "PREPARING_EXECUTION_ENV",
    *("CODING",) * 4, "RUNNING_FINAL_TEST", "INTEGRATING_CHANGES", "CREATING_PULL_REQUEST",
    "WAITING_PR_REVIEW", "CLEANING_ENV", "COMPLETED",
)  # fmt: skip


async def decided(ground: Ground, url: str, ticket: str, until: str = "") -> dict[str, Any]:
    """Be the person until the ticket has ended; return how it stands."""
    async with asyncio.timeout(PATIENCE_S), Client(url, ground.person) as client:
        return await Person(client.call, ticket).decide(until)


def phases_of(audit: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the phases that a ticket went through, each once for every stay."""
    return tuple(
        one["target"] for one in audit if one["change"] == "move" and one.get("unit")
    )  # fmt: skip


def test_a_ticket_is_built_from_its_draft_to_a_merged_feature(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    with ground.base.serving() as server, ground.working(server.url) as worker:
        name = asyncio.run(ground.begin(server.url))
        told = asyncio.run(decided(ground, server.url, name))
        worker.terminate()
        worker.wait(30)

    assert told["phase"]["name"] == "COMPLETED", json.dumps(told.get("error"))
    phases = phases_of(ground.audit(name))
    assert phases[phases.index(COURSE[0]) :] == COURSE
    notes = [[note["reason"] for note in one["notes"]] for one in beads_of(ground, name)]
    assert notes == [[], ["tests_failed"], []], "one was wrong at first"
    check_delivered(ground, name)
