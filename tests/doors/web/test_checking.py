"""Checks beside the server: one at a time, ended in time, told as they are; findings are drawn."""

import asyncio
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from interlock.doors.web import checking
from interlock.doors.web.checking import NICENESS, Check, Checks, bounds_of, picture
from interlock.service.engine import Running, running
from interlock.workflows.built_in import WORKFLOWS

STEP = WORKFLOWS["plan"].parts[0].name
T = TypeVar("T")

TRACE = [
    {"actor": "agent", "event": "claim", "part": "", "note": "", "after": "executing"},
    {"actor": "agent", "event": "claim", "part": "", "note": "", "after": "executing"},
    {"actor": "clock", "event": "lapse", "part": "", "note": "", "after": "stalled"},
    {"actor": "person", "event": "no", "part": "", "note": "", "after": "✕"},
]


def _plan() -> Running:
    return running(WORKFLOWS)["plan"]


async def _ended(checks: Checks, most: int) -> Check:
    check = checks.begin(_plan(), most, 5)
    assert check.is_under_way
    assert checks.begin(_plan(), 2, 6) is check
    assert check.task is not None
    await check.task
    return check


def test_a_check_runs_once_at_a_time_and_is_kept_for_its_tables() -> None:
    checks, plan = Checks(), _plan()
    assert checks.of(plan) is None
    check = asyncio.run(_ended(checks, 1))

    assert check.report is not None, check.problem
    assert (check.report["workflow"], check.report["findings"]) == ("plan", [])
    assert checks.of(plan) is check
    assert checks.of(running(WORKFLOWS)["ticket"]) is None


def test_a_check_that_takes_too_long_is_stopped_with_its_process() -> None:
    before = _children()

    async def play() -> tuple[Check, int, int]:
        check = Checks(limit_s=2).begin(_plan(), 5, 5)
        (pid,) = await asyncio.to_thread(_waited, lambda: _children() - before)
        priority = partial(os.getpriority, os.PRIO_PROCESS, pid)
        niceness = await asyncio.to_thread(_waited, priority)
        assert check.task is not None
        await check.task
        return check, pid, niceness

    check, pid, niceness = asyncio.run(play())

    assert check.problem == "It took longer than 2 s and was stopped."
    assert niceness == NICENESS
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def _waited(ask: Callable[[], T]) -> T:
    """Ask again and again until there is something."""
    while not (found := ask()):
        time.sleep(0.01)
    return found


def _children() -> set[int]:
    """Return the processes that this one has started, as Linux tells it."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for one in lists for pid in one.read_text().split()}


def test_what_no_check_can_be_made_of_is_told() -> None:
    check = Check("steps", 99, 5)
    asyncio.run(Checks()._run("plan", check))  # a page never asks for so much

    assert "could not be run" in check.problem


def test_a_server_that_stops_does_not_wait_for_a_check() -> None:
    async def play() -> Check:
        check = Checks().begin(_plan(), 3, 5)
        await asyncio.sleep(0)  # so that it has been started
        return check

    assert asyncio.run(play()).problem == "The server was stopped before it had ended."


def test_a_page_checks_what_is_usual_at_most() -> None:
    bounds = bounds_of("plan")

    assert bounds is not None
    assert (bounds.word, bounds.usual, bounds.numbers) == ("steps", 3, (1, 2, 3))
    assert bounds_of("nothing") is None
    assert checking.LIMIT_S > 0


def test_a_finding_is_drawn_with_the_way_to_it() -> None:
    finding = {"where": "plan stalled", "state": "stalled [pending]", "start": "planning [pending]",
               "trace": TRACE}  # fmt: skip
    drawn = picture(WORKFLOWS["plan"], finding)

    for said in ("visit 1", "visit 2", "visit 3"):
        assert said in drawn
    assert "visit 4" not in drawn
    assert 'class="node active here"><title>stalled' in drawn


def test_a_finding_of_the_tables_alone_shows_the_status_it_is_about() -> None:
    for where, here in ((f"{STEP} failed never used", "failed"), ("event nothing", "")):
        drawn = picture(WORKFLOWS["plan"], {"where": where, "state": "", "start": "", "trace": []})

        assert ("here" in drawn.replace(where, "")) == bool(here)
