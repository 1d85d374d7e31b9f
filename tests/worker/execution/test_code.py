"""One attempt at a bead, with a real tree, real commands, and an agent that is not believed."""

from pathlib import Path

import pytest

from interlock.worker.agents.script import Turn
from tests.worker.execution.ground import DONE, PASSED, Ground, ground_in
from tests.worker.workspace.repositories import plain

GOOD = {"pears.py": "pears = 1\n"}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def shown(ground: Ground, commit: str, path: str) -> str:
    return plain(ground.tree.place.vault, "show", f"{commit}:{path}")


def test_green_tests_that_we_ran_make_a_commit_on_the_head(ground: Ground) -> None:
    head = ground.head()
    ground.says(code=Turn(DONE, files=GOOD))

    report = ground.do("code")

    assert (report["status"], report["reason"], report["note"]) == ("done", "", "")
    assert report["parent"] == head
    assert shown(ground, report["commit"], "pears.py") == "pears = 1"
    assert plain(ground.tree.place.vault, "log", "-1", "--format=%s %P", report["commit"]) == (
        f"bead(pears): Sell pears {head}"
    )
    assert report["files"] == [{"path": "pears.py", "status": "added", "added": 1, "removed": 0}]
    assert "+pears = 1" in report["diff"]
    (run,) = report["runs"]
    assert (run["command"], run["exit_code"], run["timed_out"]) == ("sh test.sh", 0, False)
    # Nothing has moved: that is for when the server has taken it.
    assert ground.head() == head


def test_an_agent_that_says_done_with_failing_tests_is_not_believed(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files={"pears.py": "plums\n"}))

    report = ground.do("code")

    assert (report["status"], report["reason"]) == ("failed", "tests_failed")
    assert report["commit"] == ""
    assert report["runs"][0]["exit_code"] == 1
    assert "'sh test.sh' ended with 1" in report["note"]
    assert "+plums" in report["diff"]


def test_the_next_attempt_begins_where_the_bead_begins(ground: Ground) -> None:
    ground.says(code_1=Turn(DONE, files={"left.py": "x\n", "shop.py": "spoiled\n"}))
    ground.says(code_2=Turn(DONE, files=GOOD))
    assert ground.do("code")["reason"] == "tests_failed"

    report = ground.do("code", number=2)

    assert [one["path"] for one in report["files"]] == ["pears.py"]


def answered(**more: object) -> Turn:
    return Turn({**DONE, **more}, files=GOOD)


@pytest.mark.parametrize(
    ("turn", "reason", "word"),
    [
        (answered(bead_id="plums"), "wrong_bead", "'plums'"),
        (answered(status="error", reason="too hard"), "not_done", "too hard"),
        (answered(checks={**PASSED, "lint": "fail"}), "not_done", "lint"),
        (Turn(DONE), "nothing_changed", "Nothing was changed"),
        (Turn(DONE, files=GOOD, run="ln -s /etc/passwd out"), "refused_content", "out"),
        (Turn(fault="error", text="no power"), "agent_failed", "no power"),
        (Turn(text="Well.", fault="invalid"), "answer_invalid", "no JSON object"),
        (Turn({"bead_id": "pears"}, files=GOOD), "answer_invalid", "$.status"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_whatever_goes_wrong_is_a_report_with_its_reason(
    ground: Ground, turn: Turn, reason: str, word: str
) -> None:
    ground.says(code=turn)

    report = ground.do("code")

    assert (report["status"], report["reason"], report["commit"]) == ("failed", reason, "")
    assert word in report["note"]


def test_an_agent_or_a_test_that_never_ends_runs_out_of_time(ground: Ground) -> None:
    ground.says(code_1=Turn(DONE, misbehave=("never_ends",)), code_2=Turn(DONE, files=GOOD))

    slow = ground.do("code", deadline_s=1)
    bead = {"id": "pears", "title": "", "test_commands": ["sleep 60"]}
    tested = ground.do("code", deadline_s=2, number=2, bead=bead)

    assert (slow["reason"], tested["reason"]) == ("timed_out", "timed_out")
    assert tested["runs"][0]["timed_out"]
    assert tested["runs"][0]["exit_code"] is None


def test_tests_run_in_their_order_until_one_fails(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files=GOOD))
    commands = ["true", "sh test.sh", "exit 3", "true"]

    report = ground.do("code", bead={"id": "pears", "title": "", "test_commands": commands})

    assert [one["exit_code"] for one in report["runs"]] == [0, 0, 3]
    assert report["reason"] == "tests_failed"


def test_what_a_test_leaves_behind_is_not_committed(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files=GOOD))
    bead = {"id": "pears", "title": "", "test_commands": ["echo x > left.txt", "rm shop.py"]}

    report = ground.do("code", bead=bead)

    assert report["status"] == "done"
    files = plain(ground.tree.place.vault, "ls-tree", "--name-only", report["commit"]).split()
    assert files == ["pears.py", "shop.py", "test.sh"]


def test_a_green_attempt_that_could_not_be_committed_is_finalised_without_an_agent(
    ground: Ground,
) -> None:
    ground.says(code=Turn(DONE, files=GOOD))
    objects = ground.tree.place.vault / "objects"
    first = ground.do("code")
    green = {"tree": first["tree"]}
    ground.turns.clear()

    again = ground.do("code", finalise=green)
    other = ground.do("code", finalise={"tree": "0" * 40})

    assert objects.exists()
    assert (again["status"], again["tree"]) == ("done", first["tree"])
    assert [one["exit_code"] for one in again["runs"]] == [0]
    assert (other["status"], other["reason"]) == ("failed", "not_done")


def test_a_head_that_is_not_here_is_a_reset_that_failed(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files=GOOD))

    report = ground.do("code", tree={"branch": "x", "head": "0" * 40})

    assert (report["status"], report["reason"]) == ("failed", "reset_failed")


def test_a_flood_of_words_fits_into_a_report(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files={"pears.py": "pears\n" * 200_000}))
    floods = ["yes 'a flood' | head -c 9000000; exit 0"] * 20

    report = ground.do("code", bead={"id": "pears", "title": "", "test_commands": floods})

    assert report["status"] == "done"
    assert len(str(report).encode()) < 700_000
    assert report["diff_cut"]
    assert all(one["output_cut"] for one in report["runs"])
