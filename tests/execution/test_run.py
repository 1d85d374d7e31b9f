"""A whole ticket from DRAFT to COMPLETED: a real server, a real worker, a scripted agent."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from interlock.cli.demo.person import Person
from interlock.client import Client
from tests.execution.ground import Ground, open_ground

PATIENCE_S: Final = 240


async def decided(ground: Ground, url: str, ticket: str, until: str = "") -> dict[str, Any]:
    """Be the person until the ticket has ended; return how it stands."""
    async with asyncio.timeout(PATIENCE_S), Client(url, ground.person) as client:
        return await Person(client.call, ticket).decide(until)


def test_a_ticket_is_built_from_its_draft_to_a_merged_feature(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    with ground.base.serving() as server, ground.working(server.url):
        name = asyncio.run(ground.begin(server.url))
        told = asyncio.run(decided(ground, server.url, name))

    assert told["phase"]["name"] == "COMPLETED", json.dumps(told.get("error"))
