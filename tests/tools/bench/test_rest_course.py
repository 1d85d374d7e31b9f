"""The REST door in the benchmark: it runs, and every reader hears of every call."""

import asyncio
from pathlib import Path

from tools.bench.mcp_course import mcp_course
from tools.bench.rest_course import rest_figures
from tools.bench.scale import QUICK


def test_calls_and_streams_are_measured(tmp_path: Path) -> None:
    with asyncio.Runner() as runner, mcp_course(tmp_path, QUICK, runner) as course:
        calls, watched, events = rest_figures(course, tmp_path)

    assert (calls.unit, watched.unit, events.unit) == ("calls/s", "calls/s", "events/s")
    assert all(one.value > 0 and one.aim is None for one in (calls, watched, events))
    assert events.value >= watched.value
