"""The schemas of reports: each is sound, and what a good worker sends fits."""

import jsonschema_rs
import pytest

from interlock.ticketing.answer import AnswerInvalid, check
from interlock.ticketing.execution.reports import REPORTS
from tests.ticketing.execution.told import BASE, NEXT, Told, bead_report, final_report, setup_report

FILE = {"path": "a\nb", "status": "A", "added": 1, "removed": None}
GOOD: dict[str, Told] = {
    "init": {"site": "s", "branch": "interlock/t", "base_commit": BASE},
    "check": {"checks": [{"name": "n", "category": "c", "result": "warning", "message": "m"}]},
    "prepare": setup_report(),
    "code": bead_report(),
    "test": final_report(),
    "integrate": {
        "candidate": NEXT, "merge_base": BASE, "before": BASE, "commits": 2, "files": [FILE],
        "diff": "", "diff_cut": False,
    },
    "publish": {
        "number": 7, "url": "u", "state": "draft", "head": NEXT, "base": "main", "title": "t",
        "body": "b",
    },
    "merge": {"merged": False, "reason": "conflict"},
    "clean": {"status": "clean", "removed": [], "kept": ["x"], "errors": []},
    "restore": {"restored": True, "finalise": False},
}  # fmt: skip


@pytest.mark.parametrize("task", REPORTS)
def test_a_schema_is_sound_and_takes_what_a_good_worker_sends(task: str) -> None:
    jsonschema_rs.validator_for(dict(REPORTS[task]))

    assert check(REPORTS[task], GOOD[task]) == GOOD[task]


@pytest.mark.parametrize("task", REPORTS)
def test_what_nobody_asked_for_is_refused(task: str) -> None:
    with pytest.raises(AnswerInvalid):
        check(REPORTS[task], {**GOOD[task], "outcome": "MERGE_COMPLETE"})


def test_a_tree_that_was_not_restored_is_no_answer() -> None:
    with pytest.raises(AnswerInvalid):
        check(REPORTS["restore"], {"restored": False})
