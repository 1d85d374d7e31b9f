"""Reports stay within their size, and notes are short."""

import json

from interlock.worker.execution.report import NOTE_MAX, REPORT_BYTES_MAX, fitted, noted


def size(report: object) -> int:
    return len(json.dumps(report, ensure_ascii=False).encode())


def test_a_small_report_stays_as_it_is() -> None:
    report = {"status": "done", "diff": "x", "diff_cut": False, "runs": [{"output": "y"}]}

    assert fitted(json.loads(json.dumps(report))) == report


def test_a_large_one_is_cut_where_it_is_longest_and_says_so() -> None:
    runs = [{"output": f"{number}" * 90_000 + "end", "output_cut": False} for number in range(9)]
    report = fitted({"diff": "begin" + "ä" * 300_000, "diff_cut": False, "runs": runs})

    assert size(report) <= REPORT_BYTES_MAX
    assert report["diff_cut"]
    assert report["diff"].startswith("begin")
    assert all(one["output"].endswith("end") for one in report["runs"])
    assert any(one["output_cut"] for one in report["runs"])


def test_what_cannot_be_cut_ends_it() -> None:
    report = fitted({"note": "x" * REPORT_BYTES_MAX, "runs": [{"output": "y"}]})

    assert report["runs"] == [{"output": "y"}]


def test_a_note_keeps_its_beginning_and_its_end() -> None:
    note = noted("begin" + "x" * 10_000 + "end")

    assert len(note) <= NOTE_MAX
    assert note.startswith("begin")
    assert note.endswith("end")
    assert noted("short") == "short"
