"""The frame of the campaigns: the list of bugs fits them, legs run alone, a run goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from interlock.family import can_adopt, end_marked, marked
from tests.torture.book import Book
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.campaigns import CAMPAIGNS
from tests.torture.frame import Campaign, Leg, Tried
from tests.torture.runner import ROOT, Job, commit, jobs, play

PATIENCE_S: Final = 120.0


def _toy(leg: Leg) -> Tried:
    return Tried({"coins": leg.amount}, {}, ["a coin is lost"] if leg.bug else [])


TOY = Campaign("toy", ("P3",), "coins", 5, 25, 10, _toy)
LOST = Bug("a hole", "toy", "There is a hole in the purse.", "coin is lost", amount=3)


def test_each_bug_has_a_name_of_its_own_and_a_campaign_that_there_is() -> None:
    names = [bug.name for bug in bugs()]

    assert len(names) == len(set(names))
    assert {bug.campaign for bug in bugs()} <= set(CAMPAIGNS)


def test_no_campaign_is_without_a_bug_that_it_must_find() -> None:
    assert set(CAMPAIGNS) <= {bug.campaign for bug in bugs()}


def test_a_run_is_the_bugs_and_then_legs_of_each_campaign_up_to_its_figure() -> None:
    found = [*jobs({"toy": TOY}, [LOST], share=1.0, seed=7)]

    assert [(job.key, job.seed, job.amount) for job in found] == [
        ("bug a hole", 1, 3), ("toy 0", 7, 10), ("toy 1", 8, 10), ("toy 2", 9, 5),
    ]  # fmt: skip


def test_a_share_of_a_run_is_never_nothing() -> None:
    assert [job.amount for job in jobs({"toy": TOY}, [], share=0.001, seed=1)] == [1]


def test_a_bug_counts_as_caught_by_what_it_does_and_not_by_any_failure() -> None:
    assert caught(LOST, ["a coin is lost"])
    assert not caught(LOST, ["the leg broke"])


def test_a_leg_that_breaks_is_a_finding() -> None:
    told = play(Job("x", TOY, 1, 1))

    assert "the leg broke" in told["findings"][0]


def test_a_run_goes_on_with_its_own_book_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "build" / "torture.json"
    book = Book(path, {"seed": 1})
    book.add("toy 0", {"campaign": "toy", "run again": "so", "counts": {"coins": 10},
                       "faults": {"drop": 2}, "findings": ["lost"]}, {"toy": TOY})  # fmt: skip
    book.add("bug a hole", {"campaign": "toy", "run again": "so", "counts": {"coins": 3},
                            "faults": {}, "findings": [], "bug": "a hole", "caught": False},
             {"toy": TOY})  # fmt: skip

    (told,) = json.loads(path.read_text())["sums"].values()
    assert (told["tried"], told["faults"], told["findings"]) == (10, {"drop": 2}, ["lost (so)"])
    assert told["bugs"] == {"a hole": False}
    assert set(Book(path, {"seed": 1}).legs) == {"toy 0", "bug a hole"}
    assert Book(path, {"seed": 2}).legs == {}


@pytest.mark.parametrize("bug", [bug for bug in bugs() if bug.name == "ack before commit"])
def test_a_planted_bug_is_caught_by_a_leg_in_its_own_process(bug: Bug) -> None:
    told = play(Job("x", CAMPAIGNS[bug.campaign], bug.seed, bug.amount, bug))

    assert told["caught"], told["findings"]
    assert told["run again"].endswith("--bug 'ack before commit'")


@pytest.mark.skipif(not can_adopt(), reason="this machine does not tell who is below whom")
def test_a_run_that_is_stopped_takes_its_legs_along_and_keeps_its_book(tmp_path: Path) -> None:
    mark, book = f"TORTURE_STOPPED={tmp_path}", tmp_path / "book.json"
    name, _, value = mark.partition("=")
    line = ["run", "--only", "kills", "--share", "0.1", "--at-once", "1", "--book", str(book)]
    begun = Book(book, {"commit": commit(), "share": 0.1, "seed": 1, "only": ["kills"]})
    done = {"campaign": "kills", "run again": "so", "counts": {}, "faults": {}, "findings": []}
    begun.add("kills 0", done, CAMPAIGNS)
    run = subprocess.Popen(
        [sys.executable, "-m", "tests.torture", *line],
        cwd=ROOT, env={**os.environ, name: value}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        # A leg is at it, and has processes of its own; held, it cannot end by itself.
        _until(lambda: len(marked(mark)) >= 3)
        for pid in set(marked(mark)) - {run.pid}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        run.send_signal(signal.SIGTERM)

        assert run.wait(60) == 128 + signal.SIGTERM
        assert marked(mark) == []
        assert Book(book, begun.run).legs["kills 0"] == done
    finally:
        run.kill()
        run.wait()
        end_marked(mark)


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it did not come to it"
        time.sleep(0.01)
