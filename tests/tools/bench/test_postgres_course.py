"""The course on PostgreSQL: both sides write as many rows, and the floor is guarded like ours."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from tools.bench.course import Written
from tools.bench.disk import on_disk
from tools.bench.postgres_course import PostgresCourse, postgres_figures
from tools.bench.recording import record
from tools.bench.scale import QUICK
from tools.postgres.server import Server


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresCourse]:
    folder: Path = tmp_path_factory.mktemp("course")
    with (
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        Server(parent=on_disk()) as server,
    ):
        recording = runner.run(record(folder, QUICK.steps))
        yield PostgresCourse(folder, QUICK, runner, server, recording)


def test_both_sides_write_the_same_number_of_rows(course: PostgresCourse) -> None:
    assert course.written_by_floor().rows == course.written_by_us().rows == 10


def test_the_floor_works_as_the_app_on_a_durable_server(course: PostgresCourse) -> None:
    assert course.standing() == "interlock_app|t|on"


def test_a_floor_that_writes_less_is_no_floor(
    course: PostgresCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresCourse, "written_by_floor", lambda _: Written(9.0, 1.0))
    monkeypatch.setattr(PostgresCourse, "written_by_us", lambda _: Written(10.0, 1.0))

    with pytest.raises(AssertionError, match=r"the floor writes 9.0, we write 10.0"):
        postgres_figures(course)
