"""The course on SQLite: rows are equal before anything is timed, and every figure is there."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from tools.bench.course import Written
from tools.bench.scale import QUICK
from tools.bench.sqlite_course import SqliteCourse, sqlite_figures


@pytest.fixture
def course(tmp_path: Path) -> Iterator[SqliteCourse]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        yield SqliteCourse(tmp_path, QUICK, runner)


def test_both_sides_write_the_same_number_of_rows(course: SqliteCourse) -> None:
    floor, ours = course.written_by_floor(), course.written_by_us()

    # The first step also starts the plan and the last one ends it: an entry more each.
    assert floor.rows == ours.rows == 10 + 2 / QUICK.steps
    assert min(floor.bytes, ours.bytes) > 0


def test_every_figure_is_there(course: SqliteCourse) -> None:
    figures, facts = sqlite_figures(course)

    assert [one.name for one in figures] == [
        "SQLite, 1 plan beside a loop on sqlite3",
        "SQLite, 1 plan beside a loop on apsw",
        "SQLite, 3 plans beside a loop on sqlite3",
        "SQLite, 3 plans beside a loop on apsw",
        "SQLite, submit and claim in one commit",
        "SQLite, plan of 8 steps beside 2",
        "SQLite, bytes a step",
        "SQLite, commits of the loop beside fsyncs",
    ]
    assert {one.verdict for one in figures} <= {"", "missed", "unclear", "reached", "moonshot"}
    assert set(facts) == {
        "version", "version_of_sqlite3", "floor_sql_sha256", "rows_per_step", "fsyncs_per_s",
        "fsyncs_per_s_of_rounds",
    }  # fmt: skip


def test_a_floor_that_writes_less_is_no_floor(
    course: SqliteCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteCourse, "written_by_floor", lambda _: Written(9.0, 1.0))

    with pytest.raises(AssertionError, match=r"the floor writes 9.0"):
        sqlite_figures(course)


def test_a_floor_that_hashes_something_else_is_noticed(course: SqliteCourse) -> None:
    course.todo = course.todo[:-1]

    with pytest.raises(AssertionError, match="hash"):
        course.floor()
