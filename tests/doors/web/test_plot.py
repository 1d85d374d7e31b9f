"""Small plots: in range, with gaps where nothing was measured, and told in words."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from interlock.doors.web.plot import HEIGHT, WIDTH, plot


def _points(drawn: str) -> list[list[tuple[float, float]]]:
    lines = re.findall(r'<path d="M([^"Z]*)"', drawn)
    return [
        [(float(x), float(y)) for x, y in (at.split(",") for at in line.split("L"))]
        for line in lines
    ]


def test_a_line_is_drawn_and_said() -> None:
    drawn = plot([1, 4, 2], "Waiting", lambda value: f"{value:g} parts")

    assert 'aria-label="Waiting: 1 parts at first, 2 parts now, 4 parts at most."' in drawn
    assert _points(drawn) == [[(0, 23), (50, 2), (100, 16)]]
    assert drawn.count('class="area"') == 1


def test_where_nothing_was_measured_is_a_gap() -> None:
    drawn = plot([None, 1, 1, None, 3, None], "Waiting")

    assert [len(run) for run in _points(drawn)] == [2, 2]
    assert "1 at first, 3 now, 3 at most" in drawn


def test_nothing_measured_is_said() -> None:
    for values, said in (([], "Nothing measured yet"), ([None, None], "nothing to measure")):
        assert said in plot(values, "x")
        assert "<svg" not in plot(values, "x")


def test_a_label_is_text() -> None:
    assert "<b>" not in plot([1], '"><b>')


@given(st.lists(st.none() | st.floats(0, 1e12), max_size=50))
def test_every_plot_stays_in_its_frame(values: list[float | None]) -> None:
    for run in _points(plot(values, "x")):
        assert all(0 <= x <= 2 * WIDTH and 0 <= y <= HEIGHT for x, y in run)
        assert all(left[0] < right[0] for left, right in pairwise(run))
