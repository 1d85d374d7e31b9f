"""Reports of workers as a page reads them: whatever is missing or odd reads as empty."""

from interlock.doors.web.chips import Chip
from interlock.doors.web.ticket.reports import (
    checks_of,
    chip_of,
    files_of,
    report_of,
    runs_of,
)
from tests.doors.web.ticket.built import CHECKS, failed, report, run


def test_the_run_that_a_report_failed_by_is_the_last_one_that_was_not_green() -> None:
    found = report_of(failed(note="Two tests fail."))

    assert found.failed is not None
    assert (found.failed.command, found.failed.chip) == ("pytest", Chip("bad", "Exit code 1"))
    assert found.chip == Chip("bad", "Tests failed")
    assert (found.note, found.seconds) == ("Two tests fail.", 2.5)
    assert report_of(report()).failed is None


def test_what_was_made_of_a_report_is_told_where_it_was_not_believed() -> None:
    verdict = {"is_good": False, "reason": "tests_failed", "message": "pytest was not run."}

    assert report_of({"verdict": verdict}).verdict == "pytest was not run."
    assert report_of({"verdict": {**verdict, "is_good": True}}).verdict == ""


def test_a_run_says_how_it_ended() -> None:
    ends = [
        {**run(), "timed_out": True}, {**run(code=None), "signal": 9}, run(code=None),
        {**run(), "exit_code": True}, run(),
    ]  # fmt: skip
    words = [one.chip.label for one in runs_of({"runs": ends})]

    assert words == [
        "Out of time", "Ended by signal 9", "No exit code", "No exit code", "Exit code 0",
    ]  # fmt: skip
    assert [one.is_green for one in runs_of({"runs": ends})] == [False] * 4 + [True]


def test_what_is_missing_or_odd_reads_as_empty() -> None:
    odd = {"runs": [1, {"output": 7, "seconds": "long"}], "files": "none", "diff": None}
    found = report_of(odd)

    assert (found.status, found.diff, found.files) == ("", "", ())
    assert [(one.command, one.output, one.seconds) for one in found.runs] == [("", "", 0.0)]
    assert chip_of("") == Chip("idle", "Unknown")
    binary = {"path": "a.bin", "status": "added", "added": None, "removed": None}
    assert files_of({"files": [binary]})[0].added == 0


def test_checks_that_need_somebody_come_first() -> None:
    bad = {"name": "tree", "category": "git", "result": "fail", "message": "It is gone."}
    found = checks_of({"checks": [*CHECKS["checks"], bad]})

    assert [(one.name, one.chip.label) for one in found] == [
        ("tree", "Failed"),
        ("forge", "Warning"),
        ("git", "Passed"),
    ]
