"""Instants: right without a script, and the same attribute for one."""

import pytest
from jinja2 import Environment

from interlock.clock import span
from interlock.doors.web import moments

NOON = 1_767_268_800_000  # 2026-01-01 12:00 UTC


@pytest.mark.parametrize(
    ("passed_s", "said"),
    [(0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"),
     (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 d ago"), (-5, "just now")],
)  # fmt: skip
def test_how_long_ago(passed_s: int, said: str) -> None:
    assert moments.past(passed_s * 1000) == said


def test_a_moment_is_told_in_utc_with_what_a_script_needs() -> None:
    pages = Environment(autoescape=True)
    pages.filters["ago"] = moments.ago
    page = pages.from_string("{{ at | ago }}").render(at=NOON, now=NOON + 120_000)

    assert page == '<time class="ago" datetime="2026-01-01T12:00:00.000Z">2 min ago</time>'
    assert "2026-01-01 12:00 UTC" in moments.moment(NOON)
    assert ">12:00<" in moments.clock(NOON)
    assert (moments.moment(None), moments.clock(None)) == ("", "")


def test_a_span_is_told_in_its_largest_unit() -> None:
    assert [span(ms) for ms in (900, 61_000, 7_200_000, 200_000_000)] == [
        "0 s", "1 min", "2 h", "2 d",
    ]  # fmt: skip
