"""A real server whose wall clock jumps by years while it runs: it works on as if nothing had been."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import pytest

from interlock.client import Client
from tests.clocks.hands import Hands, around
from tests.doors.mcp.clients import command, environment
from tests.native import lacks_compiler
from tests.serving.farm import Base
from tests.stage import new_plan

pytestmark = pytest.mark.skipif(bool(lacks_compiler()), reason=f"lacks {lacks_compiler()}")

YEAR_S: Final = 366 * 86_400
JUMPS_S: Final = (1, -3_600, 86_400, 10 * YEAR_S, -20 * YEAR_S, 10 * YEAR_S)


@contextmanager
def serving(folder: Path, hands: Hands) -> Iterator[str]:
    """Have a server with a clock that can be set; a process from nothing, or it would have ours."""
    line = command(folder, "serve", "--port", "0")
    told = environment() | around() | {"WALL_HANDS": str(hands.path)}
    with subprocess.Popen(line, env=told, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            assert "serves at" in said, [said, *process.stderr]
            yield said.rpartition(" ")[2].strip()
        finally:
            process.kill()


async def work(client: Client) -> str:
    """Make a plan, do its only step, and return where it stands."""
    plan = (await client.call("create_research_plan", new_plan(1))).data["plan_id"]
    return await hand_in(client, await claim(client, plan))


async def claim(client: Client, plan: object) -> dict[str, object]:
    """Take the next step; return what hands it in."""
    told = cast("dict[str, Any]", (await client.call("get_next_step", {"plan_id": plan})).data)
    step = told["step"]
    return {"step_id": step["step_id"], "result_summary": "x", "lease": step["lease"]["token"]}


async def hand_in(client: Client, done: dict[str, object]) -> str:
    """Hand a step in; return where its plan stands."""
    return str((await client.call("submit_step_result", done)).status)


def test_whatever_the_clock_does_work_goes_on_and_nothing_lapses(tmp_path: Path) -> None:
    hands, base = Hands(tmp_path / "hands"), Base(tmp_path / "data")

    async def story(url: str, token: str) -> None:
        async with Client(url, token) as client:
            held = (await client.call("create_research_plan", new_plan(1))).data["plan_id"]
            mine = await claim(client, held)
            for seconds in JUMPS_S:
                hands.jump(seconds)
                assert await work(client) == "completed"
            hands.freeze()
            assert await work(client) == "completed"
            assert await hand_in(client, mine) == "completed"

    token = asyncio.run(base.token("agent"))
    with serving(base.folder, hands) as url:
        asyncio.run(story(url, token))
