"""The door over standard input and output: real processes, real clients."""

import asyncio
import json
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import ResourceUpdatedNotification

from interlock.config import SQLITE_NAME
from interlock.doors.mcp.tools import toolset
from tests.cli.home import Home
from tests.doors.mcp.clients import ERAS, called, command, environment, over_stdio, refused
from tests.stage import new_plan

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize("mode", ERAS)
def test_a_plan_made_over_stdio_is_gone_on_with_by_the_next_process(
    tmp_path: Path, mode: str
) -> None:
    async def story() -> None:
        async with over_stdio(tmp_path, mode=mode) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert listed == [tool.name for tool in toolset("research").tools]
            made = await called(client, "create_research_plan", **new_plan(2))
            plan = made["data"]["plan_id"]
            await called(client, "get_next_step", plan_id=plan, session_id="one")
        async with over_stdio(tmp_path, "--toolset", "all", mode=mode) as client:
            told = await called(client, "get_next_step", plan_id=plan)
            assert told["data"]["step"]["step_id"] == f"{plan}.2"

    asyncio.run(story())


def test_it_acts_as_an_agent_never_as_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    person = home.told("token", "create", "pat", "--kind", "user")
    worker = home.told("token", "create", "hand", "--kind", "worker")

    async def ping(token: str) -> dict[str, Any]:
        client = over_stdio(tmp_path)
        if token:
            client.server.env["INTERLOCK_TOKEN"] = token  # type: ignore[union-attr, index] # it is ours
        async with client:
            return dict((await called(client, "ping"))["data"])

    plain = asyncio.run(ping(""))
    relayed = asyncio.run(ping(str(person["token"])))
    working = asyncio.run(ping(str(worker["token"])))

    assert plain["id"] == "local"
    assert (plain["kind"], plain["tenant"], plain["on_behalf_of"]) == ("agent", "local", "owner")
    assert (relayed["kind"], relayed["on_behalf_of"]) == ("agent", "owner")
    assert (working["kind"], working["id"]) == ("worker", worker["token_id"])
    for told in (plain, relayed, working):
        assert told["scopes"] == ["read", "work"]


def test_nothing_but_the_protocol_goes_to_standard_output(tmp_path: Path) -> None:
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                    "params": {"name": name, "arguments": {}, "_meta": META}})
        for number, name in enumerate(("ping", "nope", "get_next_step", "list_units"))
    ]  # fmt: skip
    done = subprocess.run(
        command(tmp_path, "mcp", "--toolset", "all"), input="\n".join([*lines, "rubbish", ""]),
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert {answer["id"] for answer in answers} == {0, 1, 2, 3, None}
    assert len(answers) == 5


def test_who_subscribes_over_a_lasting_connection_is_told_of_changes(tmp_path: Path) -> None:
    async def story() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()

        async def hear(message: object) -> None:
            if isinstance(message, ResourceUpdatedNotification):
                told.put_nowait(str(message.params.uri))

        client = over_stdio(tmp_path, mode="legacy")
        client.message_handler = hear
        async with asyncio.timeout(60), client, over_stdio(tmp_path) as other:
            made = await called(client, "create_research_plan", **new_plan(2))
            plan = made["data"]["plan_id"]
            # Only the newest revision has no subscriptions any more; this connection is older.
            with pytest.warns(MCPDeprecationWarning):
                await client.subscribe_resource(f"interlock://unit/{plan}")  # type: ignore[deprecated] # as said
            await called(other, "get_next_step", plan_id=plan)
            assert await told.get() == f"interlock://unit/{plan}"
            with pytest.warns(MCPDeprecationWarning):
                await client.unsubscribe_resource(f"interlock://unit/{plan}")  # type: ignore[deprecated] # same

    asyncio.run(story())


def test_every_call_but_ping_is_in_the_log_of_calls(tmp_path: Path) -> None:
    async def story() -> None:
        async with over_stdio(tmp_path) as client:
            await called(client, "ping")
            await called(client, "create_research_plan", sessionId="s1", **new_plan(1))
            await refused(client, "get_plan_status", plan_id="nope")

    asyncio.run(story())

    with closing(apsw.Connection(str(tmp_path / SQLITE_NAME))) as file:
        rows = list(
            file.execute("SELECT tool, channel, session, failed FROM calls ORDER BY at, id")
        )
    assert sorted(rows) == [
        ("create_research_plan", "mcp", "s1", 0), ("get_plan_status", "mcp", "", 1),
    ]  # fmt: skip
