"""The course of the MCP door: both servers run side by side, and are called in both ways."""

import asyncio
from pathlib import Path

import uvloop

from tools.bench.mcp_course import mcp_course, mcp_figures
from tools.bench.scale import QUICK


def test_both_servers_are_called_in_both_ways(tmp_path: Path) -> None:
    with (
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        mcp_course(tmp_path, QUICK, runner) as course,
    ):
        found = mcp_figures(course)

    assert [one.name for one in found] == [
        "MCP, an SDK client beside a tool that does nothing",
        "MCP, 2 plain connections beside such a tool",
    ]
    assert min(min(one.value, one.floor) for one in found) > 0
    assert [one.aim and one.aim.goal for one in found] == [0.65, None]
