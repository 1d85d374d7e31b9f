"""Who calls in the benchmark: both kinds play a plan to its end, and neither passes over a no."""

import asyncio
import logging
from contextlib import closing
from pathlib import Path

import pytest

from tests.doors.mcp.clients import Serving, serving
from tools.bench.mcp_callers import NOWHERE, Plain, begun, sdk_seconds
from tools.bench.serving import started

STEPS = 3


def _status(server: Serving, plan: str) -> str:
    with closing(Plain(server.port, server.token)) as caller:
        return str(caller.call(("get_plan_status", {"plan_id": plan}))["status"])


def test_both_play_a_plan_to_its_end_and_mind_a_refusal(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        plain, sdk = (begun(server.port, server.token, STEPS) for _ in range(2))
        with closing(Plain(server.port, server.token)) as caller:
            caller.play(plain, STEPS)
            with pytest.raises(AssertionError, match="NOT_FOUND"):
                caller.play("plan-000000000000", 1)
        took = asyncio.run(sdk_seconds(server.port, server.token, sdk, STEPS))
        with pytest.raises(ExceptionGroup) as no:
            asyncio.run(sdk_seconds(server.port, server.token, "plan-000000000000", 1))

        assert took > 0
        assert no.group_contains(AssertionError, match="NOT_FOUND")
        assert [_status(server, plan) for plan in (plain, sdk)] == ["completed"] * 2


def test_both_can_do_nothing_at_the_floor_without_a_complaint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING), started("tools.bench.mcp_floor") as (port, _):
        with closing(Plain(port, "any")) as caller:
            caller.play(NOWHERE, STEPS)
        asyncio.run(sdk_seconds(port, "any", NOWHERE, STEPS))

    # A tool that is not listed is looked up before every call: the floor would look slow.
    assert not caplog.records
