"""The pages in the benchmark: they are asked, and judged by the time that they may take."""

import asyncio
from pathlib import Path

from tools.bench.scale import QUICK
from tools.bench.web_course import BOARD_MS, UNIT_MS, web_figures


def test_pages_are_measured_in_milliseconds_of_what_they_may_take(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        board, searched, unit = web_figures(QUICK, runner, tmp_path)

    assert (board.floor, searched.floor, unit.floor) == (BOARD_MS, BOARD_MS, UNIT_MS)
    for one in (board, searched, unit):
        assert (one.unit, one.value > 0) == ("ms", True)
        assert one.aim is not None
        assert one.aim.is_ceiling
