"""Missions from their proposal to their end over HTTP, their tools run by the worker beside."""

import asyncio
import json
from pathlib import Path
from typing import Final, cast

from interlock.app import open_app
from interlock.client import Client
from interlock.config import Settings
from interlock.kernel.rules import USER
from interlock.service.access import create_token
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.cli.test_up import document
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process
from tests.missions import asset, begin, build, design, execute
from tests.stage import ADA, PAT, Stage
from tests.worker.shop import PATIENCE_S

CHAIN: Final = [
    {
        "tool": "json_query",
        "parameter_mapping": {"value": {"asset": "{}.1"}, "path": {"literal": "[*]"}},
        "result_mapping": {"value": {"scratch": True}, "count": {"discard": True}},
    },
    {
        "tool": "json_query",
        "parameter_mapping": {"value": {"step": 1}, "path": {"literal": "[-1]"}},
        "result_mapping": {"value": {"asset": "{}.2"}, "count": {"discard": True}},
    },
]
"""Takes the numbers one by one, then the last of them."""


class Remote:
    """A server, spoken to as an agent and as a person, in the way of a stage."""

    def __init__(self, url: str, agent: str, person: str) -> None:
        self._tokens = {ADA.id: agent, PAT.id: person}
        self._url = url

    async def call(self, name: str, by: Principal = ADA, /, **arguments: object) -> Envelope:
        """Call a command over HTTP."""
        async with Client(self._url, self._tokens[by.id]) as client:
            return await client.call(name, arguments)


async def tokens(folder: Path) -> tuple[str, str]:
    """Make a token for an agent and one for a person."""
    async with open_app(Settings(folder)) as app:
        agent, _ = await create_token(app.engine, app.owner(), "agent")
        person, _ = await create_token(app.engine, app.owner(), "person", USER)
        return agent, person


async def story(remote: Remote) -> dict[str, object]:
    """Have a mission proposed, accepted, resolved and executed; return what it came to."""
    stage = cast("Stage", remote)
    mission = await begin(stage)
    await build(stage, mission, is_final=True)
    chain = json.loads(json.dumps(CHAIN).replace("{}", mission))
    await design(stage, mission, chain)
    await execute(stage, mission)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await remote.call("mission_context", mission_id=mission)
            if answer.status != "EXECUTING_HOP":
                return answer.data
            await asyncio.sleep(0.1)


def test_what_people_and_agents_have_agreed_on_is_run_to_its_end(tmp_path: Path) -> None:
    agent, person = asyncio.run(tokens(tmp_path))
    line = command(tmp_path, "up", "--json", "--port", "0")
    with Process(line, environment(), stdout=PIPE, stderr=PIPE) as up:
        try:
            url = str(document(up)["url"])
            data = asyncio.run(story(Remote(url, agent, person)))
        finally:
            up.kill()

    made = asset(data, "sum")
    assert (made["status"], made["content"]) == ("READY", 3)
