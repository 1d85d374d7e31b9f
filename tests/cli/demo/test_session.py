"""A session of the demo: the real client, and what it makes of answers it did not expect."""

import asyncio
from pathlib import Path

import pytest

from interlock.cli.demo.serving import WentWrong
from interlock.cli.demo.session import LOST, Session, connected
from tests.doors.mcp.clients import serving
from tests.stage import new_plan


def test_a_session_calls_under_its_name_and_minds_what_it_is_told(tmp_path: Path) -> None:
    async def story(url: str, token: str) -> None:
        async with connected(url, token, "laptop") as session:
            made = await session.call("create_research_plan", **new_plan(1))
            plan = made["data"]["plan_id"]
            step = (await session.call("get_next_step", plan_id=plan))["data"]["step"]
            assert step["lease"]["holder"] == "laptop"
            await session.refused("get_plan_status", "NOT_FOUND", plan_id="plan-000000000000")
            await _minds(session, plan)

    with serving(tmp_path) as server:
        asyncio.run(story(server.url, server.token))


async def _minds(session: Session, plan: str) -> None:
    with pytest.raises(WentWrong, match=r"get_plan_status was refused for laptop: .*NOT_FOUND"):
        await session.call("get_plan_status", plan_id="plan-000000000000")
    with pytest.raises(WentWrong, match="should have been refused with NOT_FOUND"):
        await session.refused("get_plan_status", "NOT_FOUND", plan_id=plan)
    with pytest.raises(WentWrong, match="should have been refused with STALE_LEASE"):
        await session.refused("get_plan_status", "STALE_LEASE", plan_id="plan-000000000000")


def test_a_server_that_is_gone_is_a_lost_one(tmp_path: Path) -> None:
    async def story(url: str, token: str) -> None:
        async with connected(url, token, "laptop") as session:
            server.process.kill()
            server.process.wait()
            await session.call("ping")

    with serving(tmp_path) as server, pytest.raises(ExceptionGroup) as lost:
        asyncio.run(story(server.url, server.token))

    assert lost.group_contains(LOST)
