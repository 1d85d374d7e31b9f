"""Reports are judged by what was shown: nothing red, missing or built elsewhere is ever green."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.execution import judge
from interlock.ticketing.execution.judge import Bead, HeadMoved, Verdict
from tests.ticketing.execution.told import (
    BASE,
    COMMANDS,
    NEXT,
    TREE,
    Told,
    bead_report,
    code_answer,
    final_answer,
    final_report,
    run,
    setup_plan,
    setup_report,
)

BEAD = Bead("sell", COMMANDS)
OTHER = "d" * 40

RED = st.one_of(
    st.integers().filter(bool).map(lambda code: {"exit_code": code}),
    st.just({"exit_code": None}),
    st.just({"timed_out": True}),
    st.sampled_from([{"signal": 9}, {"signal": "SIGKILL"}, {"exit_code": None, "signal": 15}]),
)


def built(report: Told, bead: Bead = BEAD, head: str = BASE) -> Verdict:
    return judge.built(judge.read("code", report), bead, head)


def test_a_bead_whose_tests_are_green_is_done() -> None:
    assert built(bead_report()) == judge.GOOD


@given(RED, st.integers(0, 1))
def test_a_red_run_is_never_green(red: Told, place: int) -> None:
    report = bead_report()
    report["runs"][place] |= red

    assert built(report).reason == "tests_failed"


@given(RED, st.text(max_size=20))
def test_a_red_run_of_anything_else_is_no_better(red: Told, command: str) -> None:
    report = bead_report()
    report["runs"].append(run(command) | red)

    assert not built(report).is_good


@given(st.lists(st.sampled_from([*COMMANDS, "true"]), max_size=5))
def test_only_every_command_in_its_turn_is_green(commands: list[str]) -> None:
    left = iter(commands)
    is_there = all(any(one == wanted for one in left) for wanted in COMMANDS)
    report = bead_report(runs=[run(one) for one in commands])

    assert built(report).is_good == is_there


def test_a_bead_without_commands_proves_nothing() -> None:
    assert built(bead_report(runs=[]), Bead("sell", ())).reason == "tests_failed"


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        ({"answer": code_answer("count")}, "wrong_bead"),
        ({"answer": code_answer(status="error", reason="no idea")}, "not_done"),
        ({"commit": ""}, "nothing_changed"),
        ({"commit": BASE}, "nothing_changed"),
        ({"runs": []}, "tests_failed"),
        ({"status": "failed", "reason": "timed_out"}, "timed_out"),
        ({"status": "failed"}, "not_done"),
    ],
)
def test_what_is_called_done_and_is_not_has_failed(spoilt: Told, reason: str) -> None:
    verdict = built(bead_report(**spoilt))

    assert (verdict.is_good, verdict.reason) == (False, reason)
    assert verdict.message


@pytest.mark.parametrize("name", ["tests", "lint", "typecheck", "qualitative"])
def test_a_check_that_is_not_passed_is_not_done(name: str) -> None:
    answer = code_answer()
    answer["checks"][name] = "fail"

    assert built(bead_report(answer=answer)) == Verdict(
        is_good=False, reason="not_done", message=f"Not passed: {name}."
    )


@pytest.mark.parametrize(
    "spoilt",
    [
        {"bead_id": "count"},
        {"status": "perfect"},
        {"commit": "main"},
        {"runs": [{"command": "pytest -q"}]},
        {"answer": {}},
        {"answer": None},
        {"answer": {"bead_id": "sell", "status": "done"}},
        {"reason": "bad luck"},
        {"more": 1},
        {"note": "x" * 2_001},
    ],
)
def test_a_report_that_does_not_fit_is_refused(spoilt: Told) -> None:
    with pytest.raises(AnswerInvalid):
        built(bead_report(**spoilt))


@given(st.sampled_from([OTHER, NEXT, ""]))
def test_what_builds_on_another_commit_is_refused(head: str) -> None:
    with pytest.raises(HeadMoved) as no:
        built(bead_report(), head=head)

    assert no.value.details == {"head": head, "parent": BASE}


def test_nobody_is_asked_again_where_a_green_attempt_is_committed() -> None:
    finalising = BEAD._replace(is_finalising=True)

    assert built(bead_report(answer=None), finalising).is_good
    assert not built(bead_report(answer=None, runs=[]), finalising).is_good
    assert built(bead_report(answer=code_answer("count")), finalising).reason == "wrong_bead"


@pytest.mark.parametrize(
    ("spoilt", "is_kept"),
    [
        ({}, True),
        ({"tree": ""}, False),
        ({"reason": "reset_failed"}, False),
        ({"runs": [run("pytest -q")]}, False),
        ({"runs": [run("pytest -q"), run("ruff check", 1)]}, False),
        ({"status": "done"}, False),
    ],
)
def test_a_green_attempt_whose_commit_failed_can_be_finished(
    spoilt: Told,
    is_kept: bool,  # noqa: FBT001  a column of the table
) -> None:
    report = bead_report(status="failed", reason="commit_failed", commit="", tree=TREE) | spoilt

    assert judge.is_green_but_uncommitted(judge.read("code", report), BEAD) == is_kept


def prepared(report: Told) -> Verdict:
    return judge.prepared(judge.read("prepare", report), setup_plan())


def test_a_setup_is_ready_when_what_is_needed_ended_well_at_last() -> None:
    report = setup_report()
    again = setup_report(runs=[run("pip install .", 1), *report["runs"]])
    report["runs"][1]["exit_code"] = 1

    assert prepared(setup_report()) == prepared(report) == prepared(again) == judge.GOOD


@pytest.mark.parametrize(
    "spoilt",
    [
        {"status": "failed"},
        {"runs": []},
        {"dirty": ["shop.py"]},
        {"runs": [run("pip install .")]},
        {"runs": [run("pip install ."), run("python -c 'import shop'", 1)]},
        {"runs": [run("python -c 'import shop'")]},
    ],
)
def test_a_setup_without_its_proof_has_failed(spoilt: Told) -> None:
    assert prepared(setup_report(**spoilt)).reason == "setup_failed"


def judged(report: Told) -> Verdict:
    return judge.tested(judge.read("test", report), BASE)


def test_a_final_test_whose_commands_are_green_has_passed() -> None:
    assert judged(final_report()) == judged(final_report(commit=NEXT)) == judge.GOOD


@given(RED, st.integers(0, 1))
def test_a_final_test_with_a_red_run_has_not(red: Told, place: int) -> None:
    report = final_report()
    report["runs"][place] |= red

    assert judged(report).reason == "tests_failed"


@pytest.mark.parametrize(
    "spoilt", [{"status": "failed"}, {"runs": []}, {"answer": final_answer("pytest -q", "true")}]
)
def test_a_final_test_without_its_proof_has_not(spoilt: Told) -> None:
    assert judged(final_report(**spoilt)).reason == "tests_failed"


def test_a_final_test_without_commands_is_refused_and_so_is_one_of_another_commit() -> None:
    with pytest.raises(AnswerInvalid):
        judged(final_report(answer=final_answer() | {"commands": []}))
    with pytest.raises(HeadMoved):
        judged(final_report(parent=OTHER))


def test_a_request_is_about_the_candidate() -> None:
    judge.published({"head": NEXT}, NEXT)
    with pytest.raises(HeadMoved):
        judge.published({"head": OTHER}, NEXT)


def test_a_merge_says_where_the_base_is() -> None:
    good = {"merged": True, "merge_commit": NEXT, "base_head": NEXT, "by": "interlock"}
    assert judge.merged(judge.read("merge", good)) == judge.GOOD
    assert judge.merged({"merged": False, "reason": "conflict"}).message == "conflict"
    with pytest.raises(AnswerInvalid):
        judge.merged({"merged": True, "merge_commit": NEXT})
